// SPDX-License-Identifier: Apache-2.0

/// The methods that a front serves, found by the bytes of their names.
///
/// Made once at start-up and never changed; every session of a front shares it.
package final class Router<Context: AnyObject> {
    /// Every method, in the order registered.
    package let methods: [Method<Context>]

    /// The most parameters that any of them declares.
    let mostParameters: Int

    private let names: NameTable

    /// `methods` again: an array's subscript in generic code asks the runtime for the element's
    /// type at every call, a pointer does not.
    private let methodAt: UnsafeMutableBufferPointer<Method<Context>>

    package init(_ methods: [Method<Context>]) {
        self.methods = methods
        mostParameters = methods.map(\.parameters.count).max() ?? 0
        names = NameTable(methods.map(\.name))
        methodAt = .allocate(capacity: methods.count)
        _ = methodAt.initialize(from: methods)
    }

    deinit {
        methodAt.deinitialize()
        methodAt.deallocate()
    }

    package func method(named name: RawString) throws(RPCError) -> Method<Context> {
        guard let index = names.index(of: name) else { throw unknownMethod(name) }
        return methodAt[index]
    }

    /// Nobody is called that; perhaps somebody nearly is.
    private func unknownMethod(_ name: RawString) -> RPCError {
        let name = name.string
        return RPCError(
            .methodNotFound, detail: "no method is called \"\(name.shortened)\"",
            expected: "one of the methods that rpc.discover lists",
            suggestion: NearestName.find(name, among: methods.lazy.map(\.name.description)))
    }
}
