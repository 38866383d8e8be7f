// SPDX-License-Identifier: Apache-2.0

/// A call's parameters, matched against what the method declares.
///
/// The router made them before the handler runs: every name given is declared, none comes twice,
/// and every required one is there. Asking for a name that was not declared is a programmer's
/// mistake and stops. Borrowed: gone when the handler returns, so copy out what must live longer.
package struct Params: ~Copyable {
    /// Where each declared parameter's value stands, in the order of declaration.
    let values: ParameterSlots
    let declared: [Parameter]

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
        guard let index = declared.firstIndex(where: { $0.name.isSame(as: name) }) else {
            preconditionFailure("a handler asks for \"\(name)\", which its method does not declare")
        }
        return values[index]
    }
}

/// The working memory in which parameters are matched, one per session and used call after call.
final class ParameterSlots {
    private var values: [RawJSON?] = []

    subscript(index: Int) -> RawJSON? { values[index] }

    /// Matches `params` with what is declared, or says what is wrong.
    func match(
        _ params: RawJSON?, with declared: [Parameter], style: ParameterStyle
    ) throws(RPCError) {
        clear(declared.count)
        if let params {
            if params.kind == .array {
                try matchPositions(params, declared, style)
            } else {
                try matchNames(params, declared)
            }
        }
        for (index, parameter) in declared.enumerated()
        where parameter.isRequired && values[index] == nil {
            throw .missing(parameter.name)
        }
    }

    private func clear(_ count: Int) {
        while values.count < count { values.append(nil) }
        for index in 0..<count { values[index] = nil }
    }

    private func matchNames(_ params: RawJSON, _ declared: [Parameter]) throws(RPCError) {
        for member in params.members {
            guard let index = declared.firstIndex(where: { member.key.equals($0.name) }) else {
                let name = member.key.string
                throw .unknownName(
                    name, pointer: "/\(JSONPointer.escape(name))",
                    known: declared.map(\.name.description))
            }
            guard values[index] == nil else {
                let name = member.key.string
                throw .repeated(name, pointer: "/\(JSONPointer.escape(name))")
            }
            values[index] = member.value
        }
    }

    private func matchPositions(
        _ params: RawJSON, _ declared: [Parameter], _ style: ParameterStyle
    ) throws(RPCError) {
        guard style == .byNameOrPosition else {
            throw RPCError(
                .invalidParams, "the parameters are an array", pointer: "",
                expected: "parameters by name, in an object")
        }
        for (index, element) in params.elements.enumerated() {
            guard index < declared.count else {
                throw RPCError(
                    .invalidParams, "there are too many parameters", pointer: "/\(index)",
                    expected: "at most \(declared.count)")
            }
            values[index] = element
        }
    }
}

extension RPCError {
    fileprivate static func missing(_ name: StaticString) -> RPCError {
        RPCError(
            .invalidParams, "the parameter \"\(name)\" is missing",
            pointer: "/\(JSONPointer.escape(name.description))", expected: "a value")
    }
}

extension StaticString {
    /// Whether both are the same word; usually both are the same literal.
    fileprivate func isSame(as other: StaticString) -> Bool {
        utf8CodeUnitCount == other.utf8CodeUnitCount
            && (utf8Start == other.utf8Start
                || equals(
                    UnsafeRawBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount)))
    }
}
