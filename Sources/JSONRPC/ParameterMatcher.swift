// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// Matches a call's parameters with what a method declares, before the method can do anything.
///
/// Owned by the method; what it finds goes into the slots of the session that asks.
final class ParameterMatcher {
    private typealias Values = UnsafeMutablePointer<sj_value>

    private let declared: [Parameter]
    private let style: ParameterStyle
    private let names: UnsafeMutableBufferPointer<sj_name>

    init(_ declared: [Parameter], style: ParameterStyle) {
        self.declared = declared
        self.style = style
        names = .allocate(capacity: declared.count)
        _ = names.initialize(from: declared.map { sj_name($0.name) })
    }

    deinit { names.deallocate() }

    /// The parameters by name, or what is wrong with them.
    func match(_ params: RawJSON?, into slots: ParameterSlots) throws(RPCError) -> Params {
        let values = slots.first(names.count)
        switch params?.kind {
        case nil: values.update(repeating: sj_value(), count: names.count)
        case .array: try matchPositions(params, values)
        case .object, .string, .number, .bool, .null: try matchNames(params, values)
        }
        for index in names.indices where values[index].start == nil {
            if declared[index].isRequired { throw .missing(declared[index].name) }
        }
        return Params(names: UnsafeBufferPointer(names), values: values)
    }

    private func matchNames(_ params: RawJSON?, _ values: Values) throws(RPCError) {
        guard let params else { return }
        var culprit = sj_member()
        let result = sj_pick(
            params.slice, names.baseAddress, names.count, false, values, &culprit)
        if result == SJ_PICKED { return }
        let name = RawMember(culprit).key.string
        let pointer = "/\(JSONPointer.escape(name))"
        if result == SJ_REPEATED { throw .repeated(name, pointer: pointer) }
        throw .unknownName(name, pointer: pointer, known: declared.map(\.name.description))
    }

    private func matchPositions(_ params: RawJSON?, _ values: Values) throws(RPCError) {
        guard let params else { return }
        guard style == .byNameOrPosition else {
            throw RPCError(
                .invalidParams, "the parameters are an array", pointer: "",
                expected: "parameters by name, in an object")
        }
        values.update(repeating: sj_value(), count: names.count)
        for (index, element) in params.elements.enumerated() {
            guard index < names.count else {
                throw RPCError(
                    .invalidParams, "there are too many parameters", pointer: "/\(index)",
                    expected: "at most \(names.count)")
            }
            values[index] = element.slice
        }
    }
}

/// Room for the slices of one call's parameters, used call after call by one session.
final class ParameterSlots {
    private let capacity: Int
    private let values: UnsafeMutablePointer<sj_value>

    /// - Parameter capacity: the most parameters that any method declares.
    init(capacity: Int) {
        self.capacity = capacity
        values = .allocate(capacity: capacity)
        values.initialize(repeating: sj_value(), count: capacity)
    }

    deinit { values.deallocate() }

    func first(_ count: Int) -> UnsafeMutablePointer<sj_value> {
        precondition(count <= capacity, "\(count) parameters for \(capacity) slots")
        return values
    }
}
