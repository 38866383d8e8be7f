// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// What the lines of a client deserve, by the rules of JSON-RPC 2.0, worked out one message at a time.
struct EnvelopeModel {
    /// What one message deserves.
    enum Message: Equatable {
        /// A notification: silence.
        case silence
        /// A call: one answer, with this id as it was written.
        case answer(id: String)
        /// What is no request: one answer, with this id, or null where it is not clear.
        case refusal(id: String)
    }

    /// What one line deserves.
    enum Line: Equatable {
        case single(Message)
        case batch([Message])
    }

    let lines: [Line]
    /// Whether the stream breaks off at a line that is too long.
    let isTooLong: Bool

    init(_ stream: some Sequence<UInt8>, limit: Int) {
        let framing = FramingModel(stream, limit: limit)
        let validator = JSONValidator()
        isTooLong = framing.isTooLong
        lines = framing.lines.map { line in
            line.withUnsafeBytes { line in
                guard validator.validate(line) == nil else {
                    return .single(.refusal(id: "null"))
                }
                let value = RawJSON(validated: line)
                guard value.kind == .array else { return .single(Self.message(value)) }
                let messages = value.elements.map(Self.message)
                return messages.isEmpty ? .single(.refusal(id: "null")) : .batch(messages)
            }
        }
    }

    private static func message(_ value: RawJSON) -> Message {
        guard value.kind == .object else { return .refusal(id: "null") }
        func all(_ name: StaticString) -> [RawJSON] {
            value.members.filter { $0.key.equals(name) }.map(\.value)
        }
        let (ids, versions, methods) = (all("id"), all("jsonrpc"), all("method"))
        let params = all("params")
        switch ids.first?.kind {
        case .object?, .array?, .bool?: return .refusal(id: "null")
        case .string?, .number?, .null?, nil: break
        }
        let id = ids.count == 1 ? String(decoding: ids[0].bytes, as: UTF8.self) : nil
        let isRequest =
            ids.count <= 1 && versions.count == 1 && methods.count == 1 && params.count <= 1
            && versions[0].string == "2.0" && methods[0].kind == .string
            && params.allSatisfy { $0.kind == .object || $0.kind == .array }
        guard isRequest else { return .refusal(id: id ?? "null") }
        return id.map(Message.answer) ?? .silence
    }
}
