// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledKit

/// What a rule answers.
///
/// The words of scenario files, spelled in Swift: the page *Stubs* of the documentation has the table.
public struct StubReply: Sendable {
    let json: JSONValue

    // MARK: What

    /// An HTTP answer whose body is `value` as JSON.
    public static func json(_ value: some Encodable, status: Int = 200) -> StubReply {
        StubReply(json: ["status": .int(Int64(status)), "json": JSONValue(encoding: value)])
    }

    /// An HTTP answer with a body of text.
    public static func text(_ body: String, status: Int = 200) -> StubReply {
        StubReply(json: ["status": .int(Int64(status)), "body": .string(body)])
    }

    /// An HTTP answer that says nothing of a body.
    public static func status(_ status: Int) -> StubReply {
        StubReply(json: ["status": .int(Int64(status))])
    }

    /// An HTTP answer whose body is empty.
    public static func empty(status: Int = 200) -> StubReply {
        StubReply(json: ["empty": true, "status": .int(Int64(status))])
    }

    /// The answer of an effect other than HTTP.
    public static func value(_ value: some Encodable) -> StubReply {
        StubReply(json: ["value": JSONValue(encoding: value)])
    }

    /// A failure: `refused`, `timeout`, `reset`, or a word of your own.
    public static func fail(_ kind: String, _ message: String = "a stub answered so") -> StubReply {
        StubReply(json: ["fail": .string(kind), "message": .string(message)])
    }

    /// No answer, ever.
    public static var never: StubReply { StubReply(json: ["never": true]) }

    /// The failure `reset` before anything came.
    public static var reset: StubReply { StubReply(json: ["reset": true]) }

    /// The failure `reset` behind the first `bytes` bytes of the body of an HTTP answer. A stream gets its head
    /// and those bytes; who asked for all at once gets the failure only.
    ///
    /// - Parameter reply: the answer that breaks; without one the body is letters drawn by the seed.
    public static func reset(after bytes: Int, of reply: StubReply? = nil) -> StubReply {
        let answer = reply ?? StubReply(json: [:])
        return answer.with("reset", ["after": .int(Int64(bytes))])
    }

    /// An answer that nobody meant: garbage drawn by the seed, of HTTP as the body.
    public static var malformed: StubReply { StubReply(json: ["malformed": true]) }

    /// An answer that nobody meant: this one. Of HTTP it is the text of the body.
    public static func malformed(_ answer: some Encodable) -> StubReply {
        StubReply(json: ["malformed": JSONValue(encoding: answer)])
    }

    /// Several answers, each with its own `after`, counted from when the first could come. Of HTTP they are
    /// pieces of one body.
    public static func chunks(_ replies: [StubReply]) -> StubReply {
        StubReply(json: ["chunks": .array(replies.map(\.json))])
    }

    /// A piece of the body of an HTTP answer, for `chunks`.
    public static func piece(_ text: String) -> StubReply {
        StubReply(json: ["body": .string(text)])
    }

    /// The same HTTP answer with header fields.
    public func headers(_ headers: KeyValuePairs<String, String>) -> StubReply {
        with("headers", .object(headers.map { ($0, .string($1)) }))
    }

    /// The same answer several times where one is expected. Who asks for one gets the first.
    public func duplicated(_ count: Int = 2) -> StubReply { with("duplicate", .int(Int64(count))) }

    // MARK: When

    /// The same answer `ticks` after the request; without this it comes at the request's own instant.
    public func after(_ ticks: Int) -> StubReply { with("after", .int(Int64(ticks))) }

    /// The same answer at tick `tick`; at once when that is past.
    public func at(_ tick: Int) -> StubReply { with("at", .int(Int64(tick))) }

    /// The same answer `ticks` after the request.
    public func latency(_ ticks: Int) -> StubReply {
        with("latency", ["fixed": .int(Int64(ticks))])
    }

    /// The same answer some ticks after the request, drawn from `range` by the seed.
    public func latency(_ range: ClosedRange<Int>) -> StubReply {
        let bounds: JSONValue = [.int(Int64(range.lowerBound)), .int(Int64(range.upperBound))]
        return with("latency", ["uniform": bounds])
    }

    /// The same answer once `release(name)` is called.
    public func released(by name: String) -> StubReply { with("release", .string(name)) }

    private func with(_ word: String, _ value: JSONValue) -> StubReply {
        var json = json
        json[word] = value
        return StubReply(json: json)
    }
}

extension JSONValue {
    /// A value as JSON. A value that has no JSON form is a mistake in the test: it stops with a sentence.
    init(encoding value: any Encodable) {
        do {
            self = try JSONText.encode(value).withUnsafeBytes { try JSONValue(parsing: $0) }
        } catch {
            preconditionFailure("\(value) has no JSON form: \(error)")
        }
    }
}
