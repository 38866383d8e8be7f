// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// Bookmarks, batches and long resumptions: where a subscriber stands, at any time.
@Suite("Subscriptions")
struct SubscriptionTests {
    private func game(_ arguments: [String] = []) throws -> KeepingClient {
        let client = try DaemonProcess(arguments: arguments).connectKeeping()
        _ = try client.call(
            "instance.open",
            ["feature": "find-number", "clock": "virtual", "name": "game", "seed": 3])
        return client
    }

    @Test func `a silent output tells now and then where it stands, and one can resume from there`()
        throws
    {
        let file = try ConfigurationFile("limits: {bookmarkNanoseconds: 1000000}")
        let client = try game(["--config", file.path])
        let listener = try client.daemon.connect()
        let begun = try listener.call(
            "stream.subscribe", ["instance": "game", "output": "error"])
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        let bookmark = try listener.nextNotification()
        #expect(bookmark["method"] == "stream.bookmark")
        #expect(bookmark["params"]?["subscription"] == "s1")
        let cursor = try #require(bookmark["params"]?["cursor"])
        #expect(cursor != begun["cursor"])
        let resumed = try client.call(
            "stream.subscribe", ["instance": "game", "output": "*", "since": cursor])
        #expect(resumed["cursor"] == cursor)
        #expect(resumed["reset"] == nil)
        // Nothing moves, so nothing more is said; what is said next is the next move.
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        let next = try listener.nextNotification()
        #expect(next["method"] == "stream.bookmark")
        #expect(next["params"]?["cursor"] != cursor)
    }

    @Test func `in a batch, too, nothing comes before the answer, and nothing is lost`() throws {
        let client = try game()
        client.client.send(
            line: """
                [{"jsonrpc":"2.0","id":1,"method":"stream.subscribe","params":{"instance":"game","output":"round"}},\
                {"jsonrpc":"2.0","id":2,"method":"stream.subscribe","params":{"instance":"game","output":"error"}},\
                {"jsonrpc":"2.0","id":3,"method":"instance.send","params":{"instance":"game","input":"checkNumber","value":1}},\
                {"jsonrpc":"2.0","id":4,"method":"instance.close","params":{"instance":"game"}}]
                """)
        let answers = try client.client.message()
        #expect(answers.array?.map { $0["id"] } == [1, 2, 3, 4])
        var heard: [JSONValue] = []
        for _ in 1...3 { heard.append(try client.client.message()) }
        #expect(heard.map { $0["method"] } == ["stream.event", "stream.closed", "stream.closed"])
        #expect(heard[0]["params"]?["value"] == 2)
    }

    @Test(arguments: [
        "", "game", "gone.game:1", "x:y", ":", "game:-1", "99999999999999999999999", "\u{0}",
    ])
    func `a cursor that means nothing here is a reset with a snapshot`(_ cursor: String) throws {
        let client = try game()
        let answer = try client.call(
            "stream.subscribe",
            ["instance": "game", "output": "round", "since": .string(cursor)])
        #expect(answer["reset"] == true)
        _ = try client.call("stream.flush")
        #expect(client.client.takeNotifications().map { $0["params"]?["value"] } == [1])
    }

    @Test func `a long way to resume is gone in bounded pieces, and ends with the newest`() throws {
        let client = try game()
        let begun = try client.call("stream.subscribe", ["instance": "game", "output": "target"])
        for time in 1...20_000 {
            client.client.send(
                line:
                    #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"game","input":"resetStage","at":\#(time)}}"#
            )
        }
        _ = try client.call("clock.run", ["instance": "game"])
        let late = try client.daemon.connect()
        late.send(
            line:
                #"{"jsonrpc":"2.0","id":1,"method":"stream.subscribe","params":{"instance":"game","output":"*","since":\#(try #require(begun["cursor"]).text)}}"#
        )
        late.send(line: #"{"jsonrpc":"2.0","id":2,"method":"stream.flush"}"#)
        var newest: JSONValue?
        while true {
            let message = try late.message()
            if message["id"] == 2 { break }
            if message["params"]?["output"] == "round" { newest = message["params"]?["at"] }
            #expect(message["method"] != "stream.closed")
        }
        #expect(newest == 20_000)
    }

    @Test func `an entry of the record that is gone is told from one that never was`() throws {
        let file = try ConfigurationFile("limits: {recordEntries: 16}")
        let client = try game(["--config", file.path])
        for _ in 1...20 {
            _ = try client.call(
                "instance.send", ["instance": "game", "input": "checkNumber", "value": 9])
        }
        let record = try client.call("instance.record", ["instance": "game"])
        let first = try #require(record["first"]?.int)
        #expect(first > 0)
        #expect(
            try client.fault("instance.record", ["instance": "game", "since": .int(first - 1)])
                == "cursorExpired")
        let kept = try client.call("instance.record", ["instance": "game", "since": .int(first)])
        #expect(kept == record)
    }
}
