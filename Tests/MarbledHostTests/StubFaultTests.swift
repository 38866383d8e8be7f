// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

/// Faults of a network: what a feature is told of each, and what a rule may say.
@Suite struct StubFaultTests {
    /// What the rule answers to one request, as the record tells it.
    private func answers(
        _ reply: JSONValue, stream: Bool = false, effect: String = "http", seed: UInt64 = 7
    ) throws -> [String] {
        var book = StubBook(seed: seed)
        book.replace(with: [try .read(.object([(effect, .bool(true)), ("reply", reply)]))])
        let request: JSONValue =
            stream ? ["url": "http://h/", "stream": true] : ["url": "http://h/"]
        guard case .answers(let answers)? = book.answering(effect, request, at: 0) else {
            return []
        }
        return answers.map { one in
            let text = String(decoding: one.answer.json, as: UTF8.self)
            return "\(one.after / 1_000_000) \(one.answer.event.name) \(text)"
                + (one.answer.isLast ? "" : " …")
        }
    }

    // MARK: What they are

    @Test(
        arguments: [
            (
                ["reset": true], false,
                [#"0 error {"kind":"reset","message":"a stub reset the connection"}"#]
            ),
            (
                ["reset": true, "after": 5], true,
                [#"5 error {"kind":"reset","message":"a stub reset the connection"}"#]
            ),
            (
                ["reset": ["after": 3], "body": "hello", "after": 5], false,
                [
                    #"5 error {"kind":"reset","message":"a stub reset the connection after 3 bytes"}"#
                ]
            ),
            (
                ["reset": ["after": 3], "body": "hello", "status": 201], true,
                [
                    #"0 next {"status":201} …"#, #"0 next {"body":"hel"} …"#,
                    #"0 error {"kind":"reset","message":"a stub reset the connection after 3 bytes"}"#,
                ]
            ),
            (
                // The second byte is in the middle of a character.
                ["reset": ["after": 2], "body": "aé"], true,
                [
                    #"0 next {"status":200} …"#, #"0 next {"body":"a"} …"#,
                    #"0 error {"kind":"reset","message":"a stub reset the connection after 2 bytes"}"#,
                ]
            ),
            (
                ["reset": ["after": 0], "json": [1]], true,
                [
                    #"0 next {"status":200} …"#,
                    #"0 error {"kind":"reset","message":"a stub reset the connection after 0 bytes"}"#,
                ]
            ),
            (["empty": true], false, [#"0 next {"status":200,"body":""}"#]),
            (
                ["empty": true, "status": 204, "headers": ["a": "b"], "after": 2], false,
                [#"2 next {"status":204,"headers":{"a":"b"},"body":""}"#]
            ),
            (
                ["malformed": "<html>", "status": 502], false,
                [#"0 next {"status":502,"body":"<html>"}"#]
            ),
            (
                ["json": [1], "duplicate": 3, "after": 4], false,
                [
                    #"4 next {"status":200,"body":"[1]"} …"#,
                    #"4 next {"status":200,"body":"[1]"} …"#,
                    #"4 next {"status":200,"body":"[1]"}"#,
                ]
            ),
        ] as [(JSONValue, Bool, [String])])
    func `a fault of http is told like this`(
        _ reply: JSONValue, _ stream: Bool, _ expected: [String]
    ) throws {
        #expect(try answers(reply, stream: stream) == expected)
    }

    @Test func `another effect resets, answers what nobody meant, and answers twice`() throws {
        #expect(
            try answers(["reset": true], effect: "feed")
                == [#"0 error {"kind":"reset","message":"a stub reset the connection"}"#])
        #expect(try answers(["malformed": [1]], effect: "feed") == ["0 next [1]"])
        #expect(
            try answers(["value": 1, "duplicate": 2], effect: "feed") == ["0 next 1 …", "0 next 1"])
    }

    @Test func `garbage is the seed's, is no JSON, and comes behind its head`() throws {
        let drawn = try answers(["malformed": true, "status": 206])
        #expect(try drawn == answers(["malformed": true, "status": 206]))
        #expect(try drawn != answers(["malformed": true, "status": 206], seed: 8))
        #expect(drawn[0].hasPrefix(#"0 next {"status":206,"body":"<"#))
        #expect(try answers(["malformed": true], effect: "feed")[0].hasPrefix(#"0 next "<"#))
        let letters = try answers(["reset": ["after": 12]], stream: true)
        let piece = try JSONValue(parsing: String(letters[1].dropFirst(7).dropLast(2)))
        #expect(piece["body"]?.string?.utf8.count == 12)
    }

    // MARK: Chunks of a body

    private static let pieces: JSONValue = [
        "status": 203, "headers": ["a": "b"], "after": 5,
        "chunks": [["body": "ab"], ["json": [1], "after": 10], ["body": "", "after": 12]],
    ]

    @Test func `a stream gets the head when the first piece could come, then pieces and an end`()
        throws
    {
        #expect(
            try answers(Self.pieces, stream: true) == [
                #"5 next {"status":203,"headers":{"a":"b"}} …"#, #"5 next {"body":"ab"} …"#,
                #"15 next {"body":"[1]"} …"#, #"17 next {"body":""} …"#, "17 completed ",
            ])
    }

    @Test func `who wants all at once gets it with the last piece, or the failure`() throws {
        #expect(
            try answers(Self.pieces)
                == [#"17 next {"status":203,"headers":{"a":"b"},"body":"ab[1]"}"#])
        let broken: JSONValue = [
            "chunks": [["status": 500, "body": "a"], ["fail": "reset", "after": 3]]
        ]
        let failure = #"3 error {"kind":"reset","message":"a stub answered so"}"#
        #expect(try answers(broken) == [failure])
        #expect(
            try answers(broken, stream: true)
                == [#"0 next {"status":500} …"#, #"0 next {"body":"a"} …"#, failure])
    }

    // MARK: What cannot be read

    @Test(
        arguments: [
            ("http", ["reset": false], "/reply/reset", "true or {\"after\": bytes}"),
            ("feed", ["reset": 5], "/reply/reset", "true"),
            (
                "feed", ["reset": ["after": 5]], "/reply/reset",
                "true; only the body of http is counted in bytes"
            ),
            (
                "http", ["reset": ["aftr": 5]], "/reply/reset/aftr",
                "one of after; did you mean after?"
            ),
            (
                "http", ["reset": ["after": 6], "body": "hello"], "/reply/reset/after",
                "a number of bytes from 0 to 5, which the body has"
            ),
            (
                "http", ["reset": ["after": -1]], "/reply/reset/after",
                "a number of bytes from 0 to 1048576"
            ),
            (
                "http", ["reset": true, "json": 1], "/reply/json",
                "allowed: nothing comes before this reset; give it as {\"after\": bytes}"
            ),
            (
                "http", ["rset": true], "/reply/rset",
                """
                one of status, headers, json, body, duplicate, after, at, latency, release; \
                did you mean reset?
                """
            ),
            ("http", ["empty": 1], "/reply/empty", "true"),
            (
                "http", ["empty": true, "body": "x"], "/reply/body",
                "one of empty, status, headers, duplicate, after, at, latency, release"
            ),
            (
                "feed", ["empty": true], "/reply/empty",
                """
                one of never, fail, chunks, value, reset, malformed, after, at, latency, release
                """
            ),
            (
                "http", ["malformed": 5], "/reply/malformed", "true or the text of a body"
            ),
            (
                "http", ["json": 1, "duplicate": 1], "/reply/duplicate",
                "a number of answers from 2 to 100"
            ),
            (
                "http", ["chunks": [["body": "a"], ["status": 201]]], "/reply/chunks/1/status",
                "allowed: the head came before"
            ),
            (
                "http", ["status": 200, "chunks": [["status": 201]]], "/reply/chunks/0/status",
                "allowed: the head came before"
            ),
            (
                "http", ["chunks": [["fail": "reset"], ["body": "a"]]], "/reply/chunks/0/fail",
                "the last chunk: nothing comes behind a failure"
            ),
            (
                "feed", ["chunks": [["fail": "reset"], ["value": 1]]], "/reply/chunks/0/fail",
                "the last chunk: nothing comes behind a failure"
            ),
            (
                "http", ["chunks": [["body": "a"], ["reset": true]]], "/reply/chunks/1",
                "one answer or failure, with \"after\""
            ),
            (
                "http", ["chunks": [["body": "a", "duplicate": 2]]], "/reply/chunks/0",
                "one answer or failure, with \"after\""
            ),
        ] as [(String, JSONValue, String, String)])
    func `a fault that cannot be read says where and what would be right`(
        _ effect: String, _ reply: JSONValue, _ pointer: String, _ expected: String
    ) {
        #expect(throws: HostError.badValue(pointer: "/stubs/0" + pointer, expected: expected)) {
            _ = try Stub.read(JSONValue.object([(effect, .bool(true)), ("reply", reply)]))
        }
    }

    // MARK: On the timeline

    @Test
    func `of a duplicate who asks for one answer hears the first, who asks for many hears all`()
        throws
    {
        let probe = try ProbeLab()
        let instance = try probe.open(stubs: [
            ["http": "*", "reply": ["value": 1, "duplicate": 2, "after": 5]]
        ])
        try instance.ask("http", ["url": "x"], atTick: 10)
        try instance.ask("http", ["url": "x"], atTick: 30, many: true)
        try instance.run()
        #expect(try instance.said("answer") == ["\"1\"", "\"1\"", "\"1\""])
        #expect(instance.openEffects.isEmpty && instance.clock.pendingCount == 0)
    }
}
