// SPDX-License-Identifier: Apache-2.0

/// What JSON a port carries: the part of JSON Schema that Swift types need.
public indirect enum Schema: Equatable, Sendable {
    /// `null`, what a `Void` port carries.
    case null
    /// `true` or `false`.
    case boolean
    /// A whole number of 64 bits.
    case integer
    /// Any number.
    case number
    /// Text.
    case string
    /// One of the given texts.
    case oneOf([String])
    /// The given schema, or `null`.
    case optional(Schema)
    /// A list.
    case array(Schema)
    /// An object with any names.
    case dictionary(Schema)
    /// An object with the given members.
    case object([Member])
    /// Anything.
    case any

    /// One member of an object.
    public struct Member: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// What it carries.
        public var schema: Schema
        /// Whether it may be left out.
        public var isOptional: Bool

        /// A member.
        public init(name: String, schema: Schema, isOptional: Bool = false) {
            self.name = name
            self.schema = schema
            self.isOptional = isOptional
        }
    }

    /// The schema as JSON Schema text; the same schema is the same text.
    public var json: String {
        var text = JSONText()
        write(into: &text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    func write(into text: inout JSONText) {
        switch self {
        case .null: text.append(#"{"type":"null"}"#)
        case .boolean: text.append(#"{"type":"boolean"}"#)
        case .integer: text.append(#"{"type":"integer"}"#)
        case .number: text.append(#"{"type":"number"}"#)
        case .string: text.append(#"{"type":"string"}"#)
        case .any: text.append("true")
        case .oneOf(let values):
            text.append(#"{"enum":["#)
            for (index, value) in values.enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoting: value)
            }
            text.append("]}")
        case .optional(let schema):
            text.append(#"{"anyOf":["#)
            schema.write(into: &text)
            text.append(#",{"type":"null"}]}"#)
        case .array(let element):
            text.append(#"{"type":"array","items":"#)
            element.write(into: &text)
            text.append("}")
        case .dictionary(let value):
            text.append(#"{"type":"object","additionalProperties":"#)
            value.write(into: &text)
            text.append("}")
        case .object(let members):
            text.append(#"{"type":"object","properties":{"#)
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoting: member.name)
                text.append(":")
                member.schema.write(into: &text)
            }
            text.append(#"},"required":["#)
            for (index, member) in members.filter({ !$0.isOptional }).enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoting: member.name)
            }
            text.append(#"],"additionalProperties":false}"#)
        }
    }
}
