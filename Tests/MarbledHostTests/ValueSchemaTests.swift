// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import TestSupport
import Testing

@Suite struct ValueSchemaTests {
    @Test(
        arguments: [
            (true, ["null", "1", "\"a\"", "[1]", "{\"a\":1}"], []),
            (["description": "Anything."], ["null", "[]"], []),
            (["type": "null"], ["null"], ["0", "false", "\"\"", "[]", "{}"]),
            (["type": "boolean"], ["true", "false"], ["null", "0", "\"true\""]),
            (
                ["type": "integer"],
                ["0", "-1", "9223372036854775807", "-9223372036854775808", "123456789012345678"],
                [
                    "1.5", "1e3", "9223372036854775808", "-9223372036854775809", "\"1\"", "null",
                    "true",
                ]
            ),
            (
                ["type": "integer", "minimum": 1, "maximum": 3], ["1", "2", "3"],
                ["0", "4", "-1", "2.0"]
            ),
            (["type": "integer", "minimum": 0], ["0", "9223372036854775807"], ["-1"]),
            (["type": "integer", "maximum": 0], ["0", "-9223372036854775808"], ["1"]),
            (
                ["type": "number"], ["0", "-1.5", "1e300", "9223372036854775808"],
                ["\"1\"", "null", "[1]"]
            ),
            (["type": "string"], ["\"\"", "\"a\\n\""], ["1", "null", "[\"a\"]"]),
            (["enum": ["a", 1, nil]], ["\"a\"", "1", "1.0", "null"], ["\"b\"", "2", "[]"]),
            (
                ["anyOf": [["type": "integer"], ["type": "null"]]], ["1", "null"], ["1.5", "\"a\""]
            ),
            (["type": "array"], ["[]", "[1,\"a\"]"], ["{}", "1"]),
            (
                ["type": "array", "items": ["type": "integer"]], ["[]", "[1,2]"],
                ["[1,\"a\"]", "[null]"]
            ),
            (["type": "object"], ["{}", "{\"a\":1}"], ["[]", "null"]),
            (
                [
                    "type": "object",
                    "properties": ["a": ["type": "integer"], "b": ["type": "string"]],
                    "required": ["a"], "additionalProperties": false,
                ],
                ["{\"a\":1}", "{\"b\":\"x\",\"a\":1}"],
                ["{}", "{\"b\":\"x\"}", "{\"a\":\"1\"}", "{\"a\":1,\"c\":1}"]
            ),
            (
                ["type": "object", "additionalProperties": ["type": "integer"]],
                ["{}", "{\"a\":1}"], ["{\"a\":\"1\"}"]
            ),
            (
                ["type": "object", "properties": [:], "additionalProperties": true], ["{\"a\":1}"],
                []
            ),
        ] as [(JSONValue, [String], [String])])
    func `values that fit pass and others do not`(
        _ json: JSONValue, _ good: [String], _ bad: [String]
    ) throws {
        let schema = try ValueSchema(json, path: "")
        for text in good { #expect(Self.accepts(schema, text), "\(text) fits \(json)") }
        for text in bad { #expect(!Self.accepts(schema, text), "\(text) does not fit \(json)") }
    }

    @Test(
        arguments: [
            ("x", "#/schema is not a schema: it is an object or true"),
            (false, "#/schema is not a schema: it is an object or true"),
            (["type": "int"], "#/schema/type is \"int\", which is no JSON type"),
            (["type": ["string", "null"]], "#/schema/type is not a string"),
            (
                ["type": "string", "pattern": "a*"],
                "#/schema/pattern is not a keyword this host checks"
            ),
            (
                ["type": "string", "minimum": 1],
                "#/schema/minimum is not a keyword this host checks"
            ),
            (
                ["type": "number", "minimum": 1],
                "#/schema/minimum is not a keyword this host checks"
            ),
            (["properties": [:]], "#/schema/properties is not a keyword this host checks"),
            (["type": "integer", "minimum": 1.5], "#/schema/minimum is not an integer of 64 bits"),
            (["enum": []], "#/schema/enum is not a list of at least one value"),
            (["enum": 1], "#/schema/enum is not a list of at least one value"),
            (["enum": [1], "type": "integer"], "#/schema/type is not a keyword this host checks"),
            (["anyOf": []], "#/schema/anyOf is not a list of at least one schema"),
            (["anyOf": [["type": 1]]], "#/schema/anyOf/0/type is not a string"),
            (
                ["type": "array", "items": 1],
                "#/schema/items is not a schema: it is an object or true"
            ),
            (["type": "object", "properties": 1], "#/schema/properties is not an object"),
            (
                ["type": "object", "properties": ["a": ["type": "x"]]],
                "#/schema/properties/a/type is \"x\", which is no JSON type"
            ),
            (["type": "object", "required": "a"], "#/schema/required is not a list of names"),
            (["type": "object", "required": [1]], "#/schema/required is not a list of names"),
            (
                ["type": "object", "additionalProperties": 1],
                "#/schema/additionalProperties is not a schema: it is an object or true"
            ),
        ] as [(JSONValue, String)])
    func `a schema that would not be checked is refused`(_ json: JSONValue, _ sentence: String) {
        let error = #expect(throws: ManifestError.self) {
            _ = try ValueSchema(json, path: "#/schema")
        }
        #expect(error?.description == sentence)
    }

    @Test(arguments: [
        ("{\"a\":{\"b\":[1,\"x\"]}}", "/value/a/b/1", "an integer"),
        ("{\"a\":{}}", "/value/a/b", "there, and it is required"),
        ("{\"a\":{\"b\":[],\"c\":1}}", "/value/a/c", "a known member (b)"),
        ("{\"a\":1}", "/value/a", "an object"),
        ("{\"a\":{\"b\":1}}", "/value/a/b", "a list, each item an integer"),
    ])
    func `what does not fit is named by its pointer`(
        _ text: String, _ pointer: String, _ expected: String
    ) throws {
        let inner: JSONValue = [
            "type": "object", "properties": ["b": ["type": "array", "items": ["type": "integer"]]],
            "required": ["b"], "additionalProperties": false,
        ]
        let schema = try ValueSchema(["type": "object", "properties": ["a": inner]], path: "")
        #expect(throws: HostError.badValue(pointer: pointer, expected: expected)) {
            try text.withBytes { bytes throws(HostError) in
                try schema.check(bytes, pointer: "/value")
            }
        }
    }

    @Test func `the quick look at text and the look at a tree agree`() throws {
        var random = SeededRandom(seed: 7)
        var accepted = 0
        for _ in 0..<20_000 {
            let schema = try ValueSchema(random.schema(depth: 2), path: "")
            let value = random.value(depth: 2)
            let quick = Self.accepts(schema, value.text)
            let slow = (try? schema.check(value, pointer: "")) != nil
            #expect(quick == slow, "\(value) against \(schema)")
            accepted += slow ? 1 : 0
        }
        // A test in which nothing, or everything, fits would prove little.
        #expect((2_000...18_000).contains(accepted))
    }

    @Test func `a schema is said in words`() throws {
        let words: [(JSONValue, String)] = [
            (["type": "integer", "minimum": 1, "maximum": 3], "an integer from 1 to 3"),
            (["type": "integer", "minimum": 1], "an integer of at least 1"),
            (["type": "integer", "maximum": 3], "an integer of at most 3"),
            (["enum": ["a", 1]], "one of \"a\", 1"),
            (["anyOf": [["type": "boolean"], ["type": "null"]]], "true or false or null"),
            (["type": "array", "items": ["type": "string"]], "a list, each item a string"),
            (true, "any JSON"),
        ]
        for (json, sentence) in words {
            #expect(try ValueSchema(json, path: "").expectation == sentence)
        }
    }

    @Test func `empty text fits nothing but what takes anything`() throws {
        #expect(!Self.accepts(try ValueSchema(["type": "string"], path: ""), ""))
        #expect(!Self.accepts(try ValueSchema(["type": "array"], path: ""), ""))
    }

    private static func accepts(_ schema: ValueSchema, _ text: String) -> Bool {
        (try? text.withBytes { bytes throws(HostError) in try schema.check(bytes, pointer: "") })
            != nil
    }
}

extension String {
    func withBytes(_ body: (UnsafeRawBufferPointer) throws(HostError) -> Void) throws(HostError) {
        let result = Array(utf8).withUnsafeBytes { bytes in
            Result { () throws(HostError) in try body(bytes) }
        }
        try result.get()
    }
}

/// Schemas and values at random.
extension SeededRandom {
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func schema(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 12 : 9) {
        case 0: return true
        case 1: return ["type": "null"]
        case 2: return ["type": "boolean"]
        case 3: return ["type": "integer"]
        case 4: return ["type": "integer", "minimum": .int(Int64(below(3)) - 1)]
        case 5: return ["type": "integer", "minimum": -1, "maximum": .int(Int64(below(9)))]
        case 6: return ["type": "number"]
        case 7: return ["type": "string"]
        case 8: return ["enum": [value(depth: 0), value(depth: 0), value(depth: 0)]]
        case 9: return ["type": "array", "items": schema(depth: depth - 1)]
        case 10: return ["anyOf": [schema(depth: depth - 1), schema(depth: depth - 1)]]
        default:
            return [
                "type": "object", "properties": ["a": schema(depth: depth - 1)],
                "required": below(2) == 0 ? ["a"] : [],
                "additionalProperties": below(2) == 0 ? false : schema(depth: depth - 1),
            ]
        }
    }

    mutating func value(depth: Int) -> JSONValue {
        switch below(depth > 0 ? 10 : 8) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .int(Int64(below(4)) - 1)
        case 3: return [.int(.max), .int(.min), 1e300, 0.5, -2.5][below(5)] ?? .null
        case 4: return .int(Int64(below(1_000_000_000)) * 1_000_000_007)
        case 5, 6: return .string(["", "a", "\"", "é\n"][below(4)])
        case 7: return .array([])
        case 8: return .array((0..<below(3)).map { _ in value(depth: depth - 1) })
        default:
            return .object((0..<below(3)).map { (["a", "b", "c"][$0], value(depth: depth - 1)) })
        }
    }
}
