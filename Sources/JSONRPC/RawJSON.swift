// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

/// What a JSON value is, told by its first byte.
package enum JSONKind: Sendable {
    case object, array, string, number, bool, null

    /// The word that error messages use, with its article.
    package var noun: StaticString {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}

/// One JSON value as it was written: a slice of judged text that somebody else owns.
///
/// The bytes stay where they are, so a value is valid only as long as the text under it: for one
/// from a frame, until the next mutating call on the decoder, which is until the handler returns.
/// Make a `JSONValue` or a `String` of what must live longer.
package struct RawJSON {
    /// The value's bytes, quotes included, without white space around them. Never empty.
    package let bytes: UnsafeRawBufferPointer

    /// Whether this is a string with at least one backslash.
    let isEscaped: Bool

    init(_ slice: sj_value) {
        bytes = UnsafeRawBufferPointer(start: slice.start, count: slice.length)
        isEscaped = slice.escaped
    }

    /// The value of a whole text that a `JSONValidator` has accepted.
    package init(validated text: UnsafeRawBufferPointer) {
        self.init(sj_whole(text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count))
    }

    package var kind: JSONKind {
        switch bytes[0] {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        case UInt8(ascii: "n"): .null
        default: .number
        }
    }

    /// The slice as the C side wants it.
    var slice: sj_value {
        sj_value(
            start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), length: bytes.count,
            escaped: isEscaped)
    }
}
