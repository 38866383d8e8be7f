// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// What a JSON value looks like, as `rpc.discover` tells it: a JSON Schema put together from a few words.
///
/// Titles are the names that clients in other languages give to the types they generate; one title
/// stands for one shape everywhere. Results may grow: a client ignores members that it does not know.
struct Shape {
    let schema: JSONValue

    private init(_ schema: JSONValue) { self.schema = schema }

    static let any = Shape([:])
    static let boolean = Shape(["type": "boolean"])
    static let integer = Shape(["type": "integer"])
    static let string = Shape(["type": "string"])
    static let null = Shape(["type": "null"])
    /// Nanoseconds since the instance opened.
    static let instant = Shape([
        "type": "integer", "description": "Nanoseconds since the instance opened.",
    ])

    /// The same shape with a sentence on what it holds.
    func doc(_ sentence: String) -> Shape {
        var schema = schema
        schema["description"] = .string(sentence)
        return Shape(schema)
    }

    static func words(_ words: [String]) -> Shape {
        Shape(["enum": .array(words.map(JSONValue.string))])
    }

    static func list(_ element: Shape) -> Shape {
        Shape(["type": "array", "items": element.schema])
    }

    /// An object whose names are not known beforehand.
    static func map(_ value: Shape) -> Shape {
        Shape(["type": "object", "additionalProperties": value.schema])
    }

    static func either(_ shapes: Shape...) -> Shape {
        Shape(["anyOf": .array(shapes.map(\.schema))])
    }

    static func object(
        _ title: String, _ members: KeyValuePairs<String, Shape>,
        optional: KeyValuePairs<String, Shape> = [:]
    ) -> Shape {
        let all = Array(members) + Array(optional)
        return Shape([
            "title": .string(title), "type": "object",
            "properties": .object(all.map { ($0.key, $0.value.schema) }),
            "required": .array(members.map { .string($0.key) }),
        ])
    }
}
