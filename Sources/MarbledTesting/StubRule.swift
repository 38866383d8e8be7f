// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
package import MarbledHost
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
        self.init(rule: .object([(effect.name, pattern), ("reply", reply)]))
    }

    private init(rule: JSONValue) {
        self.rule = rule
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

    /// Cuts every HTTP request to a host that fits `host` off, until the network heals.
    ///
    /// - Parameters:
    ///   - host: a pattern, `*` standing for any run of characters; with a port where it has a colon.
    ///   - fault: what a request sees that is cut off.
    ///   - from: the tick at which it begins.
    ///   - heal: the tick at which it heals; nil for by hand only.
    ///   - waiting: what becomes of those that wait when it heals.
    ///   - name: by which `release` heals it; else the pattern.
    public static func partition(
        _ host: String = "*", with fault: Fault = .refused, from: Int = 0, heal: Int? = nil,
        waiting: Waiting = .answered, name: String? = nil
    ) -> StubRule {
        var rule: JSONValue = ["partition": .string(host), "with": .string(fault.rawValue)]
        if from != 0 { rule["from"] = .int(Int64(from)) }
        if let heal { rule["heal"] = .int(Int64(heal)) }
        if waiting != .answered { rule["waiting"] = .string(waiting.rawValue) }
        if let name { rule["name"] = .string(name) }
        return StubRule(rule: rule)
    }

    /// What a request sees that a partition cuts off.
    public enum Fault: String, Sendable {
        /// It fails at once, with `refused`.
        case refused
        /// It waits.
        case never
    }

    /// What becomes of requests that wait when a partition heals.
    public enum Waiting: String, Sendable {
        /// They are asked again, of the other rules.
        case answered
        /// They fail with `reset`.
        case reset
    }

    /// The same rule with the answers to each `window` consecutive requests in an order drawn by the seed, not
    /// the one asked in. They wait for each other; a window that is not full in `within` ticks is answered as
    /// it is.
    public func reordered(_ window: Int, within: Int? = nil) -> StubRule {
        var rule = rule
        rule["reorder"] = .int(Int64(window))
        if let within {
            rule["reorder"] = ["window": .int(Int64(window)), "within": .int(Int64(within))]
        }
        return StubRule(rule: rule)
    }

    /// The rule as scenario files write it.
    public var json: String { rule.text }

    public var description: String { json }

    private static func pattern(_ members: [String: any Encodable]) -> JSONValue {
        guard !members.isEmpty else { return true }
        return .object(
            members.sorted { $0.key < $1.key }.map { ($0.key, JSONValue(encoding: $0.value)) })
    }

    /// The rule for a timeline whose ticks are `tick` long; `pointer` is where it stands.
    func stub(tick: Duration, pointer: String) throws -> MarbledHost.Stub {
        try MarbledHost.Stub(rule, pointer: pointer) { (after, pointer) throws(HostError) in
            guard let ticks = after.int else {
                throw .badValue(pointer: pointer, expected: "ticks")
            }
            let (delay, overflow) = ticks.multipliedReportingOverflow(by: tick.wholeNanoseconds)
            return overflow ? .max : delay
        }
    }
}

extension [StubRule] {
    /// The rules for a timeline whose ticks are `tick` long.
    package func stubs(tick: Duration) throws -> [MarbledHost.Stub] {
        try enumerated().map { try $1.stub(tick: tick, pointer: "/stubs/\($0)") }
    }
}
