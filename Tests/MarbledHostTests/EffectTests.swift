// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

@Suite struct EffectTests {
    @Test func `an effect that nobody answers fails with a sentence`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        try instance.ask("http", ["url": "x"], atTick: 3)
        try instance.run()
        #expect(
            instance.lines.suffix(3) == [
                "3 effect http {\"url\":\"x\"}",
                """
                3.1 answer http error {"kind":"unavailable","message":"there is no live \\"http\\" here, \
                and no stub matches the request"}
                """,
                """
                3.1 output failure {"kind":"unavailable","message":"there is no live \\"http\\" here, \
                and no stub matches the request"}
                """,
            ])
    }

    @Test func `equal seeds draw equal numbers, and these are they`() throws {
        func draw(_ seed: UInt64) throws -> [String] {
            let instance = try ProbeLab().keeping { try $0.open(seed: seed) }
            for tick in 1...8 {
                try instance.1.ask("random", ["min": 1, "max": 100], atTick: tick)
            }
            try instance.1.run()
            return try instance.1.said("answer")
        }
        let first = try draw(7)
        #expect(first == (try draw(7)))
        #expect(first != (try draw(8)))
        // SplitMix64 from 7, word modulo 100 plus 1: the same on every machine, for ever.
        #expect(first == RandomReference.draws(seed: 7, count: 8).map { "\"\($0)\"" })
    }

    @Test func `draws reach both ends of their range and nothing beyond`() throws {
        let random = RandomProvider(seed: 1)
        var seen: Set<Int64> = []
        for _ in 0..<200 { seen.insert(try #require(random.draw(-1, 1))) }
        #expect(seen == [-1, 0, 1])
        #expect(random.draw(5, 5) == 5)
        for _ in 0..<100 { #expect(random.draw(.min, .max) != nil) }
        #expect(random.answer(["min": 2, "max": 1]).event == .error)
        #expect(random.answer(["min": 1]).event == .error)
        #expect(random.answer(nil).event == .error)
    }

    @Test func `virtual instances share no store, real ones of a plugin do`() throws {
        let probe = try ProbeLab()
        for isVirtual in [true, false] {
            let (first, second) = (
                try probe.open(isVirtual: isVirtual), try probe.open(isVirtual: isVirtual)
            )
            try first.ask("store", ["set": "a", "value": 5])
            try second.ask("store", ["get": "a"])
            #expect(try second.said("answer") == [isVirtual ? "\"null\"" : "\"5\""])
        }
    }

    @Test func `the wall clock is the timeline's own`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        try instance.ask("wallClock", [:], atTick: 5)
        try instance.run()
        #expect(try instance.said("answer") == ["\"978307200005000000\""])
        let real = try probe.open(isVirtual: false)
        probe.lab.clock = 70
        try real.ask("wallClock", [:])
        #expect(try real.said("answer") == ["\"1070\""])
    }

    @Test
    func `an effect that is given up stands in the record at that instant, an answered one not`()
        throws
    {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["http": "x", "reply": ["body": "a", "after": 50]], ["http": "y", "reply": [:]],
        ])
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.send("giveUp", nil, atTick: 20)
        try instance.ask("http", ["url": "y"], atTick: 30)
        try instance.send("giveUp", nil, atTick: 40)
        try instance.ask("http", ["url": "x"], atTick: 50)
        try instance.advance(toTick: 60)
        let lines = instance.lines.filter { !$0.contains(" input ") && !$0.contains(" output ") }
        #expect(
            lines == [
                #"10 effect http {"url":"x"}"#, #"20 cancel http {"url":"x"}"#,
                #"30 effect http {"url":"y"}"#, #"30.1 answer http {"status":200}"#,
                #"50 effect http {"url":"x"}"#,
            ])
        // The end of the instance is no news of the feature's.
        probe.host.close(instance)
        #expect(!instance.lines.contains { $0.hasPrefix("60 cancel") })
    }

    @Test func `a live effect may answer later, once, and is told when nobody waits`() throws {
        let probe = try ProbeLab()
        let provider = LateProvider()
        probe.host.register(provider, for: "http")
        let instance = try probe.open(isVirtual: false)
        try instance.ask("http", ["url": "x"])
        #expect(instance.openEffects.count == 1)
        probe.lab.clock = 8_000_000
        provider.replies[0](.json(1))
        provider.replies[0](.json(2))
        #expect(try instance.said("answer") == ["\"1\""])
        #expect(instance.lines.suffix(2) == ["8 answer http 1", "8 output answer \"1\""])
        #expect(provider.cancelled == 0)

        try instance.ask("http", ["url": "y"])
        try instance.send("giveUp", nil)
        #expect(provider.cancelled == 1)
        provider.replies[1](.json(3))
        try instance.ask("http", ["url": "z"])
        probe.host.close(instance)
        #expect(provider.cancelled == 2)
        provider.replies[2](.json(4))
        #expect(try instance.said("answer") == ["\"1\""])
    }

    @Test func `a live effect may give several answers and an end`() throws {
        let probe = try ProbeLab()
        let provider = LateProvider()
        probe.host.register(provider, for: "http")
        let instance = try probe.open(isVirtual: false)
        try instance.ask("http", ["url": "x"], many: true)
        for number in 1...3 { provider.replies[0](.part(Array("\(number)".utf8))) }
        #expect(try instance.said("answer") == ["\"1\"", "\"2\"", "\"3\""])
        #expect(instance.openEffects.count == 1)
        provider.replies[0](.completed)
        provider.replies[0](.part([0x34]))
        #expect(instance.openEffects.isEmpty && provider.cancelled == 0)
        #expect(try instance.said("answer").count == 3)
        let last = instance.lines.last { $0.contains("answer http") }
        #expect(last?.hasSuffix(" answer http completed") == true)

        try instance.ask("http", ["url": "y"], many: true)
        provider.replies[1](.part([0x31]))
        provider.replies[1](.failure(kind: "reset", message: "m"))
        #expect(try instance.said("failure") == [#"{"kind":"reset","message":"m"}"#])

        try instance.ask("http", ["url": "z"], many: true)
        provider.replies[2](.part([0x31]))
        try instance.send("giveUp", nil)
        #expect(provider.cancelled == 1)
    }

    @Test func `answers that nobody has time for are bounded, and the effect ends`() throws {
        var limits = HostLimits()
        limits.waitingAnswers = 3
        let probe = try ProbeLab(limits: limits)
        let provider = EagerProvider()
        probe.host.register(provider, for: "http")
        let instance = try probe.open(isVirtual: false)
        try instance.ask("http", ["url": "x"], many: true)
        #expect(try instance.said("answer") == ["\"0\"", "\"1\"", "\"2\""])
        #expect(try instance.said("failure").first?.contains("overrun") == true)
        #expect(provider.cancelled == 1 && instance.openEffects.isEmpty)
    }

    @Test func `a live effect is not for virtual time, and a stub comes before it`() throws {
        let probe = try ProbeLab()
        let provider = LateProvider()
        probe.host.register(provider, for: "http")
        let virtual = try probe.open()
        try virtual.ask("http", ["url": "x"])
        try virtual.run()
        #expect(try virtual.said("failure").count == 1)
        let real = try probe.open(stubs: [["http": "*", "reply": ["value": 1]]], isVirtual: false)
        try real.ask("http", ["url": "x"])
        #expect(try real.said("answer") == ["\"1\""])
        #expect(provider.replies.isEmpty)
    }
}

/// Answers when the test does.
private final class LateProvider: EffectProvider {
    var replies: [(EffectAnswer) -> Void] = []
    var cancelled = 0

    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        replies.append(reply)
        return { self.cancelled += 1 }
    }
}

/// Says more from inside `perform` than may wait.
private final class EagerProvider: EffectProvider {
    var cancelled = 0

    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        for number in 0..<10 { reply(.part(Array("\(number)".utf8))) }
        return { self.cancelled += 1 }
    }
}

/// The generator once more, as its authors wrote it down.
private enum RandomReference {
    static func draws(seed: UInt64, count: Int) -> [UInt64] {
        var state = seed
        return (0..<count).map { _ in
            state = state &+ 0x9e3779b97f4a7c15
            var z = state
            z = (z ^ (z >> 30)) &* 0xbf58476d1ce4e5b9
            z = (z ^ (z >> 27)) &* 0x94d049bb133111eb
            return (z ^ (z >> 31)) % 100 + 1
        }
    }
}

extension RandomProvider {
    fileprivate func draw(_ minimum: Int64, _ maximum: Int64) -> Int64? {
        guard case .value(let json) = answer(["min": .int(minimum), "max": .int(maximum)]) else {
            return nil
        }
        return Int64(String(decoding: json, as: UTF8.self))
    }
}

extension ProbeLab {
    /// What `body` opens, with the lab that it needs to live.
    fileprivate func keeping<Value>(_ body: (ProbeLab) throws -> Value) rethrows -> (
        ProbeLab, Value
    ) {
        (self, try body(self))
    }
}
