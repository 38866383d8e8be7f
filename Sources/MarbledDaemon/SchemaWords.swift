// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A JSON Schema made of `Shape`s, in words for a page that people read.
struct SchemaWords {
    private let schema: JSONValue

    init(_ schema: JSONValue) { self.schema = schema }

    /// Name, with a question mark where it may be missing; type; sentence: for each member. Of several
    /// alternatives a member stands once, with the sentences of all, and is there if it is in each of them.
    var members: [(name: String, type: String, doc: String)] {
        fields.map { ($0.isRequired ? $0.name : $0.name + "?", $0.type, $0.doc) }
    }

    private typealias Field = (name: String, isRequired: Bool, type: String, doc: String)

    private var fields: [Field] {
        if let alternatives = schema["anyOf"]?.array {
            return Self.merged(alternatives.map { SchemaWords($0).fields })
        }
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return (schema["properties"]?.object?.members ?? []).map { name, member in
            (
                name, required.contains(name), SchemaWords(member).type,
                member["description"]?.string ?? ""
            )
        }
    }

    private static func merged(_ alternatives: [[Field]]) -> [Field] {
        var merged: [Field] = []
        for field in alternatives.joined() {
            if let index = merged.firstIndex(where: { $0.name == field.name }) {
                merged[index].isRequired = merged[index].isRequired && field.isRequired
                if merged[index].doc != field.doc { merged[index].doc += " \(field.doc)" }
            } else {
                merged.append(field)
            }
        }
        for index in merged.indices {
            let name = merged[index].name
            let isInEach = alternatives.allSatisfy { $0.contains { $0.name == name } }
            merged[index].isRequired = merged[index].isRequired && isInEach
        }
        return merged
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
