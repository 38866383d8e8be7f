// SPDX-License-Identifier: Apache-2.0

internal import FoundationEssentials

/// A value that can cross the plugin's boundary: JSON text outside, a Swift type inside.
///
/// Any `Codable` type becomes one by saying so; its schema is read off its `init(from:)`. Scalars have
/// direct paths, because they are what most ports carry.
public protocol PortValue: Codable {
    /// What JSON this type is.
    static var schema: Schema { get }

    /// Reads one JSON text. Throws `PortValueError`.
    static func decode(_ json: UnsafeRawBufferPointer) throws -> Self

    /// Appends the value's JSON text.
    func encode(into json: inout JSONText) throws
}

/// A JSON text that was not the value that was expected.
public struct PortValueError: Error, CustomStringConvertible {
    /// What was expected, and what came.
    public let description: String

    /// An error with a sentence.
    public init(_ description: String) {
        self.description = description
    }
}

extension PortValue {
    public static var schema: Schema { Schema(describing: Self.self) }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> Self {
        do {
            return try JSONDecoder().decode(Self.self, from: Data(json))
        } catch let error as DecodingError {
            throw PortValueError(error.sentence)
        }
    }

    public func encode(into json: inout JSONText) throws {
        json.append(contentsOf: try JSONText.encoder.encode(self))
    }
}

extension DecodingError {
    /// What was wrong and where, in one sentence.
    var sentence: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map {
                "/" + ($0.intValue.map(String.init) ?? $0.stringValue)
            }
            return path.isEmpty ? "" : " at \(path.joined())"
        }
        switch self {
        case .keyNotFound(let key, let context):
            return "\"\(key.stringValue)\" is missing\(place(context))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            return context.debugDescription + place(context)
        @unknown default:
            return "\(self)"
        }
    }
}

// MARK: Direct paths

extension Bool: PortValue {
    public static var schema: Schema { .boolean }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> Bool {
        if json.elementsEqual("true".utf8) { return true }
        if json.elementsEqual("false".utf8) { return false }
        throw PortValueError("expected true or false")
    }

    public func encode(into json: inout JSONText) {
        json.append(self ? "true" : "false")
    }
}

extension Int: PortValue {
    public static var schema: Schema { .integer }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> Int {
        var index = 0
        let negative = json.first == UInt8(ascii: "-")
        if negative { index = 1 }
        guard index < json.count else { throw PortValueError("expected an integer") }
        var value = 0
        while index < json.count {
            let digit = Int(json[index]) - 48
            guard (0...9).contains(digit) else { throw PortValueError("expected an integer") }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.subtractingReportingOverflow(digit)
            guard !overflow, !carried else {
                throw PortValueError("expected an integer of 64 bits")
            }
            // Counted downward, since the range reaches one further below zero.
            value = sum
            index += 1
        }
        guard negative || value != .min else {
            throw PortValueError("expected an integer of 64 bits")
        }
        return negative ? value : -value
    }

    public func encode(into json: inout JSONText) {
        json.append(integer: self)
    }
}

extension Double: PortValue {
    public static var schema: Schema { .number }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> Double {
        // Swift reads more than JSON has: hexadecimal digits, "nan", a plus sign before the number.
        let isNumber = json.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
                UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isNumber, json.first != UInt8(ascii: "+"),
            let number = Double(String(decoding: json, as: UTF8.self))
        else { throw PortValueError("expected a number") }
        guard number.isFinite else { throw PortValueError("expected a number that a double holds") }
        return number
    }

    public func encode(into json: inout JSONText) throws {
        guard isFinite else { throw PortValueError("\(self) has no JSON form") }
        json.append(description)
    }
}

extension String: PortValue {
    public static var schema: Schema { .string }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> String {
        guard json.count >= 2, json.first == UInt8(ascii: "\""), json.last == UInt8(ascii: "\"")
        else {
            throw PortValueError("expected a string")
        }
        let text = UnsafeRawBufferPointer(rebasing: json[1..<json.count - 1])
        guard text.contains(UInt8(ascii: "\\")) else {
            return String(decoding: text, as: UTF8.self)
        }
        do {
            return try JSONDecoder().decode(String.self, from: Data(json))
        } catch let error as DecodingError {
            throw PortValueError(error.sentence)
        }
    }

    public func encode(into json: inout JSONText) {
        json.append(quoting: self)
    }
}

extension Optional: PortValue where Wrapped: PortValue {
    public static var schema: Schema { .optional(Wrapped.schema) }

    public static func decode(_ json: UnsafeRawBufferPointer) throws -> Wrapped? {
        json.elementsEqual("null".utf8) ? nil : try Wrapped.decode(json)
    }

    public func encode(into json: inout JSONText) throws {
        if let self { try self.encode(into: &json) } else { json.append("null") }
    }
}

extension Array: PortValue where Element: PortValue {
    public static var schema: Schema { .array(Element.schema) }

    public func encode(into json: inout JSONText) throws {
        json.append("[")
        for (index, element) in enumerated() {
            if index > 0 { json.append(",") }
            try element.encode(into: &json)
        }
        json.append("]")
    }
}

extension Dictionary: PortValue where Key == String, Value: PortValue {
    public static var schema: Schema { .dictionary(Value.schema) }
}

extension PortValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var schema: Schema { .oneOf(allCases.map(\.rawValue)) }
}
