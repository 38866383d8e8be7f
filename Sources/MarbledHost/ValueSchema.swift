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
        // What does not belong to the kind of schema would not be checked, so it is not known there.
        if json["enum"] != nil {
            try Self.checkKeywords(object, ["enum"], path)
            guard let values = json["enum"]?.array, !values.isEmpty else {
                throw ManifestError("\(path)/enum is not a list of at least one value")
            }
            self = .oneOf(values)
        } else if json["anyOf"] != nil {
            try Self.checkKeywords(object, ["anyOf"], path)
            guard let choices = json["anyOf"]?.array, !choices.isEmpty else {
                throw ManifestError("\(path)/anyOf is not a list of at least one schema")
            }
            var schemas: [ValueSchema] = []
            for (index, choice) in choices.enumerated() {
                schemas.append(try ValueSchema(choice, path: "\(path)/anyOf/\(index)"))
            }
            self = .anyOf(schemas)
        } else if let type = json["type"] {
            guard let type = type.string else {
                throw ManifestError("\(path)/type is not a string")
            }
            self = try Self.read(type, object, json, path)
        } else {
            try Self.checkKeywords(object, [], path)
            self = .any
        }
    }

    private static func read(
        _ type: String, _ object: JSONObject, _ json: JSONValue, _ path: String
    ) throws(ManifestError) -> ValueSchema {
        switch type {
        case "null", "boolean", "number", "string":
            try checkKeywords(object, ["type"], path)
            switch type {
            case "null": return .null
            case "boolean": return .boolean
            case "number": return .number
            default: return .string
            }
        case "integer":
            try checkKeywords(object, ["type", "minimum", "maximum"], path)
            return .integer(
                minimum: try bound("minimum", json, path), maximum: try bound("maximum", json, path)
            )
        case "array":
            try checkKeywords(object, ["type", "items"], path)
            guard let items = json["items"] else { return .array(.any) }
            return .array(try ValueSchema(items, path: path + "/items"))
        case "object":
            let known = ["type", "properties", "required", "additionalProperties"]
            try checkKeywords(object, known, path)
            return try readObject(json, path: path)
        default: throw ManifestError("\(path)/type is \"\(type)\", which is no JSON type")
        }
    }

    private static func checkKeywords(
        _ object: JSONObject, _ known: [String], _ path: String
    ) throws(ManifestError) {
        for name in object.names
        where !known.contains(name) && name != "description" && name != "title" {
            throw ManifestError("\(path)/\(name) is not a keyword this host checks")
        }
    }

    private static func bound(
        _ name: String, _ json: JSONValue, _ path: String
    ) throws(ManifestError) -> Int64? {
        guard let bound = json[name] else { return nil }
        guard let bound = bound.int else {
            throw ManifestError("\(path)/\(name) is not an integer of 64 bits")
        }
        return bound
    }

    private static func readObject(
        _ json: JSONValue, path: String
    ) throws(ManifestError) -> ValueSchema {
        var described: [Member] = []
        if let properties = json["properties"] {
            guard let properties = properties.object else {
                throw ManifestError("\(path)/properties is not an object")
            }
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
        var required: [String] = []
        if let names = json["required"] {
            guard let names = names.array, names.allSatisfy({ $0.string != nil }) else {
                throw ManifestError("\(path)/required is not a list of names")
            }
            required = names.compactMap(\.string)
        }
        return .object(members: described, required: required, others: others)
    }

    // MARK: Checking

    /// Checks text that is known to be JSON, without white space around it. `pointer` is where the value
    /// stands, for the error.
    ///
    /// Scalars are told by their first byte; anything else is read into a tree.
    package func check(
        _ json: UnsafeRawBufferPointer, pointer: @autoclosure () -> String
    ) throws(HostError) {
        switch (self, json.first ?? 0) {
        case (.any, _), (.null, UInt8(ascii: "n")), (.boolean, UInt8(ascii: "t")),
            (.boolean, UInt8(ascii: "f")), (.string, UInt8(ascii: "\"")),
            (.number, UInt8(ascii: "-")), (.number, UInt8(ascii: "0")...UInt8(ascii: "9")):
            return
        case (.integer(minimum: nil, maximum: nil), _) where json.isShortInteger: return
        case (_, 0): throw .badValue(pointer: pointer(), expected: expectation)
        default: try check(JSONValue(RawJSON(validated: json)), pointer: pointer())
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
        _ values: [(name: String, value: JSONValue)], _ members: [Member], _ required: [String],
        _ others: Others, _ pointer: String
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
    /// Whether these are digits, a sign before them perhaps, that are sure to fit 64 bits.
    @inline(__always)
    var isShortInteger: Bool {
        guard count <= 18, let first else { return false }
        // By far the most common value is one digit.
        if count == 1 { return first &- 48 < 10 }
        return dropFirst(first == UInt8(ascii: "-") ? 1 : 0).allSatisfy { $0 &- 48 < 10 }
    }

    /// Whether an integer is written as JSON forbids it: `007`, `-01`.
    @inline(__always)
    var hasLeadingZero: Bool {
        guard count > 1 else { return false }
        let digits = first == UInt8(ascii: "-") ? 1 : 0
        return count > digits + 1 && self[digits] == UInt8(ascii: "0")
    }
}
