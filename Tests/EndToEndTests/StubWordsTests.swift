// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledHost
import MarbledKit
import MarbledTesting
import Scenarios
import Scheduling
import TestSupport
import Testing

/// The words of stubs through all three doors: a scenario file, the socket, and Swift.
@Suite struct StubWordsTests {
    /// One word in its three spellings.
    struct Word: Sendable, CustomTestStringConvertible {
        let name: String
        let yaml: String
        let json: String
        let swift: StubRule

        init(_ name: String, _ yaml: String, _ json: String, _ swift: StubRule) {
            self.name = name
            self.yaml = yaml
            self.json = json
            self.swift = swift
        }

        var testDescription: String { name }
    }

    static let words = [
        Word(
            "json", #"{http: "GET */a", reply: {json: [1]}}"#,
            #"{"http": "GET */a", "reply": {"json": [1]}}"#, .http("GET */a", reply: .json([1]))),
        Word(
            "status, headers, body",
            #"{http: "*", reply: {status: 201, headers: {a: b}, body: x}}"#,
            #"{"http": "*", "reply": {"status": 201, "headers": {"a": "b"}, "body": "x"}}"#,
            .http(reply: .text("x", status: 201).headers(["a": "b"]))),
        Word(
            "a request's members",
            #"{http: {method: POST, headers: {Accept: json}, body: {contains: word}}, reply: {}}"#,
            #"""
            {"http": {"method": "POST", "headers": {"Accept": "json"}, "body": {"contains": "word"}}, "reply": {}}
            """#,
            .effect(
                .http,
                matching: [
                    "method": "POST", "headers": ["Accept": "json"], "body": ["contains": "word"],
                ], reply: .status(200))),
        Word(
            "value", "{feed: {n: 1}, reply: {value: [2]}}",
            #"{"feed": {"n": 1}, "reply": {"value": [2]}}"#,
            .effect("feed", matching: ["n": 1], reply: .value([2]))),
        Word(
            "fail", "{http: true, reply: {fail: refused, message: no}}",
            #"{"http": true, "reply": {"fail": "refused", "message": "no"}}"#,
            .http(reply: .fail("refused", "no"))),
        Word(
            "never", "{feed: true, reply: {never: true}}",
            #"{"feed": true, "reply": {"never": true}}"#, .effect("feed", reply: .never)),
        Word(
            "a list", "{feed: true, reply: [{value: 1}, {value: 2}]}",
            #"{"feed": true, "reply": [{"value": 1}, {"value": 2}]}"#,
            .effect("feed", replies: [.value(1), .value(2)])),
        Word(
            "chunks of an effect",
            "{feed: true, reply: {after: 2, chunks: [{value: 1}, {value: 2, after: 3}]}}",
            #"""
            {"feed": true, "reply": {"after": "2ms", "chunks": [{"value": 1}, {"value": 2, "after": "3ms"}]}}
            """#,
            .effect("feed", reply: .chunks([.value(1), .value(2).after(3)]).after(2))),
        Word(
            "chunks of a body",
            "{http: '*', reply: {chunks: [{body: a}, {body: b, after: 3}, {fail: reset, after: 4}]}}",
            #"""
            {"http": "*", "reply": {"chunks": [{"body": "a"}, {"body": "b", "after": "3ms"}, \#
            {"fail": "reset", "after": "4ms"}]}}
            """#,
            .http(reply: .chunks([.piece("a"), .text("b").after(3), .fail("reset").after(4)]))),
        Word(
            "reset", "{http: '*', reply: {reset: true}}",
            #"{"http": "*", "reply": {"reset": true}}"#, .http(reply: .reset)),
        Word(
            "reset of a body", "{http: '*', reply: {reset: {after: 2}, status: 200, body: abc}}",
            #"{"http": "*", "reply": {"reset": {"after": 2}, "body": "abc"}}"#,
            .http(reply: .reset(after: 2, of: .text("abc")))),
        Word(
            "reset of letters", "{http: '*', reply: {reset: {after: 12}}}",
            #"{"http": "*", "reply": {"reset": {"after": 12}}}"#,
            .http(reply: .reset(after: 12))),
        Word(
            "empty", "{http: '*', reply: {empty: true, status: 204}}",
            #"{"http": "*", "reply": {"empty": true, "status": 204}}"#,
            .http(reply: .empty(status: 204))),
        Word(
            "malformed", "{http: '*', reply: {malformed: true}}",
            #"{"http": "*", "reply": {"malformed": true}}"#, .http(reply: .malformed)),
        Word(
            "malformed as given", "{feed: true, reply: {malformed: <b>}}",
            #"{"feed": true, "reply": {"malformed": "<b>"}}"#,
            .effect("feed", reply: .malformed("<b>"))),
        Word(
            "duplicate", "{http: '*', reply: {json: 1, duplicate: 3}}",
            #"{"http": "*", "reply": {"json": 1, "duplicate": 3}}"#,
            .http(reply: .json(1).duplicated(3))),
        Word(
            "reorder", "{feed: true, reply: [{value: 1}, {value: 2}], reorder: 2}",
            #"{"feed": true, "reply": [{"value": 1}, {"value": 2}], "reorder": 2}"#,
            .effect("feed", replies: [.value(1), .value(2)]).reordered(2)),
        Word(
            "reorder within", "{http: '*', reply: {json: 1}, reorder: {window: 9, within: 25}}",
            #"{"http": "*", "reply": {"json": 1}, "reorder": {"window": 9, "within": "25ms"}}"#,
            .http(reply: .json(1)).reordered(9, within: 25)),
        Word(
            "after", "{http: '*', reply: {json: 1, after: 5}}",
            #"{"http": "*", "reply": {"json": 1, "after": "5ms"}}"#,
            .http(reply: .json(1).after(5))),
        Word(
            "at", "{http: '*', reply: {json: 1, at: 25}}",
            #"{"http": "*", "reply": {"json": 1, "at": 25000000}}"#,
            .http(reply: .json(1).at(25))),
        Word(
            "latency", "{http: '*', reply: {json: 1, latency: {fixed: 5}}}",
            #"{"http": "*", "reply": {"json": 1, "latency": {"fixed": "5ms"}}}"#,
            .http(reply: .json(1).latency(5))),
        Word(
            "latency drawn", "{http: '*', reply: {json: 1, latency: {uniform: [5, 50]}}}",
            #"{"http": "*", "reply": {"json": 1, "latency": {"uniform": ["5ms", "50ms"]}}}"#,
            .http(reply: .json(1).latency(5...50))),
        Word(
            "release", "{feed: true, reply: {value: 1, release: gate}}",
            #"{"feed": true, "reply": {"value": 1, "release": "gate"}}"#,
            .effect("feed", reply: .value(1).released(by: "gate"))),
        Word(
            "partition", "{partition: '*', from: 15, heal: 25}",
            #"{"partition": "*", "from": "15ms", "heal": "25ms"}"#,
            .partition("*", from: 15, heal: 25)),
        Word(
            "partition that lets wait",
            "{partition: '*', with: never, waiting: reset, name: gate}",
            #"{"partition": "*", "with": "never", "waiting": "reset", "name": "gate"}"#,
            .partition("*", with: .never, waiting: .reset, name: "gate")),
    ]

    /// What is asked, whatever the word: of http all at once, as a stream, and with a body; of another twice.
    static let questions: [(tick: Int, input: String, value: JSONValue)] = [
        (10, "http", ["method": "GET", "url": "http://h/a"]),
        (20, "http", ["method": "GET", "url": "http://h/a", "stream": true]),
        (
            30, "http",
            [
                "method": "POST", "url": "http://h/b", "headers": ["Accept": "json"],
                "body": "a word",
            ]
        ),
        (40, "feed", ["n": 1]), (41, "feed", ["n": 1]),
    ]

    /// The record in this process, of rules that are already read.
    private func record(_ stubs: [MarbledHost.Stub]) throws -> [String] {
        let host = Host()
        defer { host.closeAll() }
        host.add(try Plugin(PluginLibrary.load(Products.path("libAsker.so"))))
        var request = Host.OpenRequest(feature: "asker", isVirtual: true)
        request.stubs = stubs
        request.seed = 7
        let asker = try host.open(request)
        for question in Self.questions {
            try asker.send(
                asker.feature.inputNumber(question.input),
                copying: Array(question.value.text.utf8),
                at: Instant(nanoseconds: Int64(question.tick) * 1_000_000))
        }
        try asker.drive(.through(Instant(nanoseconds: 60_000_000))) { _ in }
        asker.release("gate")
        try asker.drive(.through(Instant(nanoseconds: 200_000_000))) { _ in }
        return RecordText.lines(asker)
    }

    /// The record of the daemon, as the same lines.
    private func record(_ json: String, _ client: WireClient) throws -> [String] {
        _ = try client.call(
            "instance.open",
            [
                "feature": "asker", "clock": "virtual", "seed": 7, "name": "asker",
                "stubs": [try JSONValue(parsing: json)],
            ])
        for question in Self.questions {
            _ = try client.call(
                "instance.send",
                [
                    "instance": "asker", "input": .string(question.input), "value": question.value,
                    "at": .string("\(question.tick)ms"),
                ])
        }
        _ = try client.call("clock.advance", ["instance": "asker", "to": "60ms"])
        // Where nothing is held there is nothing to release.
        _ = try client.answer("stub.release", ["instance": "asker", "name": "gate"])
        _ = try client.call("clock.advance", ["instance": "asker", "to": "200ms"])
        let record = try client.call("instance.record", ["instance": "asker"])
        _ = try client.call("instance.close", ["instance": "asker"])
        return (record["events"]?.array ?? []).map(Self.line)
    }

    private static func line(_ event: JSONValue) -> String {
        let at = event["at"]?.int ?? -1
        var line = "\(at / 1_000_000)"
        if at % 1_000_000 != 0 { line += "+\(at % 1_000_000)ns" }
        if let step = event["step"]?.int, step != 0 { line += ".\(step)" }
        line += " \(event["kind"]?.string ?? "") \(event["port"]?.string ?? "")"
        let value = event["value"]?.text ?? ""
        switch event["event"]?.string {
        case "error": return "\(line) error \(value)"
        case "completed": return "\(line) completed"
        default: return "\(line) \(value)"
        }
    }

    @Test func `all words mean the same in a file, over the socket and in Swift`() throws {
        let daemon = try DaemonProcess(plugins: ["libAsker.so"])
        let client = try daemon.connect()
        let silence = try record([])
        for word in Self.words {
            let file = "scenario: x\nfeature: asker\nstubs: [\(word.yaml)]\nexpect: {}"
            let scenario = try #require(try ScenarioReader.read(file).first, "\(word.name)")
            let fromFile = try record(scenario.stubs)
            let fromSwift = try record([word.swift].stubs(tick: .milliseconds(1)))
            let fromSocket = try record(word.json, client)
            #expect(fromFile == fromSwift, "\(word.name)")
            #expect(fromFile == fromSocket, "\(word.name)")
            #expect(fromFile != silence, "\(word.name) says nothing")
        }
    }

    @Test(arguments: [
        (#"{"http": "*", "reply": {"reset": {"after": -1}}}"#, "/stubs/0/reply/reset/after"),
        (#"{"http": "*", "reply": {"rset": true}}"#, "/stubs/0/reply/rset"),
        (#"{"partition": "*", "heel": 5}"#, "/stubs/0/heel"),
    ])
    func `a word that is wrong is told with its place`(_ json: String, _ pointer: String) throws {
        let client = try DaemonProcess(plugins: ["libAsker.so"]).connectKeeping()
        let answer = try client.client.answer(
            "instance.open",
            ["feature": "asker", "clock": "virtual", "stubs": [try JSONValue(parsing: json)]])
        #expect(answer["error"]?["data"]?["pointer"]?.string == pointer)
    }

    // MARK: By hand

    private static func marblectl(_ daemon: DaemonProcess, _ words: String...) throws -> (
        code: Int32, output: String
    ) {
        let output = "\(daemon.folder)/marblectl.log"
        unlink(output)
        let child = try Spawn.run(
            Products.path("marblectl"), words, environment: ["MARBLED_SOCKET": daemon.socket],
            output: output)
        return (try Spawn.wait(child), Files.text(output))
    }

    @Test func `what is held is released, and a partition healed, from the command line`() throws {
        let daemon = try DaemonProcess(plugins: ["libAsker.so"])
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open", ["feature": "asker", "clock": "virtual", "name": "asker"])
        let set = try Self.marblectl(
            daemon, "stub", "set", "asker",
            "[{feed: true, reply: {value: 5, release: gate}}, "
                + "{partition: '*', with: never, name: cable}, {http: '*', reply: {json: 1}}]")
        #expect(set.code == 0, "\(set.output)")
        for (input, value) in [("feed", [:]), ("http", ["url": "http://h/"])]
            as [(String, JSONValue)]
        {
            _ = try client.call(
                "instance.send", ["instance": "asker", "input": .string(input), "value": value])
        }
        let wrong = try Self.marblectl(daemon, "stub", "release", "asker", "gat")
        #expect(wrong.code == 1 && wrong.output.contains("gate"), "\(wrong.output)")
        for name in ["gate", "cable"] {
            let released = try Self.marblectl(daemon, "stub", "release", "asker", name)
            #expect(released.code == 0, "\(released.output)")
            #expect(try Self.marblectl(daemon, "stub", "release", "asker", name).code == 1)
        }
        let record = try client.call("instance.record", ["instance": "asker"])
        let lines = (record["events"]?.array ?? []).map(Self.line)
        #expect(
            lines.filter { $0.contains(" answer ") && !$0.contains(" output ") } == [
                "0.2 answer feed 5", #"0.3 answer http {"status":200,"body":"1"}"#,
            ])
    }

    @Test func `over the socket a release tells how much it was, and subscribers hear of it`()
        throws
    {
        let client = try DaemonProcess(plugins: ["libAsker.so"]).connectKeeping()
        _ = try client.call(
            "instance.open",
            [
                "feature": "asker", "clock": "virtual", "name": "asker",
                "stubs": [["feed": true, "reply": ["value": 5, "release": "gate"]]],
            ])
        _ = try client.call("stream.subscribe", ["instance": "asker", "output": "answer"])
        for _ in 0..<2 {
            _ = try client.call(
                "instance.send", ["instance": "asker", "input": "feed", "value": [:]])
        }
        let answer = try client.call("stub.release", ["instance": "asker", "name": "gate"])
        #expect(answer["released"] == 2)
        let said = client.client.takeNotifications().filter { $0["method"] == "stream.event" }
        #expect(said.map { $0["params"]?["value"] } == [5, 5])
    }
}
