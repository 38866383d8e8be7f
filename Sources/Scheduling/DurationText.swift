// SPDX-License-Identifier: Apache-2.0

/// Durations as people write them: `10us`, `5ms`, `1.5s`, `2m`, `1h`, `7ns`.
///
/// A decimal number and a unit, nothing between them. The arithmetic is exact: a text that is not a
/// whole number of nanoseconds, or too many of them (292 years), is refused. There is no sign and no exponent.
public enum DurationText {
    /// What would be right, for error messages.
    public static let expected =
        "whole nanoseconds, or a duration such as \"300ms\" (ns, us, ms, s, m, h)"

    /// Reads `text`, or returns nil when it is not a duration.
    public static func duration(of text: some StringProtocol) -> Duration? {
        nanoseconds(text.utf8).map(Duration.nanoseconds)
    }

    /// Prints `duration` in the largest unit that says it: `1.5s`, `90s`, `2m`, `10us`, `1.000000001s`.
    ///
    /// Fractions below a nanosecond are dropped. What is printed reads back as the same duration,
    /// unless it is negative: there is no way to write that.
    public static func text(of duration: Duration) -> String {
        text(nanoseconds: duration.wholeNanoseconds)
    }

    // MARK: Reading

    /// Reads text in UTF-8, or returns nil when it is not a duration.
    public static func nanoseconds(_ text: some Sequence<UInt8>) -> Int64? {
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
                guard byte >= UInt8(ascii: "a"), hasDigit, unit <= 0xFFFF else { return nil }
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
        // The micro sign and the Greek letter, in UTF-8, stand for the u.
        case pack("u", "s"), 0xC2_B573, 0xCE_BC73: 1000
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

    // MARK: Printing

    /// The units, largest first. Only those of a second and below are printed with a fraction.
    private static let units: [(name: String, nanoseconds: Int64, takesFraction: Bool)] = [
        ("h", 3_600_000_000_000, false), ("m", 60_000_000_000, false), ("s", 1_000_000_000, true),
        ("ms", 1_000_000, true), ("us", 1000, true), ("ns", 1, false),
    ]

    /// Prints nanoseconds.
    public static func text(nanoseconds: Int64) -> String {
        guard nanoseconds != 0 else { return "0s" }
        let sign = nanoseconds < 0 ? "-" : ""
        let magnitude = nanoseconds.magnitude
        for unit in units where magnitude >= unit.nanoseconds.magnitude {
            let (whole, rest) = magnitude.quotientAndRemainder(
                dividingBy: unit.nanoseconds.magnitude)
            if rest == 0 { return "\(sign)\(whole)\(unit.name)" }
            if unit.takesFraction {
                return "\(sign)\(whole).\(decimals(rest, of: unit.nanoseconds))\(unit.name)"
            }
        }
        return "\(sign)\(magnitude)ns"
    }

    /// `rest` as places behind the point of a unit, without the zeros at its end.
    private static func decimals(_ rest: UInt64, of unit: Int64) -> String {
        var text = String(rest)
        let places = String(unit).count - 1
        text = String(repeating: "0", count: places - text.count) + text
        while text.last == "0" { text.removeLast() }
        return text
    }
}
