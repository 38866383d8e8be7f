// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scenarios
import Scheduling
import TestSupport
import Testing

/// The game's table over a real socket, with a plain client.
@Suite("find-number, over the socket")
struct GameOverSocketTests {
    static let scenarioFolder = "\(Checkout.path)/plugins/FindNumber/scenarios"

    static let scenarios = Files.names(in: scenarioFolder).filter { $0.hasSuffix(".yaml") }

    @Test func `there is a scenario for every row of the table`() {
        for row in ["start", "stage", "reset", "observers", "network-error", "decoding-error"] {
            #expect(Self.scenarios.contains("\(row).yaml"))
        }
    }

    @Test(arguments: scenarios)
    func `a scenario passes in the daemon, with the outputs it has in process`(
        _ name: String
    ) throws {
        let text = Files.text("\(Self.scenarioFolder)/\(name)")
        let daemon = try DaemonProcess()
        let there = try daemon.connect().call("scenario.run", ["scenario": .string(text)])
        #expect(there["passed"] == true, "\(there["picture"]?.string ?? "")")

        let host = Host()
        for plugin in PluginDirectory(path: [daemon.folder]).scan().plugins { host.add(plugin) }
        let scenario = try #require(try ScenarioReader.read(text).first)
        let here = try ScenarioRun.run(scenario, on: host)
        #expect(here.json.text == there.text)
    }

    @Test func `own 7 over the socket: the same record as in process`() throws {
        let client = try DaemonProcess().connectKeeping()
        _ = try client.call(
            "instance.open", ["feature": "find-number", "clock": "virtual", "seed": 11])
        let host = Host()
        for plugin in PluginDirectory(path: [client.daemon.folder]).scan().plugins {
            host.add(plugin)
        }
        var request = Host.OpenRequest(feature: "find-number", isVirtual: true)
        request.seed = 11
        let instance = try host.open(request)
        for step in 1...40 {
            let (input, value) =
                step % 4 == 0 ? ("gameStart", "null") : ("checkNumber", "\(step % 3)")
            let at = Int64(step / 2) * 1_000_000
            _ = try client.call(
                "instance.send",
                [
                    "instance": "i1", "input": .string(input),
                    "value": try JSONValue(parsing: value),
                    "at": .int(at),
                ])
            try instance.send(
                instance.feature.inputNumber(input), copying: Array(value.utf8),
                at: Instant(nanoseconds: at))
        }
        _ = try client.call("clock.run", ["instance": "i1"])
        try instance.drive(.idle) { _ in }
        let there = try client.call("instance.record", ["instance": "i1"])["events"]?.array ?? []
        var here: [JSONValue] = []
        instance.record.forEach(since: 0) { number, entry, value in
            var members: [(String, JSONValue)] = [
                ("at", .int(entry.at)), ("step", .int(Int64(entry.step))),
                ("kind", .string(entry.kind.name.description)),
                ("port", .string(instance.portName(entry))),
                ("event", .string(entry.event.name.description)),
            ]
            if entry.cause > 0 {
                members.append(("cause", .int(Int64(number - Int(entry.cause)))))
            }
            members.append(("value", (try? JSONValue(parsing: value)) ?? .null))
            here.append(.object(members))
            return true
        }
        #expect(here.count > 60)
        #expect(here.map(\.text) == there.map(\.text))
        host.close(instance)
    }

    @Test func `stage, by hand: send, advance, and read the record`() throws {
        let client = try DaemonProcess().connectKeeping()
        let opened = try client.call(
            "instance.open",
            [
                "feature": "find-number", "clock": "virtual", "options": ["source": "http"],
                "stubs": [["http": "GET */random*", "reply": ["status": 200, "json": [1]]]],
            ])
        #expect(opened["instance"] == "i1")
        #expect(opened["outputs"]?["round"] == 1)
        for (time, guess) in [(10, 1), (15, 1), (20, 1), (25, 2), (30, 1)] {
            _ = try client.call(
                "instance.send",
                [
                    "instance": "i1", "input": "checkNumber", "value": .int(Int64(guess)),
                    "at": .string("\(time)ms"),
                ])
        }
        let progress = try client.call("clock.advance", ["instance": "i1", "to": "1s"])
        #expect(progress["now"] == 1_000_000_000)
        #expect(progress["idle"] == true)
        let record = try client.call("instance.record", ["instance": "i1"])
        #expect(
            Self.lane("round", record) == [
                [0, 1], [10, 2], [15, 3], [20, 4], [25, 1], [30, 2],
            ])
        #expect(
            Self.lane("bestRecord", record) == [[0, 0], [10, 1], [15, 2], [20, 3], [30, 3]])
        #expect(
            try client.call("instance.read", ["instance": "i1", "output": "round"])["value"] == 2)
        let calls = try client.call("stub.calls", ["instance": "i1"])
        #expect(calls["calls"]?.array?.count { $0["effect"] == "http" } == 4)
    }

    /// The values of one output with their times in milliseconds.
    private static func lane(_ output: String, _ record: JSONValue) -> [[Int64]] {
        (record["events"]?.array ?? []).compactMap { entry in
            guard entry["kind"] == "output", entry["port"]?.string == output,
                let at = entry["at"]?.int, let value = entry["value"]?.int
            else { return nil }
            return [at / 1_000_000, value]
        }
    }

    @Test func `two runs of the same thing give the same bytes`() throws {
        func run() throws -> String {
            let client = try DaemonProcess().connectKeeping()
            _ = try client.call(
                "instance.open", ["feature": "find-number", "clock": "virtual", "seed": 42])
            for time in 1...50 {
                _ = try client.call(
                    "instance.send",
                    [
                        "instance": "i1", "input": "checkNumber", "value": 2,
                        "at": .string("\(time)ms"),
                    ])
                _ = try client.call(
                    "instance.send",
                    ["instance": "i1", "input": "gameStart", "at": .string("\(time)ms")])
            }
            _ = try client.call("clock.run", ["instance": "i1"])
            return try client.call("instance.record", ["instance": "i1"]).text
        }
        #expect(try run() == run())
    }

    @Test func `in real time a guess is answered with what it caused`() throws {
        let client = try DaemonProcess().connectKeeping()
        _ = try client.call("instance.open", ["feature": "find-number", "seed": 1])
        let sent = try client.call(
            "instance.send",
            ["instance": "i1", "input": "checkNumber", "value": 1, "collect": true])
        let ports = (sent["events"]?.array ?? []).compactMap { $0["port"]?.string }
        #expect(ports.contains("round"))
        let awaited = try client.call(
            "instance.await",
            ["instance": "i1", "output": "round", "until": "first", "timeout": "5s"])
        #expect(awaited["ended"] == "satisfied")
        #expect(awaited["values"]?.array?.first?["value"] == 2)
        #expect(try client.fault("clock.advance", ["instance": "i1", "by": "1s"]) == "clockIsReal")
    }
}

extension DaemonProcess {
    /// A client that keeps its daemon alive.
    func connectKeeping() throws -> KeepingClient { KeepingClient(self, try connect()) }
}

/// A client together with the daemon it talks to.
@dynamicMemberLookup
struct KeepingClient {
    let daemon: DaemonProcess
    let client: WireClient

    init(_ daemon: DaemonProcess, _ client: WireClient) {
        self.daemon = daemon
        self.client = client
    }

    subscript<Value>(dynamicMember path: KeyPath<WireClient, Value>) -> Value {
        client[keyPath: path]
    }

    func call(_ method: String, _ params: JSONValue = .object([])) throws -> JSONValue {
        try client.call(method, params)
    }

    func fault(_ method: String, _ params: JSONValue = .object([])) throws -> String {
        try client.fault(method, params)
    }
}
