// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Marbles
internal import Scheduling

/// Numbers as people read them.
package enum Quantity {
    /// A point in time or a length of it, rounded to three decimals of its unit.
    package static func time(_ nanoseconds: Int64) -> String {
        let unit: Int64 =
            switch nanoseconds.magnitude {
            case 1_000_000_000...: 1_000_000
            case 1_000_000...: 1000
            default: 1
            }
        let (units, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
        let isHalfOrMore = rest.magnitude * 2 >= unit.magnitude
        let rounded = units + (isHalfOrMore ? nanoseconds.signum() : 0)
        let (time, overflow) = rounded.multipliedReportingOverflow(by: unit)
        // At the end of time there is nothing to round up to.
        return DurationText.text(of: .nanoseconds(overflow ? units * unit : time))
    }

    package static func time(_ value: JSONValue?) -> String {
        value?.int.map(time) ?? "-"
    }

    /// How long something has lasted, in the two largest units: `3m 12s`, `2d 4h`.
    package static func age(_ nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        switch seconds {
        case 86_400...: return "\(seconds / 86_400)d \(seconds / 3600 % 24)h"
        case 3600...: return "\(seconds / 3600)h \(seconds / 60 % 60)m"
        case 60...: return "\(seconds / 60)m \(seconds % 60)s"
        default: return "\(seconds)s"
        }
    }

    /// Bytes in binary units with one decimal: `12.3 MiB`.
    package static func bytes(_ count: Int64) -> String {
        var unit = 0
        var scale: Int64 = 1
        while unit < 4, count / scale >= 1024 {
            scale *= 1024
            unit += 1
        }
        guard unit > 0 else { return "\(count) B" }
        let tenths = Int64((Double(count) / Double(scale) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(["B", "KiB", "MiB", "GiB", "TiB"][unit])"
    }

    /// "1 failure", "2 failures".
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

extension JSONValue {
    /// A value as a lane or a cell shows it: a string without its quotes, anything else as JSON.
    package var shown: String { string ?? text }
}
