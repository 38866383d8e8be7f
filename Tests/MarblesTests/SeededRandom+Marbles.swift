// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport

/// Marbles at random.
extension SeededRandom {
    /// A tick length, from one nanosecond to an hour.
    mutating func tick() -> Duration {
        [
            .nanoseconds(1), .nanoseconds(7), .microseconds(1), .milliseconds(1),
            .milliseconds(50), .seconds(1), .seconds(3600),
        ].randomElement(using: &self) ?? .milliseconds(1)
    }

    /// The distance to the next event: often a few ticks, at times long, at times off the ticks.
    mutating func gap(tick: Duration) -> Int64 {
        let whole = tick.wholeNanoseconds
        switch Int.random(in: 0..<10, using: &self) {
        case 0...5: return whole * Int64.random(in: 0...4, using: &self)
        case 6, 7: return whole * Int64.random(in: 5...200, using: &self)
        case 8: return Int64.random(in: 1...(2 * whole), using: &self)
        default: return Int64.random(in: 1...10_000_000_000, using: &self)
        }
    }

    /// A name: often one character, at times one that is hard to print.
    mutating func name() -> String {
        switch Int.random(in: 0..<8, using: &self) {
        case 0...3: return String("abcxyz0123456789nsmhuµ".randomElement(using: &self) ?? "a")
        case 4: return String("-|#()^! '\\.,{}\"日🙂é👩‍👩‍👧‍👦🇩🇪".randomElement(using: &self) ?? "-")
        case 5:
            let length = Int.random(in: 0...6, using: &self)
            return (0..<length).map { _ in name() }.joined()
        case 6:
            return ["10ms", "null", "{\"a\":1}", "\"it's\"", "tab\there", "two\r\nlines"]
                .randomElement(using: &self) ?? ""
        default:
            // Scalars that join, combine, cannot be seen, or are half a flag.
            let odd: [Unicode.Scalar] = [
                "\u{301}", "\u{200D}", "\u{FE0F}", "\u{1F1E9}", "\u{1F469}", "\u{600}", "\u{0}",
                "\u{7F}", "\u{A0}", "\u{2028}", "\u{FEFF}", "\u{1100}", "\u{1161}", "\u{10FFFF}",
            ]
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...3, using: &self) {
                scalars.append(odd.randomElement(using: &self) ?? "a")
            }
            return String(scalars)
        }
    }

    /// Up to eight events in order of time, some before zero when `hot`, an end behind half of them.
    mutating func marbles(tick: Duration, hot: Bool) -> [Marble] {
        var time: Int64 = 0
        var marbles: [Marble] = []
        for _ in 0..<Int.random(in: 0...8, using: &self) {
            time += gap(tick: tick)
            marbles.append(Marble(nanoseconds: time, .next(name())))
        }
        if Bool.random(using: &self) {
            time += gap(tick: tick)
            let event: MarbleEvent = Bool.random(using: &self) ? .completed : .error
            marbles.append(Marble(nanoseconds: time, event))
        }
        guard hot, let pivot = marbles.randomElement(using: &self) else { return marbles }
        let shift = pivot.at.nanoseconds + gap(tick: tick)
        return marbles.map { Marble(nanoseconds: $0.at.nanoseconds - shift, $0.event) }
    }
}
