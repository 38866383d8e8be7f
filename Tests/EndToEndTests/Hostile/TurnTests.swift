// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledDaemon
import TestSupport
import Testing

/// Who comes when: the daemon is given its turns by the test.
@Suite("Turns")
struct TurnTests {
    /// A client's end of a connection to a daemon on this thread.
    private final class End {
        private let descriptor: CInt
        /// What has come and was not taken.
        private var received: [UInt8] = []

        init(_ daemon: ConfinedDaemon) throws { descriptor = try daemon.connect() }

        deinit { close(descriptor) }

        func send(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        }

        /// How many lines have come since it was asked last.
        func linesThatCame() -> Int {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &chunk, chunk.count, CInt(MSG_DONTWAIT))
            received += chunk.prefix(max(0, count))
            return chunk.prefix(max(0, count)).count { $0 == 0x0A }
        }

        /// Gives the daemon turns until a line is there, and takes it; nil after very many.
        func line(_ daemon: ConfinedDaemon) throws -> JSONValue? {
            for _ in 0..<100_000 {
                if let end = received.firstIndex(of: 0x0A) {
                    defer { received.removeSubrange(...end) }
                    return try JSONValue(parsing: String(decoding: received[..<end], as: UTF8.self))
                }
                daemon.turn()
                _ = linesThatCame()
            }
            return nil
        }
    }

    private func call(_ method: String, _ params: JSONValue, id: Int = 1) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params.text)}"# + "\n"
    }

    /// Very short scenarios, in one text.
    private func scenarios(_ count: Int) -> JSONValue {
        let one = "scenario: s\nfeature: find-number\nexpect: {}\nuntil: 0\n"
        return [
            "scenario": .string([String](repeating: one, count: count).joined(separator: "---\n"))
        ]
    }

    @Test func `who runs very many scenarios in one call lets the others have their turns`() throws
    {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path], limits: ["sliceNanoseconds": 1])
        defer { daemon.close() }
        let greedy = try End(daemon)
        greedy.send(call("scenario.run", scenarios(50)))
        greedy.send(call("daemon.ping", [:], id: 2))
        #expect(try greedy.line(daemon)?["id"] == 2)
        let report = try greedy.line(daemon)
        #expect(report?["id"] == 1 && report?["result"]?["passed"] == true)
        #expect(report?["result"]?["reports"]?.array?.count == 50)
    }

    @Test func `very many scenarios that end where they start need one stack frame`() throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        // Long enough for all of them.
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path], limits: ["sliceNanoseconds": 1 << 60])
        defer { daemon.close() }
        let client = try End(daemon)
        client.send(call("scenario.run", scenarios(3_000)))
        #expect(try client.line(daemon)?["result"]?["reports"]?.array?.count == 3_000)
    }

    @Test func `a call that is taken back runs none of the scenarios that are left`() throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path], limits: ["sliceNanoseconds": 1])
        defer { daemon.close() }
        let client = try End(daemon)
        client.send(call("scenario.run", scenarios(50)))
        client.send(call("rpc.cancel", ["id": 1], id: 2))
        let answers = try [client.line(daemon), client.line(daemon)]
        #expect(answers.first { $0?["id"] == 1 }??["error"]?["data"]?["kind"] == "cancelled")
        client.send(call("instance.list", [:], id: 3))
        #expect(try client.line(daemon)?["result"]?["instances"]?.array?.isEmpty == true)
    }

    @Test(arguments: ["record.text", "instance.record"])
    func `a long record is written in many turns, as it was when it was asked for`(
        _ method: String
    ) throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path], limits: ["sliceNanoseconds": 1])
        defer { daemon.close() }
        let client = try End(daemon)
        client.send(
            call("instance.open", ["feature": "find-number", "clock": "virtual", "name": "one"]))
        #expect(try client.line(daemon)?["result"] != nil)
        let order: JSONValue = ["instance": "one", "input": "checkNumber", "value": 50]
        for _ in 0..<1_000 {
            client.send(call("instance.send", order))
            #expect(try client.line(daemon)?["result"] != nil)
        }
        client.send(call("instance.record", ["instance": "one"]))
        let before = try client.line(daemon)?["result"]?["events"]?.array?.count ?? 0
        #expect(before > 1_000)
        // Asked for, and then it goes on.
        client.send(call(method, ["instance": "one"], id: 2))
        client.send(call("instance.send", order, id: 3))
        #expect(try client.line(daemon)?["id"] == 3)
        let answer = try client.line(daemon)
        #expect(answer?["id"] == 2)
        let result = answer?["result"]
        #expect((result?["facts"]?.int).map(Int.init) ?? result?["events"]?.array?.count == before)
        // And it can be taken back.
        client.send(call(method, ["instance": "one"], id: 4))
        client.send(call("rpc.cancel", ["id": 4], id: 5))
        let answers = try [client.line(daemon), client.line(daemon)]
        let taken = answers.first { $0?["id"] == 4 } ?? nil
        #expect(taken?["error"]?["data"]?["kind"] == "cancelled")
    }

    @Test func `parts of records are bounded for all connections together`() throws {
        let daemon = try ConfinedDaemon(pluginPath: [], limits: ["replayPartBytes": 100])
        defer { daemon.close() }
        let part: JSONValue = ["record": .string(String(repeating: "#", count: 60)), "more": true]
        func send(_ client: End) throws -> JSONValue? {
            client.send(call("record.replay", part))
            return try client.line(daemon)
        }
        let second = try End(daemon)
        do {
            let first = try End(daemon)
            #expect(try send(first)?["result"] != nil)
            #expect(try send(second)?["error"]?["data"]?["kind"] == "limit")
            // What it has goes when it is refused more.
            #expect(try send(first)?["error"]?["data"]?["kind"] == "limit")
            #expect(try send(second)?["result"] != nil)
            #expect(try send(first)?["error"]?["data"]?["kind"] == "limit")
            second.send(call("record.replay", ["record": "#"]))
            #expect(try second.line(daemon)?["error"]?["data"]?["kind"] == "badValue")
            #expect(try send(first)?["result"] != nil)
        }
        // And when its connection does.
        for _ in 0..<10 { daemon.turn() }
        #expect(try send(second)?["result"] != nil)
    }

    @Test func `a misspelt instance is told the nearest of those opened last`() throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(pluginPath: [plugins.path])
        defer { daemon.close() }
        let client = try End(daemon)
        func open(_ name: String) throws {
            client.send(
                call(
                    "instance.open",
                    ["feature": "find-number", "clock": "virtual", "name": .string(name)]))
            #expect(try client.line(daemon)?["result"] != nil)
        }
        func suggestion(_ name: String) throws -> String? {
            client.send(call("instance.inspect", ["instance": .string(name)]))
            return try client.line(daemon)?["error"]?["data"]?["suggestion"]?.string
        }
        try open("a-first")
        #expect(try suggestion("a-frst") == "a-first")
        for number in 0..<200 { try open("another.\(number)") }
        #expect(try suggestion("a-frst") == nil)
        #expect(try suggestion("anoter.199") == "another.199")
    }

    @Test(arguments: [1, 3])
    func `a connection has its messages in a turn, then the others have theirs`(_ each: Int) throws
    {
        let daemon = try ConfinedDaemon(pluginPath: [], limits: ["messagesPerTurn": each])
        defer { daemon.close() }
        let greedy = try End(daemon)
        let modest = try End(daemon)
        let ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"daemon.ping\"}\n"
        greedy.send(String(repeating: ping, count: 30))
        modest.send(ping)
        var answered = 0
        var turns = 0
        var before: Int?
        while answered < 30, turns < 1_000 {
            daemon.turn()
            turns += 1
            let lines = greedy.linesThatCame()
            // What is put off to the next turn may have that one within the same.
            #expect(lines <= 2 * each)
            answered += lines
            if modest.linesThatCame() == 1 { before = answered }
        }
        #expect(answered == 30)
        // It was not behind what the other one had sent before it.
        #expect(try #require(before) <= 2 * each)
    }
}
