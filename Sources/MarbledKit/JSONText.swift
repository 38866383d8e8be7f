// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// JSON text under construction: bytes in a buffer that is used again and again.
public struct JSONText {
    /// The text so far, UTF-8.
    public private(set) var bytes: [UInt8] = []

    /// An empty text.
    public init() {}

    // Sorted keys, so that the same value is the same bytes in every run.
    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// The JSON text of any value: the direct path where its type has one.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        guard let value = value as? any PortValue else { return Array(try encoder.encode(value)) }
        var text = JSONText()
        try value.encode(into: &text)
        return text.bytes
    }

    /// Reads a value: by the direct path where its type has one.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from json: UnsafeRawBufferPointer
    ) throws -> Value {
        if let type = type as? any PortValue.Type, let value = try type.decode(json) as? Value {
            return value
        }
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch let error as DecodingError {
            throw PortValueError(error.sentence)
        }
    }

    /// Appends text that is JSON already.
    public mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends text that is JSON already.
    public mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends bytes that are JSON already.
    public mutating func append(contentsOf json: some Sequence<UInt8>) {
        bytes.append(contentsOf: json)
    }

    /// Appends an integer.
    public mutating func append(integer: Int) {
        if (0...9).contains(integer) { return bytes.append(UInt8(48 + integer)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = integer.magnitude
            var first = 20
            repeat {
                first -= 1
                digits[first] = UInt8(48 + rest % 10)
                rest /= 10
            } while rest > 0
            if integer < 0 {
                bytes.append(UInt8(ascii: "-"))
            }
            bytes.append(contentsOf: digits[first..<20])
        }
    }

    /// Appends a string in quotes, escaped where JSON asks for it.
    public mutating func append(quoting string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20:
                append("\\u00")
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Empties the text and keeps its room.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}
