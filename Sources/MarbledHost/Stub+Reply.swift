// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

extension Stub {
    /// What a rule answers.
    package struct Reply: Equatable {
        /// When, after the request, in nanoseconds.
        package var after: Int64
        /// The one answer, where it is the same for every request.
        package var answer: EffectAnswer?
        /// How much later at most, drawn by the instance's seed.
        package var spread: Int64 = 0
        /// When, since the instance opened; in place of `after`. A request that comes later is answered
        /// at once.
        package var at: Int64?
        /// The name under which it is held until somebody releases it.
        package var release: String?
        /// Several answers in place of one, each with its time after the first could come.
        package var chunks: [TimedAnswer] = []
        /// What hangs on the request or the seed, in place of the above.
        package var shape: Shape?
        /// How often the answer comes.
        package var copies = 1
    }

    /// An answer that hangs on how it was asked for, or on the seed.
    package enum Shape: Equatable {
        /// The pieces of an HTTP body, with their times; the last may be a failure.
        case pieces(head: JSONObject, [Piece], failure: TimedAnswer?)
        /// A connection that breaks: before anything came, or behind so many bytes of a body.
        case reset(head: JSONObject?, after: Int, of: [UInt8]?)
        /// Text that nobody meant; of HTTP the body behind a head.
        case garbage(head: JSONObject?)
    }

    /// A piece of an HTTP body.
    package struct Piece: Equatable {
        package var after: Int64
        package var text: String
    }
}

extension Stub.Reply {
    /// What is answered to `request`, each with its time after the first could come; nothing is never.
    package func answers(to request: JSONValue, _ random: RandomProvider) -> [TimedAnswer] {
        var answers = chunks
        switch shape {
        case .pieces(let head, let pieces, let failure)?:
            answers = Self.pieces(head, pieces, failure, isStream: Self.isStream(request))
        case .reset(let head, let count, let body)?:
            answers = Self.reset(
                head, count, body, isStream: Self.isStream(request), random)
        case .garbage(let head)?:
            let text = JSONValue.string(Self.garbage(random))
            answers = [TimedAnswer(after: 0, .json(head.map { $0.with("body", text) } ?? text))]
        case nil: if let answer { answers = [TimedAnswer(after: 0, answer)] }
        }
        guard copies > 1, let once = answers.last else { return answers }
        let more = TimedAnswer(after: once.after, once.answer.part)
        return Array(repeating: more, count: copies - 1) + [once]
    }

    private static func isStream(_ request: JSONValue) -> Bool { request["stream"] == true }

    /// A stream gets the head when the first piece could come, then the pieces; whoever wants all at once
    /// gets it with the last piece.
    private static func pieces(
        _ head: JSONObject, _ pieces: [Stub.Piece], _ failure: TimedAnswer?, isStream: Bool
    ) -> [TimedAnswer] {
        let end = failure?.after ?? pieces.last?.after ?? 0
        guard isStream else {
            if let failure { return [failure] }
            let body = JSONValue.string(pieces.map(\.text).joined())
            return [TimedAnswer(after: end, .json(head.with("body", body)))]
        }
        let parts = pieces.map { TimedAnswer(after: $0.after, .part(["body": .string($0.text)])) }
        return [TimedAnswer(after: 0, .part(.object(head)))] + parts
            + [failure ?? TimedAnswer(after: end, .completed)]
    }

    private static func reset(
        _ head: JSONObject?, _ count: Int, _ body: [UInt8]?, isStream: Bool,
        _ random: RandomProvider
    ) -> [TimedAnswer] {
        guard let head else {
            let message = "a stub reset the connection"
            return [TimedAnswer(after: 0, .failure(kind: "reset", message: message))]
        }
        let message = "a stub reset the connection after \(count) bytes"
        let failure = TimedAnswer(after: 0, .failure(kind: "reset", message: message))
        guard isStream else { return [failure] }
        let bytes = body.map { Array($0.prefix(count)) } ?? letters(count, random)
        // What ends inside a character never became text.
        var whole = bytes[...]
        while !whole.isEmpty, String(validating: whole, as: UTF8.self) == nil { whole.removeLast() }
        let text = String(decoding: whole, as: UTF8.self)
        let piece = text.isEmpty ? [] : [TimedAnswer(after: 0, .part(["body": .string(text)]))]
        return [TimedAnswer(after: 0, .part(.object(head)))] + piece + [failure]
    }

    /// 16 to 64 characters. The first is one that no JSON begins with.
    private static func garbage(_ random: RandomProvider) -> String {
        let count = Int(random.draw(15, 63))
        return "<" + String(decoding: letters(count, random), as: UTF8.self)
    }

    /// Printable ASCII that needs no escape in JSON.
    private static func letters(_ count: Int, _ random: RandomProvider) -> [UInt8] {
        (0..<count).map { _ in
            UInt8(random.draw(Int64(UInt8(ascii: "#")), Int64(UInt8(ascii: "["))))
        }
    }
}

extension JSONObject {
    /// The object with one member more.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        var object = self
        object[name] = value
        return .object(object)
    }
}

extension EffectAnswer {
    /// One of several answers from a value.
    static func part(_ value: JSONValue) -> EffectAnswer { .part(Array(value.text.utf8)) }
}
