// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

@Suite struct `Words of a command line` {
    @Test(
        arguments: [
            ("3", 3), ("-0.5", -0.5), ("true", true), ("null", nil), ("[1,2]", [1, 2]),
            (#"{"a":1}"#, ["a": 1]), (#""42""#, "42"), ("abc", "abc"), ("", ""), ("01", "01"),
            ("1 2", "1 2"), ("{oops", "{oops"),
        ] as [(String, JSONValue)])
    func `are JSON where they read as JSON`(text: String, value: JSONValue) {
        #expect(ArgumentText.value(text) == value)
    }

    @Test func `make an object of key=value`() throws {
        #expect(
            try ArgumentText.members(["seed=7", "source=http", "url=http://h/?a=b", "empty="])
                == ["seed": 7, "source": "http", "url": "http://h/?a=b", "empty": ""])
    }

    @Test(arguments: [["seed"], ["=7"], ["a=1", "a=2"]])
    func `are refused where they are neither`(words: [String]) {
        let complaint = #expect(throws: Complaint.self) { try ArgumentText.members(words) }
        #expect(complaint?.status == .usage)
    }

    @Test func `are the parameters of a call in both forms`() throws {
        #expect(try ArgumentText.parameters([]) == [:])
        #expect(try ArgumentText.parameters(["a=1", "b=x"]) == ["a": 1, "b": "x"])
        #expect(try ArgumentText.parameters([#" {"a": [1]}"#]) == ["a": [1]])
        #expect(throws: Complaint.self) { try ArgumentText.parameters([#"{"a": }"#]) }
    }

    @Test(
        arguments: [
            ("0", 0), ("300ms", 300_000_000), ("1.5s", 1_500_000_000), ("2m", 120_000_000_000),
            ("7ns", 7),
        ] as [(String, Int64)])
    func `are times with a unit`(text: String, nanoseconds: Int64) throws {
        #expect(try ArgumentText.time(text, of: "--at") == .int(nanoseconds))
    }

    @Test(arguments: [
        ("300", "--at 300 has no unit"), ("-5", "--at \"-5\" is no duration"),
        ("soon", "--at \"soon\" is no duration"), ("", "--at \"\" is no duration"),
    ])
    func `are no times without one`(text: String, sentence: String) {
        let complaint = #expect(throws: Complaint.self) {
            try ArgumentText.time(text, of: "--at")
        }
        #expect(complaint?.sentence == sentence)
        #expect(complaint?.advice != nil)
    }
}

@Suite struct `Flow text` {
    @Test func `leaves quotes out`() throws {
        #expect(
            try FlowText.parse(
                "{http: GET */random*, reply: {status: 200, json: [1, two]}, delay: 10ms}")
                == [
                    "http": "GET */random*", "reply": ["status": 200, "json": [1, "two"]],
                    "delay": "10ms",
                ])
    }

    @Test func `keeps colons that no blank follows`() throws {
        #expect(
            try FlowText.parse("[{http: GET https://h:8/x}, 'it''s', \"a\\nb\", {}]")
                == [["http": "GET https://h:8/x"], "it's", "a\nb", [:]])
    }

    @Test(arguments: [
        "null", "[1, 2.5, \"x\"]", #"{"a":{"b":[true,null]},"c":"d, e"}"#, "-1e3", #""\u0041""#,
    ])
    func `reads all JSON as itself`(text: String) throws {
        #expect(try FlowText.parse(text) == JSONValue(parsing: text))
    }

    @Test(arguments: [
        "{a: 1", "{a 1}", "[1, 2", "[x", "{a: 1, a: 2}", "{: 1}", "[,]", "{a: }", "'open",
        "[1] x", "\"\\q\"", String(repeating: "[x,", count: 100),
    ])
    func `refuses what is neither`(text: String) {
        #expect(throws: FlowFault.self) { try FlowText.parse(text) }
    }

    @Test func `gives stubs as one, as a list and as part of a scenario`() throws {
        let rule: JSONValue = ["http": "GET *"]
        #expect(try ArgumentText.stubs("{http: GET *}") == [rule])
        #expect(try ArgumentText.stubs("[{http: GET *}]") == [rule])
        #expect(try ArgumentText.stubs("{stubs: [{http: GET *}]}") == [rule])
        #expect(throws: Complaint.self) { try ArgumentText.stubs("7") }
        #expect(throws: Complaint.self) { try ArgumentText.stubs("{") }
    }
}
