// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// Reads options: the defaults, with what was given laid over them.
enum OptionsReader {
    static func read<Options: FeatureOptions>(_ json: UnsafeRawBufferPointer) throws -> Options {
        // Nothing given is by far the most common, and the way over JSON costs a quarter of an open.
        if json.isEmpty || json.elementsEqual("{}".utf8) { return Options() }
        do {
            let defaults = try members(JSONText.encoder.encode(Options()))
            let given = try members(Data(json))
            let merged = defaults.merging(given) { _, new in new }
            return try JSONDecoder().decode(Options.self, from: JSONText.encoder.encode(merged))
        } catch let error as DecodingError {
            throw PortValueError("the options do not fit: \(error.sentence)")
        }
    }

    private static func members(_ json: Data) throws -> [String: AnyJSON] {
        try JSONDecoder().decode([String: AnyJSON].self, from: json)
    }
}

/// Any JSON value, decoded and encoded unchanged: what options are while nobody knows their type.
private enum AnyJSON: Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
