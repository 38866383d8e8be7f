// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// What `rpc.cancel` does to a call that waits.
@Suite("Calls taken back")
struct CancelTests {
    private func line(_ id: String, _ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    private func game(_ clock: String) throws -> KeepingClient {
        let client = try DaemonProcess().connectKeeping()
        _ = try client.call(
            "instance.open",
            ["feature": "find-number", "clock": .string(clock), "name": "game", "seed": 3])
        return client
    }

    /// Puts more work on the clock than one slice of a run gets done.
    private func fill(_ client: KeepingClient) {
        for time in 1...20_000 {
            client.client.send(
                line:
                    #"{"jsonrpc":"2.0","method":"instance.send","params":{"instance":"game","input":"resetStage","at":\#(time)}}"#
            )
        }
    }

    @Test(arguments: [#""w""#, "7", "7.0", #""a\"b""#])
    func `an awaited value is given up, first answered, and nothing that came is lost`(
        _ id: String
    ) throws {
        let client = try game("real")
        client.client.send(
            line: line(
                id, "instance.await",
                #"{"instance":"game","output":"round","until":{"count":5},"timeout":"1h"}"#))
        client.client.send(line: line("99", "rpc.cancel", #"{"id":\#(id)}"#))
        let answer = try client.client.message()
        #expect(answer["id"] == (try JSONValue(parsing: id)))
        #expect(answer["result"]?["ended"] == "cancelled")
        #expect(answer["result"]?["values"]?[0]?["value"] == 1)
        let cancel = try client.client.message()
        #expect(cancel["id"] == 99)
        #expect(cancel["result"] == ["cancelled": true])
        #expect(try client.call("daemon.status")["counters"]?["cancelled"] == 1)
    }

    @Test func `what does not wait cannot be taken back`() throws {
        let client = try game("virtual")
        #expect(try client.call("rpc.cancel", ["id": "nobody"]) == ["cancelled": false])
        // Nor can a call of another connection.
        client.client.send(
            line: line(
                "1", "instance.await",
                #"{"instance":"game","output":"error","until":"first","timeout":1}"#))
        #expect(try client.client.message()["result"]?["ended"] == "timeout")
        #expect(try client.call("rpc.cancel", ["id": 1]) == ["cancelled": false])
    }

    @Test func `a call of another connection is not taken back`() throws {
        let client = try game("real")
        client.client.send(
            line: line(
                "\"w\"", "instance.await",
                #"{"instance":"game","output":"error","until":"first","timeout":"1h"}"#))
        _ = try client.call("daemon.ping")
        let other = try client.daemon.connect()
        #expect(try other.call("rpc.cancel", ["id": "w"]) == ["cancelled": false])
    }

    @Test func `a run stops between two items, and the instance goes on from there`() throws {
        let client = try game("virtual")
        fill(client)
        client.client.send(line: line("7", "clock.run", #"{"instance":"game"}"#))
        client.client.send(line: line("8", "rpc.cancel", #"{"id":7}"#))
        let run = try client.client.message()
        #expect(run["id"] == 7)
        #expect(run["error"]?["data"]?["kind"] == "cancelled")
        #expect(try client.client.message()["result"] == ["cancelled": true])
        let now = try #require(try client.call("clock.now", ["instance": "game"])["now"]?.int)
        #expect(now < 20_000)
        let rest = try client.call("clock.run", ["instance": "game"])
        #expect(rest["now"] == 20_000)
        #expect(rest["idle"] == true)
    }

    @Test func `a call that waits its turn is taken back without effect, and the run goes on`()
        throws
    {
        let client = try game("virtual")
        fill(client)
        client.client.send(line: line("7", "clock.run", #"{"instance":"game"}"#))
        client.client.send(
            line: line(
                "8", "instance.send", #"{"instance":"game","input":"checkNumber","value":1}"#))
        client.client.send(line: line("9", "rpc.cancel", #"{"id":8}"#))
        let sent = try client.client.message()
        #expect(sent["id"] == 8)
        #expect(sent["error"]?["data"]?["kind"] == "cancelled")
        #expect(try client.client.message()["id"] == 9)
        let run = try client.client.message()
        #expect(run["id"] == 7)
        #expect(run["result"]?["now"] == 20_000)
        #expect(
            try client.call("instance.read", ["instance": "game", "output": "round"])["value"] == 1)
    }

    @Test func `a scenario is taken back and leaves no instance behind`() throws {
        let client = try DaemonProcess().connectKeeping()
        let times = (1...20_000).map { ("\($0)", JSONValue.null) }
        let scenario = JSONValue.object([
            ("scenario", "long"), ("feature", "find-number"), ("until", 20_000),
            ("inputs", .object([("resetStage", .object(times))])), ("expect", .object([])),
        ])
        client.client.send(line: line("7", "scenario.run", #"{"scenario":\#(scenario.text)}"#))
        client.client.send(line: line("8", "rpc.cancel", #"{"id":7}"#))
        let run = try client.client.message()
        #expect(run["id"] == 7)
        #expect(run["error"]?["data"]?["kind"] == "cancelled", "\(run.text.prefix(300))")
        #expect(try client.client.message()["result"] == ["cancelled": true])
        #expect(try client.call("instance.list")["instances"] == [])
    }
}
