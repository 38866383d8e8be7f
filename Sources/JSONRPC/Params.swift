// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// A call's parameters, matched against what the method declares.
///
/// The router made them before the handler runs: every name given is declared, none comes twice,
/// and every required one is there. Asking for a name that was not declared is a programmer's
/// mistake and stops. Borrowed: gone when the handler returns, so copy out what must live longer.
package struct Params: ~Copyable {
    /// What is declared, and its values in the same order; a null start where one was not given.
    let names: UnsafeBufferPointer<sj_name>
    let values: UnsafePointer<sj_value>

    /// The parameter. It is there if it was declared as required; `null` counts as a value.
    package func required(_ name: StaticString) throws(RPCError) -> Argument {
        guard let raw = raw(name) else { throw .missing(name) }
        return Argument(raw, name)
    }

    /// The parameter; nil where it is absent or `null`.
    package func optional(_ name: StaticString) -> Argument? {
        guard let raw = raw(name), raw.kind != .null else { return nil }
        return Argument(raw, name)
    }

    /// The parameter's text, `null` included; nil where it is absent.
    package func raw(_ name: StaticString) -> RawJSON? {
        // Nearly always the very literal of the declaration: the linker keeps one of each.
        for index in names.indices where names[index].text == name.utf8Start {
            return RawJSON(orAbsent: values[index])
        }
        for index in names.indices where name.equals(names[index].bytes) {
            return RawJSON(orAbsent: values[index])
        }
        preconditionFailure("a handler asks for \"\(name)\", which its method does not declare")
    }
}

extension RPCError {
    static func missing(_ name: StaticString) -> RPCError {
        RPCError(
            .invalidParams, "the parameter \"\(name)\" is missing",
            pointer: "/\(JSONPointer.escape(name.description))", expected: "a value")
    }
}

extension sj_name {
    init(_ name: StaticString) {
        self.init(text: name.utf8Start, length: name.utf8CodeUnitCount)
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text, count: length) }
}

extension RawJSON {
    /// Nil for a value that was looked for and not found.
    init?(orAbsent value: sj_value) {
        guard value.start != nil else { return nil }
        self.init(value)
    }
}
