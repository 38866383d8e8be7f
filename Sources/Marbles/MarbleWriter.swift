// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Where a lane stands while it is written: the mirror image of `MarbleReader`'s two facts.
struct LanePosition {
    /// Where the last symbol stands, or where the silence after it ends.
    var nanoseconds: Int64
    /// Whether the last thing written is a symbol, whose tick a duration would replace.
    var isAfterSymbol = false

    /// What a duration must say to lead to `target`.
    func gap(to target: Int64) -> Int64 { target - nanoseconds }

    /// How many dashes lead to `target`, or nil when no number of them does.
    func dashes(to target: Int64, tick: Int64) -> Int64? {
        let (count, rest) = gap(to: target).quotientAndRemainder(dividingBy: tick)
        let free = isAfterSymbol ? count - 1 : count
        return rest == 0 && free >= 0 ? free : nil
    }
}

/// Writes the one canonical text of a diagram.
///
/// Silence of up to ten ticks is dashes, longer or uneven silence a duration; a name is bare when it can
/// be; a space stands only around durations and where two neighbours would read as something else.
struct MarbleWriter {
    private static let longestDashes: Int64 = 10

    private let tick: Int64
    private var text = ""
    private var position: LanePosition

    init(tick: Duration, from start: Int64) {
        self.tick = wholeTick(tick)
        position = LanePosition(nanoseconds: start)
    }

    /// The canonical text of `symbols`, which are in order of time; none at all is one silent tick.
    static func text(of symbols: [(nanoseconds: Int64, symbol: MarbleSymbol)], tick: Duration)
        -> String
    {
        var writer = MarbleWriter(tick: tick, from: min(0, symbols.first?.nanoseconds ?? 0))
        var rest = symbols[...]
        while let first = rest.first {
            let group = rest.prefix { $0.nanoseconds == first.nanoseconds }
            rest = rest[group.endIndex...]
            writer.write(group.map(\.symbol.spelling), at: first.nanoseconds)
        }
        return writer.text.isEmpty ? "-" : writer.text
    }

    private mutating func write(_ spellings: [String], at nanoseconds: Int64) {
        if let dashes = position.dashes(to: nanoseconds, tick: tick), dashes <= Self.longestDashes {
            text += String(repeating: "-", count: Int(dashes))
        } else {
            let gap = DurationText.text(nanoseconds: position.gap(to: nanoseconds))
            text += text.isEmpty ? "\(gap) " : " \(gap) "
        }
        let instant = MarbleWriter.instant(spellings)
        if MarbleName.needsSpace(between: text, and: instant) { text += " " }
        text += instant
        position = LanePosition(nanoseconds: nanoseconds, isAfterSymbol: true)
    }

    /// The symbols of one instant: alone, or in a group.
    static func instant(_ spellings: [String]) -> String {
        guard spellings.count > 1 else { return spellings.first ?? "" }
        var joined = ""
        for spelling in spellings {
            if MarbleName.needsSpace(between: joined, and: spelling) { joined += " " }
            joined += spelling
        }
        return "(\(joined))"
    }
}
