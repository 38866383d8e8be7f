// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
public import MarbledKit
internal import Scheduling

/// A rule that answers an effect in place of the world, on the test's own timeline.
///
/// ```swift
/// .http("GET */random*", reply: .json([1]))
/// .http("*", reply: .fail("refused").after(50))
/// .http("*/slow", reply: .never)
/// .http("*", replies: [.json([1]), .json([2]), .status(503)])      one after the other
/// .effect(.random, reply: .value(3))
/// .effect(.store, matching: ["get": "bestRecord"], reply: .value(7))
/// ```
///
/// The first rule that matches and is not used up answers. These are the rules of scenario files, spelled
/// in Swift: `json` is the same rule as a scenario writes it.
public struct StubRule: Sendable, CustomStringConvertible {
    let rule: JSONValue

    private init(_ effect: Effect, _ pattern: JSONValue, _ reply: JSONValue) {
        rule = .object([(effect.name, pattern), ("reply", reply)])
    }

    /// Answers every HTTP request that fits `pattern`: a method and a URL (`"GET */random*"`), or a URL
    /// alone. `*` stands for any run of characters.
    public static func http(_ pattern: String = "*", reply: StubReply) -> StubRule {
        StubRule(.http, .string(pattern), reply.json)
    }

    /// Answers HTTP requests that fit `pattern` one after the other, then no more.
    public static func http(_ pattern: String = "*", replies: [StubReply]) -> StubRule {
        StubRule(.http, .string(pattern), .array(replies.map(\.json)))
    }

    /// Answers every request to `effect` whose members are those of `members`; others may be there.
    public static func effect(
        _ effect: Effect, matching members: [String: any Encodable] = [:], reply: StubReply
    ) -> StubRule {
        StubRule(effect, pattern(members), reply.json)
    }

    /// Answers requests to `effect` one after the other, then no more.
    public static func effect(
        _ effect: Effect, matching members: [String: any Encodable] = [:], replies: [StubReply]
    ) -> StubRule {
        StubRule(effect, pattern(members), .array(replies.map(\.json)))
    }

    /// The rule as scenario files write it.
    public var json: String { rule.text }

    public var description: String { json }

    private static func pattern(_ members: [String: any Encodable]) -> JSONValue {
        guard !members.isEmpty else { return true }
        return .object(
            members.sorted { $0.key < $1.key }.map { ($0.key, JSONValue(encoding: $0.value)) })
    }

    /// The rule for a timeline whose ticks are `tick` long.
    func stub(tick: Duration) throws -> MarbledHost.Stub {
        try MarbledHost.Stub(rule, pointer: "") { (after, pointer) throws(HostError) in
            guard let ticks = after.int else {
                throw .badValue(pointer: pointer, expected: "ticks")
            }
            let (delay, overflow) = ticks.multipliedReportingOverflow(by: tick.wholeNanoseconds)
            return overflow ? .max : delay
        }
    }
}

/// What a rule answers.
public struct StubReply: Sendable {
    let json: JSONValue

    /// An HTTP answer whose body is `value` as JSON.
    public static func json(_ value: some Encodable, status: Int = 200) -> StubReply {
        StubReply(json: ["status": .int(Int64(status)), "json": JSONValue(encoding: value)])
    }

    /// An HTTP answer with a body of text.
    public static func text(_ body: String, status: Int = 200) -> StubReply {
        StubReply(json: ["status": .int(Int64(status)), "body": .string(body)])
    }

    /// An HTTP answer without a body.
    public static func status(_ status: Int) -> StubReply {
        StubReply(json: ["status": .int(Int64(status))])
    }

    /// The answer of an effect other than HTTP.
    public static func value(_ value: some Encodable) -> StubReply {
        StubReply(json: ["value": JSONValue(encoding: value)])
    }

    /// A failure: `refused`, `timeout`, `reset`, `malformed`, or a word of your own.
    public static func fail(_ kind: String, _ message: String = "a stub answered so") -> StubReply {
        StubReply(json: ["fail": .string(kind), "message": .string(message)])
    }

    /// No answer, ever.
    public static var never: StubReply { StubReply(json: ["never": true]) }

    /// Several answers, each with its own `after`, counted from when the first could come.
    public static func chunks(_ replies: [StubReply]) -> StubReply {
        StubReply(json: ["chunks": .array(replies.map(\.json))])
    }

    /// The same answer at tick `tick`; at once when that is past.
    public func at(_ tick: Int) -> StubReply { with("at", .int(Int64(tick))) }

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

    /// The same answer `ticks` after the request; without this it comes at the request's own instant.
    public func after(_ ticks: Int) -> StubReply {
        var json = json
        json["after"] = .int(Int64(ticks))
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
