// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// What one JSON value asks for, by the rules of JSON-RPC 2.0.
///
/// Scanning is strict where the standard is: a member of the envelope that comes twice, or has the
/// wrong type, makes the whole an invalid request. Members that the standard does not know are
/// ignored.
package enum Envelope {
    /// A call; without an id it is a notification, and nobody waits for an answer.
    case call(method: RawString, params: RawJSON?, id: RawJSON?)
    /// Something else, with the id where one could be made out.
    case invalid(id: RawJSON?, why: StaticString)

    package init(_ value: RawJSON) {
        guard value.kind == .object else {
            self = .invalid(id: nil, why: "a request is an object")
            return
        }
        let names: [4 of sj_name] = [
            sj_name("jsonrpc"), sj_name("method"), sj_name("params"), sj_name("id"),
        ]
        var values = [4 of sj_value](repeating: sj_value())
        var culprit = sj_member()
        var found = values.mutableSpan
        let result = found.withUnsafeMutableBufferPointer { values in
            names.span.withUnsafeBufferPointer { names in
                sj_pick(
                    value.slice, names.baseAddress, names.count, true, values.baseAddress, &culprit)
            }
        }
        let id = RawJSON(orAbsent: values[3])
        guard id?.isID ?? true else {
            self = .invalid(id: nil, why: "\"id\" must be a string, a number or null")
            return
        }
        guard result != SJ_REPEATED else {
            // Which of two ids is meant nobody can tell.
            let isIDClear = value.members.count { $0.key.equals("id") } == 1
            self = .invalid(id: isIDClear ? id : nil, why: "a member of the request comes twice")
            return
        }
        self.init(
            version: RawJSON(orAbsent: values[0]), method: RawJSON(orAbsent: values[1]),
            params: RawJSON(orAbsent: values[2]), id: id)
    }

    private init(version: RawJSON?, method: RawJSON?, params: RawJSON?, id: RawJSON?) {
        if version?.rawString?.equals("2.0") != true {
            self = .invalid(id: id, why: "\"jsonrpc\" must be \"2.0\"")
        } else if !(params?.isStructured ?? true) {
            self = .invalid(id: id, why: "\"params\" must be an object or an array")
        } else if let method = method?.rawString {
            self = .call(method: method, params: params, id: id)
        } else {
            self = .invalid(id: id, why: "\"method\" must be a string")
        }
    }
}

extension RawJSON {
    fileprivate var isID: Bool {
        switch kind {
        case .string, .number, .null: true
        case .object, .array, .bool: false
        }
    }

    fileprivate var isStructured: Bool {
        switch kind {
        case .object, .array: true
        case .string, .number, .bool, .null: false
        }
    }
}
