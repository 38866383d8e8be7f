// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Durations as people write them: `10us`, `5ms`, `1.5s`, `2m`, `1h`, `7ns`.
///
/// A number, then a unit, nothing between them. Fractions are allowed as far as they are whole
/// nanoseconds; signs and exponents are not.
public enum DurationText {
    /// The units, largest first. Only those of a second and below are printed with a fraction.
    static let units: [(name: String, nanoseconds: Int64, takesFraction: Bool)] = [
        ("h", 3_600_000_000_000, false), ("m", 60_000_000_000, false), ("s", 1_000_000_000, true),
        ("ms", 1_000_000, true), ("us", 1000, true), ("ns", 1, false),
    ]

    /// Reads `text`, or returns nil when it is not a duration, is not a whole number of nanoseconds, or
    /// does not fit into 64 bits of them (292 years).
    public static func duration(of text: some StringProtocol) -> Duration? {
        nanoseconds(of: text).map(Duration.nanoseconds)
    }

    /// Prints `duration` in the largest unit that says it exactly: `1.5s`, `90s`, `2m`, `10us`.
    ///
    /// Fractions below a nanosecond are dropped. What is printed reads back as the same duration,
    /// unless it is negative: there is no way to write that.
    public static func text(of duration: Duration) -> String {
        text(nanoseconds: duration.wholeNanoseconds)
    }

    static func nanoseconds(of text: some StringProtocol) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        var rest = text[digits.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == "." {
            rest = rest.dropFirst()
            fraction = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[fraction.endIndex...]
            guard !fraction.isEmpty else { return nil }
        }
        let unitName = rest == "µs" || rest == "μs" ? "us" : String(rest)
        guard !digits.isEmpty, let whole = Int64(digits),
            let unit = units.first(where: { $0.name == unitName })
        else { return nil }

        var (sum, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        var place = unit.nanoseconds
        for digit in fraction {
            guard let value = digit.wholeNumberValue else { return nil }
            // A place that is less than a nanosecond may hold a zero, and nothing else.
            guard value > 0 else {
                place = place % 10 == 0 ? place / 10 : 0
                continue
            }
            guard place > 0, place % 10 == 0 else { return nil }
            place /= 10
            (sum, overflow) = sum.addingReportingOverflow(Int64(value) * place)
            guard !overflow else { return nil }
        }
        return sum
    }

    static func text(nanoseconds: Int64) -> String {
        guard nanoseconds != 0 else { return "0s" }
        let sign = nanoseconds < 0 ? "-" : ""
        let magnitude = nanoseconds.magnitude
        for unit in units where magnitude >= unit.nanoseconds.magnitude {
            let (whole, rest) = magnitude.quotientAndRemainder(
                dividingBy: unit.nanoseconds.magnitude)
            if rest == 0 { return "\(sign)\(whole)\(unit.name)" }
            guard unit.takesFraction else { continue }
            let thousandth = unit.nanoseconds.magnitude / 1000
            if rest % thousandth == 0 {
                return "\(sign)\(whole).\(decimals(rest / thousandth))\(unit.name)"
            }
        }
        return "\(sign)\(magnitude)ns"
    }

    /// Three places of a fraction without the zeros at its end.
    private static func decimals(_ thousandths: UInt64) -> String {
        var text = String(thousandths)
        text = String(repeating: "0", count: 3 - text.count) + text
        while text.last == "0" { text.removeLast() }
        return text
    }
}
