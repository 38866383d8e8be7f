// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct JSONValueTests {
    @Test(arguments: [
        "null", "true", "-1", "0.5", #""a\"b""#, "[]", "{}", #"{"b":1,"a":[1,2,{"c":null}]}"#,
        "9223372036854775807", "-9223372036854775808", #"{"":""}"#,
    ])
    func `text comes back as it was`(_ text: String) throws {
        #expect(try JSONValue(parsing: text).text == text)
        #expect(try JSONValue(parsing: JSONValue(parsing: text).prettyText).text == text)
    }

    @Test func `pretty text has a line for each value`() {
        let value: JSONValue = ["a": [1, "x"], "b": [:], "c": [], "d": ["e": nil]]
        #expect(
            value.prettyText == """
                {
                  "a": [
                    1,
                    "x"
                  ],
                  "b": {},
                  "c": [],
                  "d": {
                    "e": null
                  }
                }
                """)
    }

    @Test func `texts and names are told apart by their bytes, however alike they look`() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(JSONValue.string(composed) != .string(decomposed))
        let text = "{\"\(composed)\":1,\"\(decomposed)\":2}"
        let value = try JSONValue(parsing: text)
        #expect(value.text == text)
        #expect(value[composed] == 1 && value[decomposed] == 2)
        #expect(value != [composed: 1] && value == [decomposed: 2, composed: 1])
    }

    @Test func `what is nested deep is read in one pass`() throws {
        let depth = 1_000
        let inner = String(repeating: "[1,{\"a\":\"]\\\"\"}],", count: 20_000)
        let text =
            String(repeating: "[", count: depth) + inner + "2"
            + String(repeating: "]", count: depth)
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test func `equality is JSON's`() throws {
        #expect(
            try JSONValue(parsing: #"{"a":1,"b":2}"#) == JSONValue(parsing: #"{"b":2,"a":1.0}"#))
        #expect(JSONValue.int(1) != .string("1"))
        #expect(JSONValue.int(0) != .bool(false))
        #expect(JSONValue.int(.max) != .double(0x1p63))
        #expect(["a": 1] as JSONValue != ["a": 1, "b": nil])
        #expect([1, 2] as JSONValue != [2, 1])
    }

    @Test func `of members with one name the last counts`() throws {
        let value = try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#)
        #expect(value.text == #"{"a":3,"b":2}"#)
    }

    @Test func `members are set, replaced and removed in place`() {
        var value: JSONValue = ["a": 1, "b": 2, "c": 3]
        value["b"] = nil
        value["c"] = 4
        value["d"] = 5
        #expect(value.text == #"{"a":1,"c":4,"d":5}"#)
        #expect(value["d"]?.int == 5)
        #expect(value["b"] == nil)
    }

    @Test func `large integers become doubles, and numbers beyond doubles are refused`() throws {
        #expect(try JSONValue(parsing: "9223372036854775808").double == 9_223_372_036_854_775_808)
        #expect(throws: JSONFault.number) { try JSONValue(parsing: "[1e400]") }
    }

    @Test func `the deepest legal text is read`() throws {
        let text = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
        #expect(try JSONValue(parsing: text).text == text)
        let deeper = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
        #expect(throws: JSONFault.depth) { try JSONValue(parsing: deeper) }
    }
}
