// SPDX-License-Identifier: Apache-2.0

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
        var scan = Scan()
        for member in value.members { scan.read(member) }
        self = scan.result
    }
}

/// The members seen so far, and the first thing wrong with them.
private struct Scan {
    private var version: RawJSON?
    private var method: RawJSON?
    private var params: RawJSON?
    private var id: RawJSON?
    private var isIDTrusted = true
    private var fault: StaticString?

    mutating func read(_ member: RawMember) {
        let key = member.key
        if key.equals("jsonrpc") {
            if version != nil { blame("\"jsonrpc\" comes twice") }
            version = member.value
        } else if key.equals("method") {
            if method != nil { blame("\"method\" comes twice") }
            method = member.value
        } else if key.equals("params") {
            if params != nil { blame("\"params\" comes twice") }
            params = member.value
        } else if key.equals("id") {
            if id != nil {
                blame("\"id\" comes twice")
                isIDTrusted = false
            }
            id = member.value
        }
    }

    var result: Envelope {
        var fault = fault
        if let id {
            switch id.kind {
            case .string, .number, .null: break
            case .object, .array, .bool:
                return .invalid(id: nil, why: fault ?? "\"id\" must be a string, a number or null")
            }
        }
        if !(version?.isVersion ?? false) { fault = fault ?? "\"jsonrpc\" must be \"2.0\"" }
        if let params {
            switch params.kind {
            case .object, .array: break
            case .string, .number, .bool, .null:
                fault = fault ?? "\"params\" must be an object or an array"
            }
        }
        guard fault == nil, let name = method?.rawString else {
            let why = fault ?? "\"method\" must be a string"
            return .invalid(id: isIDTrusted ? id : nil, why: why)
        }
        return .call(method: name, params: params, id: id)
    }

    private mutating func blame(_ sentence: StaticString) {
        if fault == nil { fault = sentence }
    }
}

extension RawJSON {
    fileprivate var isVersion: Bool { rawString?.equals("2.0") ?? false }
}
