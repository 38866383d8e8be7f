// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// The part of JSON Schema that ports and options are described in, ready to check values.
///
/// A schema that uses a keyword which is not known here is refused when the plugin is loaded: a rule
/// that would not be checked is worse than none.
package indirect enum ValueSchema: Equatable {
    case any
    case null
    case boolean
    case integer(minimum: Int64?, maximum: Int64?)
    case number
    case string
    case oneOf([JSONValue])
    case anyOf([ValueSchema])
    case array(ValueSchema)
    case object(members: [Member], required: [String], others: Others)

    /// One described member of an object.
    package struct Member: Equatable {
        package var name: String
        package var schema: ValueSchema
    }

    /// What members may be there that are not described.
    package enum Others: Equatable {
        case refused
        case anything
        case all(ValueSchema)
    }

    /// Reads a schema. `path` says where it stands in the manifest.
    package init(_ json: JSONValue, path: String) throws(ManifestError) {
        if json == .bool(true) {
            self = .any
            return
        }
        guard case .object(let object) = json else {
            throw ManifestError("\(path) is not a schema: it is an object or true")
        }
        let known: Set<String> = [
            "type", "enum", "anyOf", "items", "properties", "required", "additionalProperties",
            "minimum", "maximum", "description", "title",
        ]
        for name in object.names where !known.contains(name) {
            throw ManifestError("\(path)/\(name) is not a keyword this host checks")
        }
        if let values = json["enum"] {
            guard let values = values.array else {
                throw ManifestError("\(path)/enum is not a list")
            }
            self = .oneOf(values)
            return
        }
        if let choices = json["anyOf"] {
            guard let choices = choices.array else {
                throw ManifestError("\(path)/anyOf is not a list")
            }
            var schemas: [ValueSchema] = []
            for (index, choice) in choices.enumerated() {
                schemas.append(try ValueSchema(choice, path: "\(path)/anyOf/\(index)"))
            }
            self = .anyOf(schemas)
            return
        }
        guard let type = json["type"]?.string else {
            self = .any
            return
        }
        switch type {
        case "null": self = .null
        case "boolean": self = .boolean
        case "integer":
            self = .integer(
                minimum: json["minimum"]?.int, maximum: json["maximum"]?.int)
        case "number": self = .number
        case "string": self = .string
        case "array":
            self = .array(try json["items"].map { items throws(ManifestError) in
                try ValueSchema(items, path: path + "/items")
            } ?? .any)
        case "object": self = try Self.readObject(json, path: path)
        default: throw ManifestError("\(path)/type is \"\(type)\", which is no JSON type")
        }
    }

    private static func readObject(
        _ json: JSONValue, path: String
    ) throws(ManifestError) -> ValueSchema {
        var described: [Member] = []
        if case .object(let properties)? = json["properties"] {
            for property in properties.members {
                let place = "\(path)/properties/\(property.name)"
                described.append(
                    Member(
                        name: property.name,
                        schema: try ValueSchema(property.value, path: place)))
            }
        }
        let others: Others
        switch json["additionalProperties"] {
        case nil, .bool(true)?: others = .anything
        case .bool(false)?: others = .refused
        case let schema?:
            others = .all(try ValueSchema(schema, path: path + "/additionalProperties"))
        }
        let required = json["required"]?.array?.compactMap(\.string) ?? []
        return .object(members: described, required: required, others: others)
    }

    // MARK: Checking

    /// Checks text that is known to be JSON. `pointer` is where the value stands, for the error.
    ///
    /// Scalars are told by their first byte; anything larger is read into a tree.
    package func check(
        _ json: UnsafeRawBufferPointer, pointer: @autoclosure () -> String
    ) throws(HostError) {
        guard let first = json.first else {
            throw .badValue(pointer: pointer(), expected: expectation)
        }
        switch self {
        case .any: return
        case .null where first == UInt8(ascii: "n"): return
        case .boolean where first == UInt8(ascii: "t") || first == UInt8(ascii: "f"): return
        case .string where first == UInt8(ascii: "\""): return
        case .integer(minimum: nil, maximum: nil) where json.isShortInteger: return
        case .null, .boolean, .string:
            throw .badValue(pointer: pointer(), expected: expectation)
        case .integer, .number, .oneOf, .anyOf, .array, .object:
            guard let value = try? JSONValue(parsing: json) else {
                throw .badValue(pointer: pointer(), expected: "JSON")
            }
            try check(value, pointer: pointer())
        }
    }

    /// Checks a value.
    package func check(_ value: JSONValue, pointer: String) throws(HostError) {
        switch (self, value) {
        case (.any, _), (.null, .null), (.boolean, .bool), (.string, .string), (.number, .int),
            (.number, .double):
            return
        case (.integer(let minimum, let maximum), .int(let number)):
            guard number >= minimum ?? .min, number <= maximum ?? .max else { break }
            return
        case (.oneOf(let values), _):
            if values.contains(value) { return }
        case (.anyOf(let schemas), _):
            for schema in schemas {
                if (try? schema.check(value, pointer: pointer)) != nil { return }
            }
        case (.array(let element), .array(let elements)):
            for (index, value) in elements.enumerated() {
                try element.check(value, pointer: "\(pointer)/\(index)")
            }
            return
        case (.object(let members, let required, let others), .object(let values)):
            return try Self.check(values.members, members, required, others, pointer)
        default: break
        }
        throw .badValue(pointer: pointer, expected: expectation)
    }

    private static func check(
        _ values: [(name: String, value: JSONValue)], _ members: [Member], _ required: [String], _ others: Others,
        _ pointer: String
    ) throws(HostError) {
        for name in required where !values.contains(where: { $0.name == name }) {
            throw .badValue(pointer: "\(pointer)/\(name)", expected: "there, and it is required")
        }
        for value in values {
            let place = "\(pointer)/\(value.name)"
            if let member = members.first(where: { $0.name == value.name }) {
                try member.schema.check(value.value, pointer: place)
                continue
            }
            switch others {
            case .anything: break
            case .all(let schema): try schema.check(value.value, pointer: place)
            case .refused:
                let known = members.map(\.name).joined(separator: ", ")
                throw .badValue(pointer: place, expected: "a known member (\(known))")
            }
        }
    }

    /// The schema in words: "an integer", "one of a, b".
    package var expectation: String {
        switch self {
        case .any: "any JSON"
        case .null: "null"
        case .boolean: "true or false"
        case .integer(let minimum?, let maximum?): "an integer from \(minimum) to \(maximum)"
        case .integer(let minimum?, nil): "an integer of at least \(minimum)"
        case .integer(nil, let maximum?): "an integer of at most \(maximum)"
        case .integer(nil, nil): "an integer"
        case .number: "a number"
        case .string: "a string"
        case .oneOf(let values): "one of " + values.map(\.text).joined(separator: ", ")
        case .anyOf(let schemas): schemas.map(\.expectation).joined(separator: " or ")
        case .array(let element): "a list, each item \(element.expectation)"
        case .object: "an object"
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether this JSON is an integer that is sure to fit 64 bits.
    var isShortInteger: Bool {
        guard count <= 18, let first else { return false }
        var index = first == UInt8(ascii: "-") ? 1 : 0
        guard index < count else { return false }
        while index < count {
            guard self[index] &- 48 < 10 else { return false }
            index += 1
        }
        return true
    }

    /// Whether an integer is written as JSON forbids it: `007`, `-01`.
    var hasLeadingZero: Bool {
        let digits = first == UInt8(ascii: "-") ? 1 : 0
        return count > digits + 1 && self[digits] == UInt8(ascii: "0")
    }
}
