// SPDX-License-Identifier: Apache-2.0

/// A short type for a parameter: a word for people and a JSON Schema for machines.
package struct ParameterType: Sendable, Equatable {
    /// The word that help prints.
    package let name: String

    /// The JSON Schema, as text.
    package let schema: String

    package init(name: String, schema: String) {
        self.name = name
        self.schema = schema
    }

    package static let any = ParameterType(name: "any", schema: "{}")
    package static let string = ParameterType(name: "string", schema: #"{"type":"string"}"#)
    package static let integer = ParameterType(name: "integer", schema: #"{"type":"integer"}"#)
    package static let number = ParameterType(name: "number", schema: #"{"type":"number"}"#)
    package static let boolean = ParameterType(name: "boolean", schema: #"{"type":"boolean"}"#)
    package static let object = ParameterType(name: "object", schema: #"{"type":"object"}"#)
    package static let array = ParameterType(name: "array", schema: #"{"type":"array"}"#)
    package static let duration = ParameterType(
        name: "duration",
        schema: #"{"type":["integer","string"],"minimum":0,"#
            + #""pattern":"^[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h)$"}"#)

    /// One of some words.
    package static func choice(_ words: [String]) -> ParameterType {
        let quoted = words.map { JSONValue.string($0).text }.joined(separator: ",")
        return ParameterType(name: words.joined(separator: "|"), schema: "{\"enum\":[\(quoted)]}")
    }
}

/// A parameter that a method declares. Names that nobody declared are refused before any effect.
package struct Parameter: Sendable {
    package let name: StaticString
    package let isRequired: Bool
    package let type: ParameterType

    /// One sentence for help and `rpc.discover`.
    package let doc: String

    package static func required(
        _ name: StaticString, _ type: ParameterType, _ doc: String
    ) -> Parameter {
        Parameter(name: name, isRequired: true, type: type, doc: doc)
    }

    package static func optional(
        _ name: StaticString, _ type: ParameterType, _ doc: String
    ) -> Parameter {
        Parameter(name: name, isRequired: false, type: type, doc: doc)
    }
}
