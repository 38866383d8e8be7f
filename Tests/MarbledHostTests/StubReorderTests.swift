// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

/// Answers that come in another order than they were asked for.
@Suite struct StubReorderTests {
    private func open(_ probe: ProbeLab, _ reorder: JSONValue, seed: UInt64 = 1) throws -> Instance
    {
        let reply: JSONValue = [
            ["value": 1, "after": 5], ["value": 2, "after": 5], ["value": 3, "after": 5],
            ["value": 4, "after": 5],
        ]
        return try probe.open(
            stubs: [["feed": true, "reply": reply, "reorder": reorder]], seed: seed)
    }

    private func answers(_ instance: Instance) -> [String] {
        instance.lines.filter { $0.contains(" answer ") && !$0.contains(" output ") }
    }

    @Test func `of two requests the answers swap`() throws {
        let probe = try ProbeLab()
        let instance = try open(probe, 2)
        for tick in [0, 2, 20, 30] { try instance.keepAsking(atTick: tick) }
        try instance.run()
        // The first two wait for nobody: both come at the times that the rule gives.
        #expect(
            answers(instance) == [
                "5 answer feed 2", "7 answer feed 1", "30.1 answer feed 4", "35 answer feed 3",
            ])
    }

    @Test func `a greater window comes in an order of the seed's, never in its own`() throws {
        func order(_ seed: UInt64) throws -> [String] {
            let probe = try ProbeLab()
            let instance = try open(probe, 4, seed: seed)
            for _ in 0..<4 { try instance.keepAsking(atTick: 10) }
            try instance.run()
            return answers(instance).map { String($0.suffix(1)) }
        }
        let orders = try (0..<20).map { try order(UInt64($0)) }
        #expect(orders.allSatisfy { $0.sorted() == ["1", "2", "3", "4"] && $0 != $0.sorted() })
        #expect(Set(orders).count > 5)
        #expect(try order(3) == orders[3])
    }

    @Test func `a window that does not fill waits, or is answered when its time is over`() throws {
        let probe = try ProbeLab()
        let endless = try open(probe, 2)
        try endless.keepAsking(atTick: 10)
        #expect(try endless.run().isIdle)
        #expect(endless.openEffects.count == 1 && answers(endless).isEmpty)
        // Other rules give out what waits.
        endless.setStubs([])
        try endless.run()
        #expect(answers(endless).isEmpty == false && endless.openEffects.isEmpty)

        let bounded = try open(probe, ["window": 3, "within": 20])
        for tick in [10, 12, 40] { try bounded.keepAsking(atTick: tick) }
        try bounded.run()
        #expect(
            answers(bounded) == ["30.1 answer feed 2", "30.1 answer feed 1", "60.1 answer feed 3"])
    }

    @Test func `what is given up counts in its window and leaves no timer behind`() throws {
        let probe = try ProbeLab()
        let instance = try open(probe, ["window": 2, "within": 50])
        try instance.ask("feed", [:], atTick: 10)
        try instance.send("giveUp", nil, atTick: 12)
        try instance.advance(toTick: 12)
        #expect(instance.clock.pendingCount == 0)
        try instance.ask("feed", [:], atTick: 20)
        try instance.run()
        #expect(answers(instance).count == 1)
    }

    @Test(
        arguments: [
            (1, "/reorder", "a number of requests from 2 to 100"),
            (["window": 101], "/reorder/window", "a number of requests from 2 to 100"),
            (["within": 5], "/reorder/window", "a number of requests from 2 to 100"),
            (["window": 2, "within": -1], "/reorder/within", "zero or more"),
            (
                ["windw": 2], "/reorder/windw", "one of window, within; did you mean window?"
            ),
        ] as [(JSONValue, String, String)])
    func `an order that cannot be read says where`(
        _ reorder: JSONValue, _ pointer: String, _ expected: String
    ) {
        #expect(throws: HostError.badValue(pointer: "/stubs/0" + pointer, expected: expected)) {
            _ = try Stub.read(["feed": true, "reply": ["value": 1], "reorder": reorder])
        }
    }

    @Test func `an order stands not beside release, and is not mistyped`() {
        #expect(
            throws: HostError.badValue(
                pointer: "/stubs/0/reorder", expected: "allowed beside \"release\"")
        ) {
            _ = try Stub.read([
                "feed": true, "reply": ["value": 1, "release": "x"], "reorder": 2,
            ])
        }
        #expect(
            throws: HostError.badValue(
                pointer: "/stubs/0/reoder", expected: "one of reply, reorder; did you mean reorder?"
            )
        ) {
            _ = try Stub.read(["feed": true, "reply": ["value": 1], "reoder": 2])
        }
    }
}
