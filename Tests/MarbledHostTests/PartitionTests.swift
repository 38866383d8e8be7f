// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

/// Hosts that cannot be reached for a while.
@Suite struct PartitionTests {
    private static let reply: JSONValue = ["http": "*", "reply": ["value": 1, "after": 5]]
    private static let request: JSONValue = ["url": "http://api.example/x"]

    private func open(_ probe: ProbeLab, _ partition: JSONValue) throws -> Instance {
        // Partitions come first, wherever they stand.
        try probe.open(stubs: [Self.reply, partition])
    }

    private func answers(_ instance: Instance) -> [String] {
        instance.lines.filter { $0.contains(" answer ") && !$0.contains(" output ") }
    }

    @Test func `from its beginning until it heals requests are refused`() throws {
        let probe = try ProbeLab()
        let instance = try open(
            probe, ["partition": "*.example", "from": 10, "heal": 30])
        for tick in [9, 10, 29, 30] { try instance.keepAsking("http", Self.request, atTick: tick) }
        try instance.run()
        let refusal =
            #"error {"kind":"refused","message":"a stub keeps the network from *.example"}"#
        #expect(
            answers(instance) == [
                "10.1 answer http \(refusal)", "14 answer http 1", "29.1 answer http \(refusal)",
                "35 answer http 1",
            ])
        #expect(instance.stubs.unused.isEmpty)
        #expect(instance.stubs.calls.map(\.stub) == [0, 1, 1, 0])
    }

    @Test func `who waits is asked again when it heals, in order, and answered from then on`()
        throws
    {
        let probe = try ProbeLab()
        let instance = try open(
            probe, ["partition": "*", "with": "never", "heal": 30])
        for tick in [10, 20] { try instance.keepAsking("http", Self.request, atTick: tick) }
        try instance.advance(toTick: 29)
        #expect(answers(instance).isEmpty && instance.openEffects.count == 2)
        try instance.run()
        #expect(answers(instance) == ["35 answer http 1", "35 answer http 1"])
        // Each request was noted once, with the rule that answered at last.
        #expect(instance.stubs.calls.map(\.stub) == [0, 0] && instance.stubs.uses == [2, 2])
    }

    @Test func `who waits may be reset when it heals`() throws {
        let probe = try ProbeLab()
        let instance = try open(
            probe, ["partition": "*", "with": "never", "heal": 30, "waiting": "reset"])
        try instance.keepAsking("http", Self.request, atTick: 10)
        try instance.run()
        #expect(answers(instance).count == 1)
        #expect(answers(instance)[0].hasPrefix(#"30.1 answer http error {"kind":"reset""#))
    }

    @Test func `by hand it heals by its name, and only once`() throws {
        let probe = try ProbeLab()
        let instance = try open(
            probe, ["partition": "*", "with": "never", "name": "cable"])
        #expect(instance.heldNames == ["cable"])
        try instance.keepAsking("http", Self.request, atTick: 10)
        try instance.advance(toTick: 50)
        #expect(instance.release("cabel") == 0)
        #expect(instance.release("cable") == 1)
        #expect(instance.release("cable") == 0 && instance.heldNames.isEmpty)
        try instance.run()
        #expect(answers(instance) == ["55 answer http 1"])
        try instance.keepAsking("http", Self.request, atTick: 60)
        try instance.run()
        #expect(answers(instance).count == 2)
    }

    @Test func `its name is its pattern where it has none`() throws {
        let probe = try ProbeLab()
        let instance = try open(probe, ["partition": "api.*", "from": 100, "heal": 200])
        #expect(instance.heldNames == ["api.*"])
        try instance.advance(toTick: 200)
        #expect(instance.heldNames.isEmpty && instance.release("api.*") == 0)
    }

    @Test func `what waits and is given up waits no more`() throws {
        let probe = try ProbeLab()
        let instance = try open(probe, ["partition": "*", "with": "never", "heal": 30])
        try instance.ask("http", Self.request, atTick: 10)
        try instance.advance(toTick: 10)
        #expect(instance.clock.pendingCount == 1)
        try instance.send("giveUp", nil)
        #expect(instance.clock.pendingCount == 0)
        try instance.run()
        #expect(answers(instance).isEmpty)
    }

    @Test func `other rules ask again what a partition cut off`() throws {
        let probe = try ProbeLab()
        let instance = try open(probe, ["partition": "*", "with": "never", "heal": 100])
        try instance.keepAsking("http", Self.request, atTick: 10)
        try instance.advance(toTick: 20)
        instance.setStubs([try .read(["http": "*", "reply": ["value": 2]])])
        #expect(answers(instance) == ["20 answer http 2"])
        #expect(instance.clock.pendingCount == 0)
    }

    @Test func `who is let through and finds no rule is told so`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["partition": "*", "with": "never", "heal": 30]
        ])
        try instance.keepAsking("http", Self.request, atTick: 10)
        try instance.run()
        #expect(answers(instance)[0].hasPrefix(#"30.1 answer http error {"kind":"unavailable""#))
        #expect(instance.stubs.calls.map(\.stub) == [nil])
    }

    @Test func `a live effect is asked when the network healed`() throws {
        let probe = try ProbeLab()
        let echo = EchoProvider()
        probe.host.register(echo, for: "http")
        let instance = try probe.open(
            stubs: [["partition": "*", "with": "never", "name": "cable"]], isVirtual: false)
        try instance.keepAsking("http", Self.request)
        #expect(echo.asked == 0)
        instance.release("cable")
        #expect(echo.asked == 1 && answers(instance).count == 1)
    }

    @Test(arguments: [
        ("*", "http://h/", true), ("h", "http://h/", true), ("h", "https://H:8080/x", true),
        ("h:8080", "https://h:8080/x", true), ("h:80", "https://h:8080/x", false),
        ("h", "http://user:word@h?q", true), ("*.h", "http://a.h/", true),
        ("*.h", "http://b/a.h", false), ("[::1]", "http://[::1]/", true),
        ("[::1]:80", "http://[::1]:80/", true), ("H", "http://h", true), ("*", "no url", false),
        ("*", "", false),
    ])
    func `a pattern is one of hosts`(_ pattern: String, _ url: String, _ cuts: Bool) throws {
        var book = StubBook()
        book.replace(with: [try .read(["partition": .string(pattern)])])
        let answering = book.answering("http", ["url": .string(url)], at: 0)
        #expect((answering != nil) == cuts)
        #expect(book.answering("feed", ["url": .string(url)], at: 0) == nil)
    }

    @Test(
        arguments: [
            (["partition": 1], "/partition", "a pattern for a host, such as *.example"),
            (["partition": "http://h"], "/partition", "a pattern for a host, such as *.example"),
            (
                ["partition": "*", "with": "nevr"], "/with",
                "one of refused, never; did you mean never?"
            ),
            (["partition": "*", "with": 1], "/with", "one of refused, never"),
            (
                ["partition": "*", "waiting": "reset"], "/waiting",
                "allowed: only with \"never\" does a request wait"
            ),
            (
                ["partition": "*", "with": "never", "waiting": "x"], "/waiting",
                "one of answered, reset"
            ),
            (["partition": "*", "from": -1], "/from", "zero or more"),
            (["partition": "*", "from": 5, "heal": 5], "/heal", "later than it begins"),
            (["partition": "*", "name": ""], "/name", "a name"),
            (
                ["partition": "*", "heel": 5], "/heel",
                "one of partition, with, from, heal, waiting, name; did you mean heal?"
            ),
            (["partitoin": true], "/reply", "there: what to answer; did you mean partition?"),
        ] as [(JSONValue, String, String)])
    func `a partition that cannot be read says where`(
        _ rule: JSONValue, _ pointer: String, _ expected: String
    ) {
        #expect(throws: HostError.badValue(pointer: "/stubs/0" + pointer, expected: expected)) {
            _ = try Stub.read(rule)
        }
    }
}

/// Answers at once.
private final class EchoProvider: EffectProvider {
    var asked = 0

    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        asked += 1
        reply(.json(request))
        return nil
    }
}
