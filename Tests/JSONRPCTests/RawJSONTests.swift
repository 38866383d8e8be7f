// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct RawJSONTests {
    /// Lists what `body` makes of the text.
    private func read<Result>(_ text: String, _ body: (RawJSON) -> Result) throws -> Result {
        try #require(
            Array(text.utf8).withUnsafeBytes { JSONValidator().validate($0) } == nil, "not JSON")
        return Array(text.utf8).withUnsafeBytes { body(RawJSON(validated: $0)) }
    }

    @Test func `members are cut out as written`() throws {
        let text =
            #" { "a" : 1 , "b\"c":[ {"x":"]}"} ,2 ] ,"":"", "d" : {"}":"{"},"e":-1.5e3 , "f":null} "#
        let members = try read(text) { value in
            value.members.map { [$0.key.string, String(decoding: $0.value.bytes, as: UTF8.self)] }
        }
        #expect(
            members == [
                ["a", "1"], ["b\"c", #"[ {"x":"]}"} ,2 ]"#], ["", #""""#], ["d", #"{"}":"{"}"#],
                ["e", "-1.5e3"], ["f", "null"],
            ])
    }

    @Test func `elements are cut out as written`() throws {
        let elements = try read(#"[1,"a,b\\", [ ],{"k":[1]} ,true,false , null ]"#) { value in
            value.elements.map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        #expect(
            elements == ["1", #""a,b\\""#, "[ ]", #"{"k":[1]}"#, "true", "false", "null"])
    }

    @Test(arguments: ["{}", "[]", "{ }", "[ ]", "1", "null", #""a""#])
    func `what holds nothing has no members and no elements`(_ text: String) throws {
        #expect(try read(text) { Array($0.members).count } == 0)
        #expect(try read(text) { Array($0.elements).count } == 0)
    }

    @Test func `integers are exact and nothing else is an integer`() throws {
        #expect(try read("9223372036854775807", \.int64) == .max)
        #expect(try read("-9223372036854775808", \.int64) == .min)
        for text in ["9223372036854775808", "1.0", "1e3", "\"1\"", "true", "1e400"] {
            #expect(try read(text, \.int64) == nil, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("-0", -0.0), ("1e3", 1000),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("9007199254740993", 9007199254740992),
        ] as [(String, Double)])
    func `doubles are the nearest`(_ text: String, _ number: Double) throws {
        #expect(try read(text, \.double) == number)
    }

    @Test func `a number beyond doubles is no double, one too small is zero`() throws {
        let long = "1" + String(repeating: "0", count: 400)
        #expect(try read("1e400", \.double) == nil)
        #expect(try read("-1e400", \.double) == nil)
        #expect(try read(long + "e-5", \.double) == nil)
        #expect(try read(long + "e-400", \.double) == 1)
        let small = "0." + String(repeating: "0", count: 400) + "1"
        #expect(try read(small, \.double) == 0)
        #expect(try read(small + "e5", \.double) == 0)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
        (#""\b\f\n\r\t""#, "\u{8}\u{c}\n\r\t"), (#""\u0041\u00fc\u20AC""#, "Aü€"),
        (#""\ud83d\ude00!""#, "😀!"),
        (
            #""long enough to be skipped in words \n yes""#,
            "long enough to be skipped in words \n yes"
        ),
    ])
    func `escapes are undone`(_ text: String, _ string: String) throws {
        #expect(try read(text, \.string) == string)
    }

    @Test func `bytes above 127 do not hide the end of a string`() throws {
        // Every length around the eight bytes that are looked at together.
        for length in 0..<20 {
            let text = "\"" + String(repeating: "é", count: length) + "!\""
            let values = try read("[\(text),\(text)]") { $0.elements.map { $0.string ?? "" } }
            #expect(
                values == Array(repeating: String(repeating: "é", count: length) + "!", count: 2))
        }
    }
}
