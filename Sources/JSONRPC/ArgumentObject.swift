// SPDX-License-Identifier: Apache-2.0

/// An object inside a call's parameters. Borrowed: gone when the handler returns.
package struct ArgumentObject {
    private let argument: Argument

    init(_ argument: Argument) { self.argument = argument }

    /// Every member, in the order written.
    package var members: [(name: String, value: Argument)] {
        argument.raw.members.map { member in
            let name = member.key.string
            return (name, argument.child(member.value, name))
        }
    }

    /// The member; nil where it is absent or null.
    package func optional(_ name: StaticString) -> Argument? {
        guard let raw = argument.raw.member(name), raw.kind != .null else { return nil }
        return argument.child(raw, name.description)
    }

    /// The member, null included.
    package func required(_ name: StaticString) throws(RPCError) -> Argument {
        guard let raw = argument.raw.member(name) else {
            throw RPCError(
                .invalidParams, "\(argument.pointer) has no member \"\(name)\"",
                pointer: argument.pointer, expected: "a member \"\(name)\"")
        }
        return argument.child(raw, name.description)
    }

    /// Refuses members whose name is not among `known`, and members that come twice.
    package func finish(_ known: [StaticString]) throws(RPCError) {
        let words = known.map(\.description)
        var seen: Set<String> = []
        for (name, value) in members {
            guard words.contains(name) else {
                throw .unknownName(name, pointer: value.pointer, known: words)
            }
            guard seen.insert(name).inserted else { throw .repeated(name, pointer: value.pointer) }
        }
    }
}

extension RPCError {
    /// A parameter or a member that nobody asked for.
    static func unknownName(_ name: String, pointer: String, known: [String]) -> RPCError {
        let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
        return RPCError(
            .invalidParams, "no parameter is called \"\(name.shortened)\"",
            pointer: pointer.shortened,
            expected: known.isEmpty ? "no parameters" : "one of \(list)",
            suggestion: NearestName.find(name, among: known))
    }

    static func repeated(_ name: String, pointer: String) -> RPCError {
        RPCError(
            .invalidParams, "\"\(name.shortened)\" comes twice", pointer: pointer.shortened,
            expected: "each name once")
    }
}

extension String {
    /// What a client sent, cut to what an error can carry.
    var shortened: String {
        utf8.count <= 80 ? self : "\(prefix(60))…"
    }
}
