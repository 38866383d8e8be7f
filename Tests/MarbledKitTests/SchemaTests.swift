// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import Testing

@Suite struct SchemaTests {
    enum Kind: String, CaseIterable, PortValue {
        case one
        case two
    }

    struct Inner: PortValue {
        var name: String
        var kinds: [Kind]
    }

    struct Outer: PortValue {
        var id: Int
        var ratio: Double
        var isOn: Bool
        var note: String?
        var count: Int?
        var kind: Kind
        var inner: Inner
        var maybe: Inner?
        var list: [Inner]
        var map: [String: Int]
        var nested: [[Int]]
        var small: UInt8
    }

    @Test func `a struct's schema is read off its type, in the order of its members`() {
        let inner = #"""
            {"type":"object","properties":{"name":{"type":"string"},"kinds":{"type":"array","items":{"enum":["one","two"]}}},"required":["name","kinds"],"additionalProperties":false}
            """#
        #expect(Inner.schema.json == inner)
        #expect(
            Outer.schema.json
                == #"""
                {"type":"object","properties":{"id":{"type":"integer"},"ratio":{"type":"number"},"isOn":{"type":"boolean"},"note":{"anyOf":[{"type":"string"},{"type":"null"}]},"count":{"anyOf":[{"type":"integer"},{"type":"null"}]},"kind":{"enum":["one","two"]},"inner":INNER,"maybe":{"anyOf":[INNER,{"type":"null"}]},"list":{"type":"array","items":INNER},"map":{"type":"object","additionalProperties":{"type":"integer"}},"nested":{"type":"array","items":{"type":"array","items":{"type":"integer"}}},"small":{"type":"integer"}},"required":["id","ratio","isOn","kind","inner","list","map","nested","small"],"additionalProperties":false}
                """#.replacing("INNER", with: inner))
    }

    @Test func `scalars and compounds have schemas of their own`() {
        #expect(Bool.schema.json == #"{"type":"boolean"}"#)
        #expect(Int.schema.json == #"{"type":"integer"}"#)
        #expect(Double.schema.json == #"{"type":"number"}"#)
        #expect(String.schema.json == #"{"type":"string"}"#)
        #expect(Int?.schema.json == #"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#)
        #expect([Int].schema.json == #"{"type":"array","items":{"type":"integer"}}"#)
        #expect(
            [String: Bool].schema.json
                == #"{"type":"object","additionalProperties":{"type":"boolean"}}"#)
        #expect(Kind.schema.json == #"{"enum":["one","two"]}"#)
        #expect(Schema.null.json == #"{"type":"null"}"#)
        #expect(Schema.any.json == "true")
        #expect(EffectError.schema.json.contains(#""kind":{"type":"string"}"#))
    }

    @Test func `names are escaped as JSON asks`() {
        let schema = Schema.object([.init(name: "a\"b", schema: .oneOf(["\n"]))])
        #expect(schema.json.contains(#""a\"b":{"enum":["\n"]}"#))
    }
}
