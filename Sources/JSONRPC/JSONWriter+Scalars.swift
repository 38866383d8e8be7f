// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON

extension JSONWriter {
    package mutating func append(_ number: Int64) {
        var magnitude = number.magnitude
        // Nineteen digits and a sign.
        var first = 20
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            repeat {
                let (rest, digit) = magnitude.quotientAndRemainder(dividingBy: 10)
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                magnitude = rest
            } while magnitude > 0
            if number < 0 {
                first -= 1
                digits[first] = UInt8(ascii: "-")
            }
            append(UnsafeRawBufferPointer(rebasing: digits[first...]))
        }
    }

    /// Appends the shortest digits that read back as the same number. JSON has no word for what is
    /// not finite: that becomes `null`.
    package mutating func append(_ number: Double) {
        guard number.isFinite else { return append("null") }
        let place = room(Int(SJ_DOUBLE_ROOM) + 2).assumingMemoryBound(to: UInt8.self)
        end += sj_write_double(number, place)
    }

    package mutating func append(_ bool: Bool) {
        append(bool ? "true" : "false" as StaticString)
    }

    /// Appends a string in quotes.
    package mutating func append(string: String) {
        var string = string
        string.withUTF8 { append(utf8: UnsafeRawBufferPointer($0)) }
    }

    /// Appends UTF-8 as a string in quotes, escaping what JSON demands and nothing else.
    package mutating func append(utf8: UnsafeRawBufferPointer) {
        append(byte: UInt8(ascii: "\""))
        var plain = 0
        for (index, byte) in utf8.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            append(UnsafeRawBufferPointer(rebasing: utf8[plain..<index]))
            append(escapeFor: byte)
            plain = index + 1
        }
        append(UnsafeRawBufferPointer(rebasing: utf8[plain...]))
        append(byte: UInt8(ascii: "\""))
    }

    private mutating func append(escapeFor byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            append(byte: UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            append(byte: low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
