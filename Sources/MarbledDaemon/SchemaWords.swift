// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A JSON Schema made of `Shape`s, in words for a page that people read.
struct SchemaWords {
    private let schema: JSONValue

    init(_ schema: JSONValue) { self.schema = schema }

    /// Name, with a question mark where it may be missing; type; sentence: for each member, and those of
    /// each alternative where there are several.
    var members: [(name: String, type: String, doc: String)] {
        if let alternatives = schema["anyOf"]?.array {
            return alternatives.flatMap { SchemaWords($0).members }
        }
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return (schema["properties"]?.object?.members ?? []).map { name, member in
            (
                required.contains(name) ? name : name + "?", SchemaWords(member).type,
                member["description"]?.string ?? ""
            )
        }
    }

    /// Such as `integer`, `real or virtual`, `list of {at, value}`.
    var type: String {
        if let alternatives = schema["anyOf"]?.array {
            return alternatives.map { SchemaWords($0).type }.joined(separator: " or ")
        }
        if let words = schema["enum"]?.array {
            return words.compactMap(\.string).joined(separator: ", ")
        }
        switch schema["type"]?.string {
        case "array": return "list of " + (schema["items"].map { SchemaWords($0).type } ?? "any")
        case "object" where schema["properties"] != nil:
            return "{" + members.map(\.name).joined(separator: ", ") + "}"
        case "object":
            return "map of "
                + (schema["additionalProperties"].map { SchemaWords($0).type } ?? "any")
        case let name: return name ?? "any"
        }
    }
}
