// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import TestSupport
import Testing

@Suite struct SendTests {
    @Test(arguments: [true, false])
    func `an arrival of now runs with all that it causes before send returns`(_ isVirtual: Bool)
        throws
    {
        let probe = try ProbeLab()
        let instance = try probe.open(isVirtual: isVirtual)
        try instance.ask("store", ["get": "a"])
        #expect(
            instance.lines == [
                "0 output state 0",
                "0 input ask {\"effect\":\"store\",\"request\":{\"get\":\"a\"}}",
                "0 effect store {\"get\":\"a\"}", "0.1 answer store null",
                "0.1 output answer \"null\"",
            ])
        #expect(instance.clock.pendingCount == 0)
    }

    @Test func `an arrival of now and a queued one give the same record`() throws {
        func play(_ send: (Instance, String, JSONValue, Int) throws -> Void) throws -> [String] {
            let probe = try ProbeLab()
            let instance = try probe.open(stubs: [
                ["http": "*", "reply": ["value": 1, "after": 3]]
            ])
            for (tick, value) in [(10, 1), (20, 2), (20, 3), (31, 4)] {
                try send(instance, "set", .int(Int64(value)), tick)
                try send(instance, "wait", 5, tick)
                try send(instance, "ask", ["effect": "http", "request": ["url": "x"]], tick)
            }
            try instance.run()
            return instance.lines
        }
        let queued = try play { try $0.send($1, $2, atTick: $3) }
        let driven = try play { instance, input, value, tick in
            try instance.run(.before(Instant(nanoseconds: Int64(tick) * 1_000_000)))
            try instance.send(input, value)
        }
        // They differ in how often an instant was driven, and so in the numbers of its microsteps.
        func withoutSteps(_ lines: [String]) -> [String] {
            lines.map { line in
                let (time, rest) = (line.prefix { $0 != " " }, line.drop { $0 != " " })
                return String(time.prefix { $0 != "." } + rest)
            }
        }
        #expect(withoutSteps(queued) == withoutSteps(driven))
        #expect(queued.filter { $0.hasPrefix("20 input") }.count == 6)
    }

    @Test func `of arrivals of one instant the first sent is the first to arrive`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        for value in 1...3 { try instance.send("set", .int(Int64(value)), atTick: 10) }
        try instance.send("set", 0, atTick: 5)
        try instance.run()
        #expect(try instance.said("state") == ["0", "0", "1", "2", "3"])
    }

    @Test func `values for later are bounded by their bytes, until their time comes`() throws {
        var limits = HostLimits()
        limits.pendingBytes = 10
        let probe = try ProbeLab(limits: limits)
        let instance = try probe.open()
        try instance.send("say", "abcd", atTick: 5)
        try instance.send("set", 1, atTick: 6)
        #expect(
            throws: HostError.limit(
                "7 bytes of values wait on \"i1\" already, and at most 10 do; let its clock come to "
                    + "them first")
        ) { try instance.send("set", 1234, atTick: 7) }
        #expect(probe.host.strikes == ["pendingBytes": 1])
        // What does not wait is not counted.
        try instance.send("say", "a long sentence")
        try instance.advance(toTick: 5)
        try instance.send("say", "abcdefg", atTick: 7)
        try instance.run()
        #expect(try instance.said("said") == ["\"a long sentence\"", "\"abcd\"", "\"abcdefg\""])
    }

    @Test func `a time in the past means now`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        try instance.advance(toTick: 50)
        try instance.send("set", 1, atTick: 10)
        #expect(instance.lines.suffix(2) == ["50 input set 1", "50 output state 1"])
        #expect(instance.clock.now == Instant(nanoseconds: 50_000_000))
        try instance.send(
            instance.feature.inputNumber("set"), copying: [UInt8(ascii: "2")],
            at: Instant(nanoseconds: -5))
        #expect(try instance.stateText("state") == "2")
    }

    @Test func `what is due at this instant already goes first`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        try instance.send("set", 1, atTick: 10)
        try instance.run(.before(Instant(nanoseconds: 10_000_000)))
        try instance.send("set", 2)
        #expect(try instance.said("state") == ["0", "1", "2"])
    }

    @Test func `an unknown port is told with those there are`() throws {
        let instance = try ProbeLab().hold { try $0.open() }
        #expect(
            throws: HostError.unknownPort(
                "sat", direction: "input",
                known: ["ask", "giveUp", "wait", "say", "set", "fail", "finish"])
        ) { try instance.value.send("sat", 1) }
        #expect(throws: HostError.self) { _ = try instance.value.feature.outputNumber("sat") }
    }

    @Test(arguments: [true, false])
    func `a value the plugin refuses has not happened`(_ isVirtual: Bool) throws {
        let lab = Lab().add(try Products.badPlugin())
        let instance = try lab.open("misbehaving", isVirtual: isVirtual)
        let before = instance.lines
        #expect(
            throws: HostError.badValue(
                pointer: "/value", expected: "what the feature takes: not this value")
        ) { try instance.send("poke", "refuse") }
        #expect(
            throws: HostError.badValue(
                pointer: "/value",
                expected: "what the feature takes: the plugin refused the value and said nothing")
        ) { try instance.send("poke", "refuseSilently") }
        #expect(instance.lines == before)
        #expect(instance.life == .open)
    }

    @Test func `a value refused in its turn is told to who sent it, or to the log`() throws {
        let lab = Lab().add(try Products.badPlugin())
        let instance = try lab.open("misbehaving")
        var refusals: [String] = []
        try instance.send(
            0, copying: Array("\"refuse\"".utf8), at: Instant(nanoseconds: 5)
        ) { refusals.append($0) }
        try instance.run()
        #expect(refusals == ["not this value"] && lab.log.isEmpty)
        try instance.send("poke", "refuse", atTick: 9)
        try instance.run()
        #expect(lab.log.map(\.line) == ["instance i1 refused a value for poke: not this value"])
    }

    @Test func `a value that has to wait its turn at this instant is refused to its sender`() throws
    {
        let lab = Lab().add(try Products.badPlugin())
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "x", atTick: 10)
        try instance.run(.before(Instant(nanoseconds: 10_000_000)))
        #expect(throws: HostError.self) { try instance.send("poke", "refuse") }
        #expect(try instance.stateText("state") == "1")
        #expect(lab.log.isEmpty)
    }

    @Test func `a send from inside the instance's own work waits for its turn`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        let output = try instance.feature.outputNumber("said")
        let listener = Listener(onSaid: { _ in try? instance.send("set", 7) })
        instance.subscribe(listener, to: output)
        try instance.send("say", "now")
        #expect(
            instance.lines.suffix(4) == [
                "0 input say \"now\"", "0 output said \"now\"", "0.1 input set 7",
                "0.1 output state 7",
            ])
        instance.unsubscribe(listener, from: output)
    }

    @Test func `at the limit of waiting items a send is refused and the instance goes on`() throws {
        var limits = HostLimits()
        limits.pendingWork = 2
        let probe = try ProbeLab(limits: limits)
        let instance = try probe.open()
        try instance.send("set", 1, atTick: 1)
        try instance.send("set", 2, atTick: 2)
        #expect(throws: HostError.limit("2 items wait on \"i1\" already")) {
            try instance.send("set", 3, atTick: 3)
        }
        try instance.run()
        #expect(try instance.stateText("state") == "2")
    }

    @Test func `in real time an instance follows the clock`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(isVirtual: false)
        guard case .real(let scheduler) = instance.clock else {
            Issue.record("the clock is not real")
            return
        }
        probe.lab.clock = 3_000_000
        try instance.send("wait", 5)
        #expect(scheduler.nextDue == Instant(nanoseconds: 8_000_000))
        probe.lab.clock = 7_999_999
        #expect(scheduler.runDue() == 0)
        probe.lab.clock = 9_000_000
        #expect(scheduler.runDue() > 0)
        #expect(instance.lines.last == "9 output fired 5")
        #expect(throws: HostError.clockIsReal("i1")) { try instance.run() }
    }
}

/// Something with what keeps it alive.
struct Held<Owner, Value> {
    let owner: Owner
    let value: Value
}

extension ProbeLab {
    func hold<Value>(_ body: (ProbeLab) throws -> Value) rethrows -> Held<ProbeLab, Value> {
        Held(owner: self, value: try body(self))
    }
}
