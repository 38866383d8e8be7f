// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import MarbledDaemon
import TestSupport
import Testing

/// What is left of a client that left, or was made to leave, in a daemon on the test's own thread.
@Suite("Clients that leave")
struct LeavingTests {
    /// One end of a connection to that daemon.
    private struct Client {
        let socket: WireSocket

        init(_ daemon: ConfinedDaemon) throws {
            socket = WireSocket(adopting: try daemon.connect(), turn: daemon.turn)
        }

        func send(_ lines: [String]) {
            let text = lines.map { "\($0)\n" }.joined()
            #expect(socket.send(Array(text.utf8), until: .after(.seconds(10))))
        }

        func message() throws -> JSONValue {
            guard case .line(let line) = socket.nextLine(until: .after(.seconds(10))) else {
                throw Failure("no line came")
            }
            return try JSONValue(parsing: String(decoding: line, as: UTF8.self))
        }

        /// Calls with the id 0, and passes over what comes before the answer.
        func call(_ method: String, _ params: String = "{}") throws -> JSONValue {
            send([LeavingTests.line(method, params, id: 0)])
            while true {
                let message = try message()
                if message["id"] == 0 { return message["result"] ?? message }
            }
        }
    }

    private static func line(_ method: String, _ params: String = "{}", id: Int) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    }

    @Test func `the run of a client that is gone stops between two items`() throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path], limits: ["sliceNanoseconds": 1])
        defer { daemon.close() }
        let client = try Client(daemon)
        _ = try client.call(
            "instance.open", #"{"feature":"find-number","clock":"virtual","name":"game"}"#)
        _ = try client.call("stream.subscribe", #"{"instance":"game","output":"round"}"#)
        let leaver = try Client(daemon)
        let last = 1_000
        leaver.send(
            (1...last).map {
                Self.line(
                    "instance.send", #"{"instance":"game","input":"resetStage","at":\#($0)}"#,
                    id: $0)
            })
        // An item at a time: each is followed by a look at whether the output spoke. The second run waits its
        // turn, which does not come.
        let run = Self.line("clock.run", #"{"instance":"game","until":"error"}"#, id: 0)
        leaver.send([run, run])
        while try client.message()["params"]?["at"] != 1 {}
        leaver.socket.hangUp()
        let now = try client.call("clock.now", #"{"instance":"game"}"#)["now"]?.int
        #expect((1..<Int64(last)).contains(now ?? 0), "\(now ?? 0)")
        #expect(
            try client.call("clock.run", #"{"instance":"game"}"#)["now"] == .int(Int64(last)))
    }

    @Test func `of a client that is made to leave no further call is carried out`() throws {
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let discover = ConfinedDaemon.description.utf8.count
        // Above half of the soft limit it is held back, above all of it its calls wait.
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path],
            limits: [
                "turnNanoseconds": 60_000_000_000, "softUnsentBytes": 44 * discover,
                "hardUnsentBytes": discover,
            ])
        defer { daemon.close() }
        let client = try Client(daemon)
        _ = try client.call(
            "instance.open", #"{"feature":"find-number","clock":"virtual","name":"game"}"#)
        let cursor = try client.call("stream.subscribe", #"{"instance":"game","output":"round"}"#)[
            "cursor"]
        _ = try client.call("instance.send", #"{"instance":"game","input":"resetStage"}"#)
        // More than the kernel takes, which nobody reads; the second subscriber has more to send than the
        // hard limit lets it.
        let resume = #"{"instance":"game","output":"*","since":\#(cursor?.text ?? "")}"#
        let guest = try Client(daemon)
        guest.send(
            (1...40).map { Self.line("rpc.discover", id: $0) } + [
                Self.line("stream.subscribe", resume, id: 41), Self.line("daemon.ping", id: 42),
                Self.line("stream.subscribe", resume, id: 43),
                Self.line("instance.open", #"{"feature":"find-number","name":"late"}"#, id: 44),
            ])
        daemon.turn()
        let status = try client.call("daemon.status")
        #expect(status["limits"]?["hardUnsentBytes"] == 1)
        let names = try client.call("instance.list")["instances"]?.array?.map { $0["instance"] }
        #expect(names == ["game"])
    }
}
