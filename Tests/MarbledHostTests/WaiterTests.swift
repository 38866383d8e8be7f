// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Testing

@Suite struct WaiterTests {
    /// Feeds a waiter `a`, `b`, … one per character, `|` for a completion, `#` for an error.
    private func feed(
        _ marbles: String, _ until: Waiter.Until, limit: Int = 100_000
    ) -> (values: [String], ending: Waiter.Ending?, times: Int) {
        var times = 0
        let waiter = Waiter(until: until, limit: limit) { _ in times += 1 }
        for (at, marble) in marbles.enumerated() {
            Array("\(marble)".utf8).withUnsafeBytes { bytes in
                let nothing = UnsafeRawBufferPointer(rebasing: bytes[..<0])
                switch marble {
                case "|": waiter.take(.completed, at: Int64(at), nothing)
                case "#": waiter.take(.error, at: Int64(at), bytes)
                default: waiter.take(.next, at: Int64(at), bytes)
                }
            }
        }
        return (
            waiter.values.map { String(decoding: $0.value, as: UTF8.self) }, waiter.ending, times
        )
    }

    @Test(
        arguments: [
            ("abc|", .first, "a", .satisfied),
            ("|", .first, "", .completed),
            ("#", .first, "", .error([UInt8(ascii: "#")])),
            ("", .first, "", nil),
            ("abc|", .last, "c", .completed),
            ("ab#", .last, "b", .error([UInt8(ascii: "#")])),
            ("ab", .last, "b", nil),
            ("abc|", .all, "abc", .completed),
            ("ab#c", .all, "ab", .error([UInt8(ascii: "#")])),
            ("a|", .single, "a", .completed),
            ("ab|", .single, "ab", .moreThanOne),
            ("|", .single, "", .completed),
            ("abc|", .count(2), "ab", .satisfied),
            ("a|", .count(2), "a", .completed),
            ("abc", .count(5), "abc", nil),
        ] as [(String, Waiter.Until, String, Waiter.Ending?)])
    func `each way of waiting ends where it should, with what came`(
        _ marbles: String, _ until: Waiter.Until, _ values: String, _ ending: Waiter.Ending?
    ) {
        let waited = feed(marbles, until)
        #expect(waited.values == values.map(String.init))
        #expect(waited.ending == ending)
        #expect(waited.times == (ending == nil ? 0 : 1))
    }

    @Test func `at its limit a wait for all ends with what it has`() {
        #expect(feed("abcdef", .all, limit: 3).values == ["a", "b", "c"])
        #expect(feed("abcdef", .all, limit: 3).ending == .satisfied)
        #expect(feed("abcdef|", .last, limit: 3).values == ["f"])
    }

    @Test func `an ending is told once and keeps what came`() {
        var endings = 0
        let waiter = Waiter(until: .all) { _ in endings += 1 }
        [UInt8(ascii: "1")].withUnsafeBytes { waiter.take(.next, at: 5, $0) }
        waiter.end(.timeout)
        waiter.end(.closed("x"))
        [UInt8(ascii: "2")].withUnsafeBytes { waiter.take(.next, at: 6, $0) }
        #expect(endings == 1 && waiter.ending == .timeout)
        #expect(waiter.values.map(\.at) == [5])
    }

    @Test func `on an instance it hears the output and the end of the instance`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        let output = try instance.feature.outputNumber("said")
        let all = Waiter(until: .all) { _ in }
        let first = Waiter(until: .first) { waiter in instance.unsubscribe(waiter, from: output) }
        instance.subscribe(first, to: output)
        instance.subscribe(all, to: output)
        try instance.send("say", "a", atTick: 3)
        try instance.send("say", "b", atTick: 4)
        try instance.send("finish", nil, atTick: 5)
        try instance.run()
        #expect(first.values.map(\.at) == [3_000_000] && first.ending == .satisfied)
        #expect(all.values.map(\.at) == [3_000_000, 4_000_000] && all.ending == .completed)
        #expect(instance.subscriberCount(output) == 1)

        let state = Waiter(until: .last) { _ in }
        instance.subscribe(state, to: try instance.feature.outputNumber("state"))
        probe.host.close(instance)
        #expect(state.ending == .closed("the instance was closed"))
    }
}
