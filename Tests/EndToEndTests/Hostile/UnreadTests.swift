// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// Clients that do not read what they are sent. Each limit that strikes one says so to it, what is kept for it
/// is bounded, and its neighbours notice nothing.
@Suite("Clients that do not read")
struct UnreadTests {
    /// 50 KB of answer.
    private static let discover = #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#
    private static let ping =
        Array(#"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#.utf8) + [0x0A]

    /// Everything that a client has left unread, to the end that the daemon makes.
    private func rest(_ client: WireClient) throws -> [JSONValue] {
        var messages: [JSONValue] = []
        while let line = try client.line() { messages.append(try JSONValue(parsing: line)) }
        return messages
    }

    private func expectTold(
        _ messages: [JSONValue], _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let closed = messages.dropLast().last
        #expect(closed?["method"] == "stream.closed", sourceLocation: sourceLocation)
        #expect(
            closed?["params"]?["reason"]?.string?.contains(reason) == true,
            "\(closed?.text ?? "")", sourceLocation: sourceLocation)
        let error = messages.last?["error"]
        #expect(error?["data"]?["kind"] == "limit", sourceLocation: sourceLocation)
        #expect(
            error?["message"]?.string?.contains(reason) == true, "\(error?.text ?? "")",
            sourceLocation: sourceLocation)
    }

    @Test func `who asks and does not read is told why and closed, and what it left is bounded`()
        throws
    {
        let file = try ConfigurationFile(
            "limits: {softUnsentBytes: 100000, hardUnsentBytes: 100000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        let sender = neighbours.sender
        _ = try sender.call(
            "instance.open", ["feature": "find-number", "clock": "real", "name": "live"])
        let client = try daemon.connect()
        _ = try client.call("stream.subscribe", ["instance": "neighbour", "output": "error"])
        client.send(
            line: """
                {"jsonrpc":"2.0","id":"w","method":"instance.await","params":\
                {"instance":"live","output":"round","until":{"count":2},"timeout":"1h"}}
                """)
        for _ in 1...100 { client.send(line: Self.discover) }
        // One call's answer above the bound, and no further: the others wait, unanswered.
        try neighbours.beat(until: {
            (try neighbours.newestClient()["unsentBytes"]?.int ?? 0) > 100_000
        })
        try neighbours.beat(100)
        #expect((try neighbours.newestClient()["unsentBytes"]?.int ?? .max) < 400_000)
        #expect(try neighbours.strikes("hardUnsentBytes") == 0)
        // What it waits for comes, and is one thing too many.
        _ = try sender.call(
            "instance.send", ["instance": "live", "input": "checkNumber", "value": 1])
        try neighbours.beat(until: { try neighbours.strikes("hardUnsentBytes") > 0 })
        let messages = try rest(client)
        expectTold(messages, "bytes unread, and the limit is 100000")
        #expect(messages.filter { $0["result"]?["openrpc"] != nil }.count < 20)
        #expect(daemon.log.contains("is closed: it left"))
        #expect(try neighbours.strikes("hardUnsentBytes") == 1)
        #expect(try neighbours.status()["connections"] == 2)
    }

    @Test func `who stops reading for too long is told why and closed`() throws {
        let file = try ConfigurationFile(
            "limits: {softUnsentBytes: 10000, softUnsentNanoseconds: 1}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        _ = try client.call("stream.subscribe", ["instance": "neighbour", "output": "error"])
        for _ in 1...20 { client.send(line: Self.discover) }
        try neighbours.beat(until: { try neighbours.strikes("softUnsentNanoseconds") > 0 })
        expectTold(try rest(client), "more than 10000 bytes unread for too long")
        try neighbours.beat()
    }

    @Test func `an answer longer than every bound reaches who reads it`() throws {
        let file = try ConfigurationFile(
            "limits: {softUnsentBytes: 10000, hardUnsentBytes: 20000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open", ["feature": "find-number", "clock": "virtual", "name": "game"])
        for _ in 0..<2_000 {
            client.send(
                line:
                    #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"game","input":"resetStage"}}"#
            )
        }
        let record = try client.call("instance.record", ["instance": "game"])
        #expect(record["events"]?.array?.count ?? 0 > 8_000)
        #expect(try client.call("daemon.ping") == [:])
        #expect(try client.call("daemon.status")["limits"]?["hardUnsentBytes"] == nil)
    }

    @Test func `a subscriber that stops reading costs the others no event`() throws {
        let file = try ConfigurationFile("limits: {softUnsentBytes: 200000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        let stalled = try daemon.connect()
        let slow = try daemon.connect()
        for client in [stalled, slow] {
            for output in ["*", "round", "currentRecord"] {
                _ = try client.call(
                    "stream.subscribe", ["instance": "neighbour", "output": .string(output)])
            }
        }
        for _ in 0..<3_000 {
            try neighbours.beat()
            slow.readByte()
        }
        #expect(try neighbours.growth() < 32 << 20)
        #expect((try neighbours.newestClient()["unsentBytes"]?.int ?? .max) < 200_000)
        let end = try neighbours.sender.call("instance.record", ["instance": "neighbour"])
        // Both hear how it is now, whatever they left out.
        for client in [stalled, slow] {
            client.send(line: #"{"jsonrpc":"2.0","id":"end","method":"stream.flush"}"#)
            var newest: [String: JSONValue] = [:]
            while true {
                let message = try client.message()
                if message["id"] == "end" { break }
                if let params = message["params"], params["output"] == "round" {
                    newest[params["subscription"]?.string ?? ""] = params["cursor"]
                }
            }
            let last = end["events"]?.array?.lastIndex { $0["port"] == "round" } ?? 0
            #expect(newest.count == 2)
            for cursor in newest.values {
                #expect(cursor.string?.hasSuffix(":\(last + 1)") == true, "\(cursor.text)")
            }
        }
        #expect(try neighbours.status()["counters"]?["lostEvents"] == 0)
    }

    @Test func `all that is held back for one client is bounded, and what gave way is told`() throws
    {
        let file = try ConfigurationFile(
            "limits: {softUnsentBytes: 10000, hardUnsentBytes: 1000000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        _ = try neighbours.sender.call(
            "instance.open",
            [
                "feature": "find-number", "clock": "virtual", "name": "speaker",
                "options": ["source": "http"],
                "stubs": [["http": "*", "reply": ["fail": "refused"]]],
            ])
        let client = try daemon.connect()
        let subscriptions = 1_000
        for _ in 1...subscriptions {
            _ = try client.call("stream.subscribe", ["instance": "speaker", "output": "error"])
        }
        // It does not read this, and so is held back from now on.
        for _ in 1...10 { client.send(line: Self.discover) }
        try neighbours.beat(until: {
            (try neighbours.newestClient()["unsentBytes"]?.int ?? 0) > 10_000
        })
        let events: Int64 = 100
        for _ in 1...events {
            _ = try neighbours.sender.call(
                "instance.send", ["instance": "speaker", "input": "gameStart"])
            _ = try neighbours.sender.call("clock.run", ["instance": "speaker"])
        }
        #expect(try neighbours.growth() < 32 << 20)
        client.send(line: #"{"jsonrpc":"2.0","id":"end","method":"stream.flush"}"#)
        var heard: [String: Int64] = [:]
        var given = 0
        while true {
            let message = try client.message()
            if message["id"] == "end" { break }
            guard let name = message["params"]?["subscription"]?.string else { continue }
            heard[name, default: 0] += message["params"]?["count"]?.int ?? 1
            given += message["method"] == "stream.event" ? 1 : 0
        }
        // An event has some 150 bytes, so that a million are as many as these.
        #expect((1_000...10_000).contains(given), "\(given)")
        #expect(heard.count == subscriptions)
        #expect(heard.values.allSatisfy { $0 == events })
        try neighbours.beat()
    }

    @Test func `who sends and sends and does not read is not read from, and loses nothing`() throws
    {
        let file = try ConfigurationFile("limits: {softUnsentBytes: 200000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        let pings = Array(repeatElement(Self.ping, count: 20_000).joined())
        // A million and more, were they taken; but the daemon stops reading long before that.
        var sent = 0
        var stuck = 0
        while stuck < 20, sent < 1_000_000 * Self.ping.count {
            let count = client.sendWhatFits(pings[(sent % pings.count)...])
            sent += count
            stuck = count == 0 ? stuck + 1 : 0
            if count == 0 { try neighbours.beat() }
        }
        #expect(stuck == 20, "\(sent) bytes were taken")
        #expect((try neighbours.newestClient()["unsentBytes"]?.int ?? .max) < 300_000)
        #expect(try neighbours.growth() < 16 << 20)
        #expect(try neighbours.strikes("softUnsentBytes") > 0)
        // The half line at the end is forgotten.
        client.endInput()
        let answers = try rest(client)
        #expect(answers.count == sent / Self.ping.count)
        #expect(answers.allSatisfy { $0["result"] == [:] })
    }
}
