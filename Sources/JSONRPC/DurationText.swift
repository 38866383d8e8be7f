// SPDX-License-Identifier: Apache-2.0

/// Reads durations as people write them: "300ms", "1.5s", "10us", "2m", "1h".
///
/// A decimal number and a unit (ns, us, ms, s, m, h), nothing between them. The arithmetic is
/// exact: a text that is not a whole number of nanoseconds, or too many of them, is refused. There
/// is no sign, because no duration here is negative.
package enum DurationText {
    /// What would be right, for error messages.
    package static let expected =
        "whole nanoseconds, or a duration such as \"300ms\" (ns, us, ms, s, m, h)"

    /// The nanoseconds, or nil.
    package static func nanoseconds(_ text: some Sequence<UInt8>) -> Int64? {
        var digits: Int64 = 0
        var decimals = 0
        var hasDigit = false
        var hasPoint = false
        var unit: UInt64 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard unit == 0, appendDigit(byte, to: &digits) else { return nil }
                decimals += hasPoint ? 1 : 0
                hasDigit = true
            case UInt8(ascii: "."):
                guard hasDigit, !hasPoint, unit == 0 else { return nil }
                hasPoint = true
                hasDigit = false
            default:
                guard byte >= UInt8(ascii: "a"), hasDigit, unit <= 0xFF else { return nil }
                unit = unit << 8 | UInt64(byte)
            }
        }
        guard var scale = scale(unit) else { return nil }
        // Tens move from the unit to the decimals; what the unit lacks, the digits must give.
        while decimals > 0 {
            if digits.isMultiple(of: 10) {
                digits /= 10
            } else if scale.isMultiple(of: 10) {
                scale /= 10
            } else if digits.isMultiple(of: 5), scale.isMultiple(of: 2) {
                digits /= 5
                scale /= 2
            } else if digits.isMultiple(of: 2), scale.isMultiple(of: 5) {
                digits /= 2
                scale /= 5
            } else {
                return nil
            }
            decimals -= 1
        }
        let (nanoseconds, overflow) = digits.multipliedReportingOverflow(by: scale)
        return overflow ? nil : nanoseconds
    }

    private static func appendDigit(_ byte: UInt8, to digits: inout Int64) -> Bool {
        let (tenfold, tooMany) = digits.multipliedReportingOverflow(by: 10)
        let (sum, overflow) = tenfold.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
        digits = sum
        return !tooMany && !overflow
    }

    /// Nanoseconds in a unit, whose letters are packed into one number.
    private static func scale(_ unit: UInt64) -> Int64? {
        switch unit {
        case pack("n", "s"): 1
        case pack("u", "s"): 1000
        case pack("m", "s"): 1_000_000
        case UInt64(UInt8(ascii: "s")): 1_000_000_000
        case UInt64(UInt8(ascii: "m")): 60_000_000_000
        case UInt64(UInt8(ascii: "h")): 3_600_000_000_000
        default: nil
        }
    }

    private static func pack(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt64 {
        UInt64(UInt8(ascii: first)) << 8 | UInt64(UInt8(ascii: second))
    }
}
