// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

@Suite struct StubTests {
    // MARK: Reading

    @Test(
        arguments: [
            (["http": "GET */a*", "reply": [:]], "GET", "*/a*"),
            (["http": "*/a*", "reply": [:]], nil, "*/a*"),
            (["http": "* http://x", "reply": [:]], nil, "http://x"),
            (["http": "POST *", "reply": [:]], "POST", nil),
            (["http": "*", "reply": [:]], nil, nil),
            (["http": true, "reply": [:]], nil, nil),
            (["http": nil, "reply": [:]], nil, nil),
            (["http": ["method": "PUT", "url": "http://x/*"], "reply": [:]], "PUT", "http://x/*"),
        ] as [(JSONValue, String?, String?)])
    func `an http rule is a method and a pattern`(
        _ json: JSONValue, _ method: String?, _ url: String?
    ) throws {
        let stub = try Stub.read(json)
        #expect(stub.matcher.effect == "http")
        #expect(stub.matcher.method == method)
        #expect(stub.matcher.url == url)
        #expect(stub.matcher.members.isEmpty)
        #expect(!stub.isSequence)
        #expect(stub.source == json)
    }

    @Test(
        arguments: [
            ([:], 0, ["status": 200]),
            (["status": 404], 0, ["status": 404]),
            (["json": [1]], 0, ["status": 200, "body": "[1]"]),
            (
                ["body": "x", "headers": ["a": "b"]], 0,
                ["status": 200, "headers": ["a": "b"], "body": "x"]
            ),
            (["json": nil, "after": 50], 50_000_000, ["status": 200, "body": "null"]),
            (["value": 3], 0, 3),
        ] as [(JSONValue, Int64, JSONValue)])
    func `a reply is an answer and a delay`(
        _ reply: JSONValue, _ after: Int64, _ answer: JSONValue
    ) throws {
        let stub = try Stub.read(["http": "*", "reply": reply])
        #expect(stub.replies.map(\.after) == [after])
        #expect(stub.replies.map(\.answer) == [.json(answer)])
    }

    @Test func `a reply may be a failure, nothing, or a list`() throws {
        let failure = try Stub.read(["http": "*", "reply": ["fail": "refused"]])
        #expect(
            failure.replies[0].answer == .failure(kind: "refused", message: "a stub answered so"))
        let told = try Stub.read(["http": "*", "reply": ["fail": "reset", "message": "gone"]])
        #expect(told.replies[0].answer == .failure(kind: "reset", message: "gone"))
        let never = try Stub.read(["http": "*", "reply": ["never": true]])
        #expect(never.replies[0].answer == nil)
        let list = try Stub.read([
            "random": true, "reply": [["value": 1], ["value": 2, "after": 3]],
        ])
        #expect(list.isSequence)
        #expect(list.replies.map(\.after) == [0, 3_000_000])
    }

    @Test(
        arguments: [
            ([], "/stubs/0", "an object such as {\"http\": …, \"reply\": …}"),
            (["reply": [:]], "/stubs/0", "a rule for one effect: {\"http\": …, \"reply\": …}"),
            (
                ["http": "*", "store": true, "reply": [:]], "/stubs/0",
                "a rule for one effect: {\"http\": …, \"reply\": …}"
            ),
            (["http": "*"], "/stubs/0/reply", "there: what to answer"),
            (
                ["http": "*", "reply": 1], "/stubs/0/reply",
                "an object such as {\"status\": 200, \"json\": [1]}"
            ),
            (["http": "*", "reply": []], "/stubs/0/reply", "a list of at least one answer"),
            (
                ["http": "*", "reply": [[:], 1]], "/stubs/0/reply/1",
                "an object such as {\"status\": 200, \"json\": [1]}"
            ),
            (
                ["http": "a b c", "reply": [:]], "/stubs/0/http",
                "\"METHOD URL-PATTERN\" or \"URL-PATTERN\""
            ),
            (
                ["http": "", "reply": [:]], "/stubs/0/http",
                "\"METHOD URL-PATTERN\" or \"URL-PATTERN\""
            ),
            (
                ["http": 1, "reply": [:]], "/stubs/0/http",
                "a pattern: text, an object of members, or true"
            ),
            (
                ["store": "key", "reply": ["value": 1]], "/stubs/0/store",
                "a pattern: text, an object of members, or true"
            ),
            (
                ["http": "*", "reply": ["jsn": 1]], "/stubs/0/reply/jsn",
                """
                one of status, headers, json, body, duplicate, after, at, latency, release; \
                did you mean json?
                """
            ),
            (
                ["http": "*", "reply": ["never": true, "json": 1]], "/stubs/0/reply/json",
                "one of never, after, at, latency, release"
            ),
            (
                ["http": "*", "reply": ["message": "x"]], "/stubs/0/reply/message",
                "one of status, headers, json, body, duplicate, after, at, latency, release"
            ),
            (["http": "*", "reply": ["never": false]], "/stubs/0/reply/never", "true"),
            (
                ["http": "*", "reply": ["fail": 1]], "/stubs/0/reply/fail",
                "a word such as \"refused\""
            ),
            (
                ["http": "*", "reply": ["fail": "x", "message": 1]], "/stubs/0/reply/message",
                "text"
            ),
            (
                ["http": "*", "reply": ["status": 99]], "/stubs/0/reply/status",
                "a status from 100 to 599"
            ),
            (
                ["http": "*", "reply": ["status": "200"]], "/stubs/0/reply/status",
                "a status from 100 to 599"
            ),
            (
                ["http": "*", "reply": ["body": 1]], "/stubs/0/reply/body",
                "text; for JSON use \"json\""
            ),
            (
                ["http": "*", "reply": ["json": 1, "body": "x"]], "/stubs/0/reply/body",
                "allowed beside \"json\""
            ),
            (
                ["http": "*", "reply": ["headers": ["a": 1]]], "/stubs/0/reply/headers",
                "an object of texts"
            ),
            (
                ["http": "*", "reply": ["after": 1, "at": 2]], "/stubs/0/reply/at",
                "allowed beside \"after\""
            ),
            (
                ["http": "*", "reply": ["latency": 5]], "/stubs/0/reply/latency",
                "{\"fixed\": 50} or {\"uniform\": [20, 80]}"
            ),
            (
                ["http": "*", "reply": ["latency": ["uniform": [5, 4]]]],
                "/stubs/0/reply/latency/uniform/1", "at least the number before it"
            ),
            (
                ["http": "*", "reply": ["release": 3]], "/stubs/0/reply/release", "a name"
            ),
            (
                ["http": "*", "reply": ["never": true, "after": 1]], "/stubs/0/reply/never",
                "alone: it has no time"
            ),
            (
                ["x": true, "reply": ["chunks": []]], "/stubs/0/reply/chunks",
                "a list of at least one answer"
            ),
            (
                ["x": true, "reply": ["chunks": [["value": 1, "after": 5], ["value": 2]]]],
                "/stubs/0/reply/chunks/1/after", "not before the chunk before it"
            ),
            (
                ["x": true, "reply": ["chunks": [["never": true]]]], "/stubs/0/reply/chunks/0",
                "one answer or failure, with \"after\""
            ),
            (["http": "*", "reply": ["after": -1]], "/stubs/0/reply/after", "zero or more"),
            (["http": "*", "reply": ["after": "soon"]], "/stubs/0/reply/after", "ticks"),
            (["random": true, "reply": [:]], "/stubs/0/reply/value", "there: what to answer"),
            (
                ["random": true, "reply": ["json": 1]], "/stubs/0/reply/json",
                """
                one of never, fail, chunks, value, reset, malformed, after, at, latency, release
                """
            ),
        ] as [(JSONValue, String, String)])
    func `a rule that cannot be read says where`(
        _ json: JSONValue, _ pointer: String, _ expected: String
    ) {
        #expect(throws: HostError.badValue(pointer: pointer, expected: expected)) {
            _ = try Stub.read(json)
        }
    }

    // MARK: Matching

    @Test(arguments: [
        ("GET */random*", true), ("POST *", false), ("http://h/api/random?x=1", true),
        ("*", true), ("*x=1", true), ("*x=2", false), ("http://h/*/random*", true),
        ("http://h/*/*/random*", false), ("**random**", true), ("h", false),
    ])
    func `a pattern stands for the whole URL`(_ pattern: String, _ matches: Bool) throws {
        let stub = try Stub.read(["http": .string(pattern), "reply": [:]])
        let request: JSONValue = ["method": "GET", "url": "http://h/api/random?x=1"]
        #expect(stub.matches("http", request) == matches)
        #expect(!stub.matches("store", request))
    }

    @Test func `members of a rule must be in the request`() throws {
        let stub = try Stub.read(["store": ["get": "a"], "reply": ["value": 1]])
        #expect(stub.matches("store", ["get": "a", "more": 1]))
        #expect(!stub.matches("store", ["get": "b"]))
        #expect(!stub.matches("store", ["set": "a", "value": 1]))
    }

    @Test(
        arguments: [
            (["headers": ["Accept": "json"]], true), (["headers": ["Accept": "xml"]], false),
            (["headers": ["Cookie": "a"]], false), (["headers": [:]], true),
            (["body": "{\"page\":2,\"q\":{\"word\":\"a\",\"more\":1}}"], true),
            (["body": "{}"], false),
            (["body": ["contains": "\"page\":2"]], true), (["body": ["contains": "page 2"]], false),
            (["body": ["json": ["page": 2]]], true), (["body": ["json": ["page": 3]]], false),
            (["body": ["json": ["q": ["word": "a"]]]], true),
            (["body": ["json": ["q": ["word": "b"]]]], false),
            (["url": "*/search", "body": ["json": [:]]], true),
        ] as [(JSONValue, Bool)])
    func `headers and JSON bodies match by the members that a rule names`(
        _ pattern: JSONValue, _ matches: Bool
    ) throws {
        let stub = try Stub.read(["http": pattern, "reply": [:]])
        let request: JSONValue = [
            "method": "POST", "url": "http://h/search",
            "headers": ["Accept": "json", "Host": "h"],
            "body": "{\"page\":2,\"q\":{\"word\":\"a\",\"more\":1}}",
        ]
        #expect(stub.matches("http", request) == matches)
        #expect(
            !stub.matches("http", ["method": "POST", "url": "http://h/none", "body": "no JSON"]))
    }

    @Test func `a body that nothing could match is an error`() {
        #expect(
            throws: HostError.badValue(
                pointer: "/stubs/0/http/body",
                expected: "text, {\"contains\": text} or {\"json\": members}")
        ) {
            _ = try Stub.read(["http": ["body": ["jsn": 1]], "reply": [:]])
        }
    }

    @Test func `a pattern costs no more than its length and that of the text`() {
        let long = String(repeating: "a", count: 2_000_000)
        let piece = String(repeating: "a", count: 1_000)
        #expect(!Glob.matches("*\(piece)b*", long))
        #expect(Glob.matches("*\(piece)*\(piece)", long))
        #expect(Glob.matches("*aab*ab", "aaabaab") && !Glob.matches("*aab*aab", "aaabab"))
        #expect(Glob.matches("a*a", "aa") && !Glob.matches("a*a", "a"))
        let text = String(repeating: "a", count: 5_000)
        #expect(!Glob.matches(String(repeating: "*a", count: 200) + "b", text))
        #expect(Glob.matches(String(repeating: "*a", count: 200) + "*", text))
        #expect(Glob.matches("", "") && Glob.matches("*", "") && !Glob.matches("a", ""))
    }

    @Test(
        arguments: [
            (["http": "GET PATTERN", "reply": [:]], "/stubs/0/http", "URL"),
            (["http": ["url": "PATTERN"], "reply": [:]], "/stubs/0/http/url", "URL"),
            (["partition": "PATTERN"], "/stubs/0/partition", "host"),
        ] as [(JSONValue, String, String)])
    func `a pattern that is too long is refused`(_ rule: JSONValue, _ pointer: String, _ of: String)
        throws
    {
        func read(_ length: Int) throws {
            let pattern = String(repeating: "a", count: length)
            _ = try Stub.read(try JSONValue(parsing: rule.text.replacing("PATTERN", with: pattern)))
        }
        try read(1_024)
        let error = #expect(throws: HostError.self) { try read(1_025) }
        guard case .badValue(pointer, let expected) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(expected.contains("of at most 1024 bytes") && expected.contains(of))
    }

    @Test func `the first rule that is not used up answers, and calls are kept`() throws {
        var book = StubBook()
        book.replace(with: [
            try .read(["random": true, "reply": [["value": 1], ["value": 2]]]),
            try .read(["random": true, "reply": ["value": 9]]),
            try .read(["http": "*", "reply": [:]]),
        ])
        let answers = (0..<4).map { book.reply(to: "random", [:], at: $0)?.answer }
        #expect(answers == [.json(1), .json(2), .json(9), .json(9)])
        #expect(book.reply(to: "store", [:], at: 9) == nil)
        #expect(book.calls.map(\.stub) == [0, 0, 1, 1, nil])
        #expect(book.calls.map(\.at) == [0, 1, 2, 3, 9])
        #expect(book.uses == [2, 2, 0])
        #expect(book.unused.map(\.matcher.effect) == ["http"])
        book.replace(with: [])
        #expect(book.calls.count == 5 && book.unused.isEmpty)
    }

    @Test func `of the calls the newest ten thousand are kept`() {
        var book = StubBook()
        for at in 0..<25_000 { _ = book.reply(to: "store", [:], at: Int64(at)) }
        #expect(book.calls.count <= 10_000 && book.calls.count >= 5_000)
        #expect(book.calls.last?.at == 24_999)
    }

    // MARK: On the timeline

    @Test func `a reply comes at once or when its rule says`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["http": "*now", "reply": ["value": 1]],
            ["http": "*later", "reply": ["value": 2, "after": 50]],
        ])
        try instance.ask("http", ["url": "now"], atTick: 10)
        try instance.ask("http", ["url": "later"], atTick: 20)
        try instance.advance(toTick: 69)
        #expect(try instance.said("answer") == ["\"1\""])
        try instance.advance(toTick: 70)
        #expect(try instance.said("answer") == ["\"1\"", "\"2\""])
        #expect(instance.lines.contains("10.1 answer http 1"))
        #expect(instance.lines.contains("70 answer http 2"))
    }

    @Test func `an answer is an arrival, so it comes before the timers of its instant`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": ["value": 1, "after": 30]]])
        try instance.send("wait", 40, atTick: 0)
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.run()
        #expect(
            instance.lines.suffix(3) == [
                "40 answer http 1", "40 output answer \"1\"", "40 output fired 40",
            ])
    }

    @Test func `never leaves the effect open`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": ["never": true]]])
        try instance.ask("http", ["url": "x"], atTick: 10)
        #expect(try instance.run().isIdle)
        #expect(instance.openEffects.map(\.effect) == ["http"])
        #expect(instance.openEffects[0].since == Instant(nanoseconds: 10_000_000))
        #expect(probe.host.close(instance).openEffects == 1)
    }

    @Test func `a failure crosses the boundary as what it is`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["http": "*", "reply": ["fail": "reset", "message": "the peer is gone", "after": 5]]
        ])
        try instance.ask("http", ["url": "x"])
        try instance.run()
        #expect(
            instance.lines.suffix(2) == [
                "5 answer http error {\"kind\":\"reset\",\"message\":\"the peer is gone\"}",
                "5 output failure {\"kind\":\"reset\",\"message\":\"the peer is gone\"}",
            ])
    }

    @Test func `a list that is used up answers no more`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": [["value": 1]]]])
        try instance.ask("http", ["url": "x"], atTick: 1)
        try instance.ask("http", ["url": "x"], atTick: 2)
        try instance.run()
        #expect(try instance.said("answer") == ["\"1\""])
        #expect(try instance.said("failure").count == 1)
        #expect(instance.lines.last?.contains("\"unavailable\"") == true)
    }

    @Test func `what is given up is taken off the timeline at that instant`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": ["value": 1, "after": 50]]])
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.advance(toTick: 20)
        #expect(instance.clock.pendingCount == 1 && instance.openEffects.count == 1)
        try instance.send("giveUp", nil)
        #expect(instance.clock.pendingCount == 0 && instance.openEffects.isEmpty)
        try instance.run()
        #expect(try instance.said("answer").isEmpty)
    }

    @Test func `other rules take the place of those that were, and what waits goes on`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": ["value": 1, "after": 50]]])
        try instance.ask("http", ["url": "x"])
        instance.setStubs([try .read(["http": "*", "reply": ["value": 2]])])
        #expect(instance.stubs.unused.count == 1)
        try instance.run()
        try instance.ask("http", ["url": "x"])
        #expect(try instance.said("answer") == ["\"1\"", "\"2\""])
        #expect(instance.stubs.unused.isEmpty)
    }

    // MARK: When

    @Test func `an answer comes at its instant, or at once when that is past`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [["http": "*", "reply": ["value": 1, "at": 30]]])
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.run()
        try instance.ask("http", ["url": "x"], atTick: 40)
        try instance.run()
        #expect(
            instance.lines.filter { $0.contains("answer http") } == [
                "30 answer http 1", "40.1 answer http 1",
            ])
    }

    @Test func `a latency is drawn by the seed, and draws nothing of the feature's`() throws {
        func lines(_ seed: UInt64, _ latency: JSONValue) throws -> [String] {
            let probe = try ProbeLab()
            let instance = try probe.open(
                stubs: [["http": "*", "reply": ["value": 1, "latency": latency]]], seed: seed)
            for tick in [0, 100, 200, 300] {
                try instance.ask("http", ["url": "x"], atTick: tick)
            }
            try instance.ask("random", ["min": 1, "max": 1_000_000], atTick: 400)
            try instance.run()
            return instance.lines
        }
        func times(_ lines: [String]) -> [Int] {
            lines.filter { $0.contains("answer http") }
                .map { Int($0.prefix { $0.isNumber })! % 100 }
        }
        let drawn = try lines(7, ["uniform": [20, 80]])
        #expect(try drawn == lines(7, ["uniform": [20, 80]]))
        #expect(times(drawn).allSatisfy { (20...80).contains($0) } && Set(times(drawn)).count > 1)
        #expect(try times(drawn) != times(lines(8, ["uniform": [20, 80]])))
        let fixed = try lines(7, ["fixed": 50])
        #expect(times(fixed) == [50, 50, 50, 50])
        #expect(fixed.last == drawn.last)
    }

    @Test func `what is held comes when it is released, in the order asked`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["http": "*", "reply": ["value": 1, "release": "gate"]]
        ])
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.advance(toTick: 50)
        #expect(instance.heldNames == ["gate"] && instance.clock.pendingCount == 0)
        #expect(instance.release("other") == 0)
        #expect(instance.release("gate") == 1)
        #expect(instance.lines.suffix(2) == ["50 answer http 1", "50 output answer \"1\""])
        #expect(instance.release("gate") == 0 && instance.heldNames.isEmpty)
        // What is given up is held no longer.
        try instance.ask("http", ["url": "x"])
        try instance.send("giveUp", nil)
        #expect(instance.release("gate") == 0)
    }

    @Test func `several answers come one after the other, and the record tells them apart`() throws
    {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            [
                "feed": true,
                "reply": [
                    "after": 5,
                    "chunks": [
                        ["value": 1], ["value": 2, "after": 10], ["fail": "reset", "after": 10],
                    ],
                ],
            ]
        ])
        try instance.ask("feed", [:], atTick: 10)
        try instance.advance(toTick: 15)
        var more: [Bool] = []
        instance.record.forEach(since: 0) { _, entry, _ in
            if entry.kind == .answer { more.append(entry.hasMore) }
            return true
        }
        // The probe takes one answer and gives the rest up.
        #expect(more == [true] && instance.openEffects.isEmpty && instance.clock.pendingCount == 0)
    }
}
