// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import Testing

@Suite struct PortValueTests {
    struct Point: PortValue, Equatable {
        var x: Int
        var y: Int?
        var tags: [String] = []
    }

    enum Colour: String, CaseIterable, PortValue {
        case red
        case green
    }

    private func roundTrip<Value: PortValue & Equatable>(
        _ value: Value, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var json = JSONText()
        try value.encode(into: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == text, sourceLocation: sourceLocation)
        #expect(try decode(Value.self, text) == value, sourceLocation: sourceLocation)
    }

    private func decode<Value: PortValue>(_ type: Value.Type, _ text: String) throws -> Value {
        try Array(text.utf8).withUnsafeBytes { try Value.decode($0) }
    }

    @Test func `scalars cross as JSON and come back`() throws {
        try roundTrip(true, "true")
        try roundTrip(false, "false")
        for number in [0, 7, 10, -1, .max, .min, 1_000_000] { try roundTrip(number, "\(number)") }
        for number in [0.5, -1e300, 1e-7, 0.1 + 0.2, 3] {
            try roundTrip(number, number.description)
        }
        try roundTrip("", "\"\"")
        try roundTrip("é\u{1F600}/", "\"é\u{1F600}/\"")
        try roundTrip("a\"\\\n\r\t\u{1}\u{1F}", #""a\"\\\n\r\t\u0001\u001f""#)
    }

    @Test func `compounds cross as JSON and come back`() throws {
        try roundTrip(Int?.none, "null")
        try roundTrip(Int?.some(3), "3")
        try roundTrip([Int](), "[]")
        try roundTrip([1, 2, 3], "[1,2,3]")
        try roundTrip([["a"], []], "[[\"a\"],[]]")
        try roundTrip(["b": 1, "a": 2], "{\"a\":2,\"b\":1}")
        try roundTrip(Colour.green, "\"green\"")
        try roundTrip([Colour.red], "[\"red\"]")
        try roundTrip(Point(x: 1, y: nil), "{\"tags\":[],\"x\":1}")
        try roundTrip([Point(x: 1, y: 2, tags: ["/"])], "[{\"tags\":[\"/\"],\"x\":1,\"y\":2}]")
    }

    @Test func `other spellings of a value are read`() throws {
        #expect(try decode(Int.self, "-0") == 0)
        #expect(try decode(Double.self, "1E+2") == 100)
        #expect(try decode(Double.self, "-0") == 0)
        #expect(try decode(String.self, #""\u00e9\ud83d\ude00\/""#) == "é\u{1F600}/")
        #expect(try decode([Int].self, "[ 1 ,\t2 ]") == [1, 2])
    }

    @Test(arguments: [
        "", "-", "1.5", "1e3", "+1", "a", "9223372036854775808", "-9223372036854775809", "true",
    ])
    func `what is no integer is refused`(_ text: String) {
        #expect(throws: PortValueError.self) { try decode(Int.self, text) }
    }

    @Test(arguments: ["", "nan", "inf", "+1", "0x1p3", "1e999", "\"1\"", "null"])
    func `what is no number is refused`(_ text: String) {
        #expect(throws: PortValueError.self) { try decode(Double.self, text) }
    }

    @Test(arguments: ["", "\"", "a", "1", "null", #""\x""#])
    func `what is no string is refused`(_ text: String) {
        #expect(throws: PortValueError.self) { try decode(String.self, text) }
    }

    @Test func `what does not fit is told with its place`() {
        let sentences: [(String, String)] = [
            ("{}", "\"x\" is missing"),
            ("{\"x\":1,\"tags\":[1]}", "/tags/0"),
            ("{\"x\":\"1\",\"tags\":[]}", "/x"),
        ]
        for (text, part) in sentences {
            let error = #expect(throws: PortValueError.self) { try decode(Point.self, text) }
            #expect(error?.description.contains(part) == true, "\(error as Any)")
        }
        #expect(throws: PortValueError.self) { try decode(Colour.self, "\"blue\"") }
        #expect(throws: PortValueError.self) { try decode(Bool.self, "1") }
        #expect(throws: PortValueError.self) { try decode(Int?.self, "\"1\"") }
    }

    @Test func `a number that JSON cannot say is refused`() {
        for number in [Double.nan, .infinity, -.infinity] {
            var json = JSONText()
            #expect(throws: PortValueError.self) { try number.encode(into: &json) }
        }
    }

    @Test func `any encodable value is written, by its direct path where it has one`() throws {
        struct Plain: Codable, Equatable { var a: [Int] }
        #expect(try JSONText.encode(Plain(a: [1])) == Array("{\"a\":[1]}".utf8))
        #expect(try JSONText.encode(5) == [UInt8(ascii: "5")])
        #expect(
            try Array("{\"a\":[1]}".utf8).withUnsafeBytes {
                try JSONText.decode(Plain.self, from: $0)
            }
                == Plain(a: [1]))
        #expect(
            try [UInt8(ascii: "5")].withUnsafeBytes { try JSONText.decode(Int.self, from: $0) } == 5
        )
    }
}
