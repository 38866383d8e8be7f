// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import TestSupport
import Testing

/// What subscribers are promised.
@Suite("Streams over the socket")
struct StreamTests {
    private func game(_ client: KeepingClient) throws {
        _ = try client.call(
            "instance.open",
            ["feature": "find-number", "clock": "virtual", "name": "game", "seed": 3])
    }

    @Test
    func
        `a state gives its value after the answer, and events come before the answer that caused them`()
        throws
    {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        let subscribed = try client.call(
            "stream.subscribe", ["instance": "game", "output": "round"])
        #expect(subscribed["subscription"] == "s1")
        _ = try client.call("stream.flush")
        #expect(client.client.takeNotifications().map { $0["params"]?["value"] } == [1])
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        let caused = client.client.takeNotifications()
        #expect(caused.map { $0["params"]?["value"] } == [2])
        #expect(caused.first?["method"] == "stream.event")
    }

    @Test func `a cursor resumes where it stood, on another connection`() throws {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        let cursor = try #require(
            try client.call("stream.subscribe", ["instance": "game", "output": "*"])["cursor"])
        for _ in 1...3 {
            _ = try client.call(
                "instance.send", ["instance": "game", "input": "checkNumber", "value": 9])
        }
        let other = try client.daemon.connect()
        let resumed = try other.call(
            "stream.subscribe", ["instance": "game", "output": "round", "since": cursor])
        #expect(resumed["reset"] == nil)
        _ = try other.call("stream.flush")
        #expect(other.notifications.map { $0["params"]?["value"] } == [1, 1, 1])
    }

    @Test func `a cursor of another life is answered with a reset and a snapshot`() throws {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        let answer = try client.call(
            "stream.subscribe", ["instance": "game", "output": "round", "since": "gone.game:1"])
        #expect(answer["reset"] == true)
        _ = try client.call("stream.flush")
        #expect(client.client.takeNotifications().map { $0["params"]?["value"] } == [1])
    }

    @Test func `after unsubscribing nothing comes`() throws {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        _ = try client.call("stream.subscribe", ["instance": "game", "output": "round"])
        _ = try client.call("stream.unsubscribe", ["subscription": "s1"])
        _ = client.client.takeNotifications()
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        #expect(client.client.takeNotifications().isEmpty)
    }

    @Test func `a client that stops reading costs the others nothing and is told`() throws {
        let client = try DaemonProcess(arguments: []).connectKeeping()
        try game(client)
        let lazy = try client.daemon.connect()
        _ = try lazy.call("stream.subscribe", ["instance": "game", "output": "*"])
        // Far more than the socket and the queues hold.
        for time in 0..<30_000 {
            client.client.send(
                line:
                    #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"game","input":"resetStage","at":\#(time)}}"#
            )
        }
        let progress = try client.call("clock.run", ["instance": "game"])
        #expect(progress["idle"] == true)
        let status = try client.call("daemon.status")
        #expect(Sanitizer.isOn || (status["memory"]?.int ?? .max) < 200 << 20)
        // What the lazy one reads at last ends with the newest state, gaps or not.
        lazy.send(line: #"{"jsonrpc":"2.0","id":99,"method":"stream.flush"}"#)
        var rounds: JSONValue?
        while true {
            let message = try lazy.message()
            if message["id"] == 99 { break }
            if message["params"]?["output"] == "round" { rounds = message["params"]?["at"] }
        }
        #expect(rounds == 29_999)
    }

    @Test func `a subscriber that only stopped sending listens on, and one that left is let go`()
        throws
    {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        let listener = try client.daemon.connect()
        _ = try listener.call("stream.subscribe", ["instance": "game", "output": "round"])
        listener.endInput()
        do {
            let leaver = try client.daemon.connect()
            _ = try leaver.call("stream.subscribe", ["instance": "game", "output": "round"])
        }
        // The one that left is gone by the time that its end was read.
        _ = try client.call("daemon.ping")
        #expect(try client.call("daemon.status")["connections"] == 2)
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        #expect(try listener.message()["params"]?["value"] == 1)
        #expect(try listener.message()["params"]?["value"] == 2)
    }

    @Test func `a long virtual run lets others in`() throws {
        let client = try DaemonProcess().connectKeeping()
        try game(client)
        for time in 0..<20_000 {
            client.client.send(
                line:
                    #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"game","input":"resetStage","at":\#(time + 1)}}"#
            )
        }
        client.client.send(
            line: #"{"jsonrpc":"2.0","id":7,"method":"clock.run","params":{"instance":"game"}}"#)
        client.client.send(
            line: #"{"jsonrpc":"2.0","id":8,"method":"clock.now","params":{"instance":"game"}}"#)
        let other = try client.daemon.connect()
        #expect(try other.call("daemon.ping") == .object([]))
        // Calls of one client to one instance are answered in their order.
        #expect(try client.client.message()["id"] == 7)
        #expect(try client.client.message()["result"]?["now"] == 20_000)
    }
}
