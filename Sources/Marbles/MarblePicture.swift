// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// Several streams under one ruler.
///
///     tick=1ms  0         10   15   20   25
///     target    1---------1----1----1
///     round     1---------2----3----4----1
///     body      a---------b
///
///     a = {"id":1,"name":"one"}
///     b = {"id":2,"name":"two"}
///
/// Equal instants stand in equal columns, whatever the width of what stands there: a wide value widens
/// its column in every lane. Silence longer than the style's `longestSilence` becomes a duration, in the
/// same columns of every lane. In the ASCII style each lane, taken on its own, is a `MarbleDiagram` (or
/// a `SubscriptionDiagram`) that reads as exactly the events it shows, letters standing for the values
/// of the legend; so a lane of a failing test can become the next test's expectation. The one exception:
/// in a picture that starts before zero, a lane of a subscription has no way to say so.
public struct MarblePicture {
    /// One stream and its name.
    public struct Lane {
        var layout: PictureLayout.Lane
        var isSubscription = false

        /// A lane of events, in order of time.
        public init(_ name: String, _ marbles: [Marble]) {
            precondition(
                zip(marbles, marbles.dropFirst()).allSatisfy { $0.at <= $1.at },
                "the marbles of lane \(name) must stand in order of time")
            layout = PictureLayout.Lane(
                name: name,
                symbols: marbles.map { ($0.at.nanoseconds, MarbleSymbol($0.event)) })
        }

        /// A lane of a diagram's events; the picture's tick counts, not the diagram's.
        public init(_ name: String, _ diagram: MarbleDiagram) {
            self.init(name, diagram.marbles)
        }

        /// A lane that shows when a stream was subscribed to and left.
        public init(_ name: String, _ subscription: SubscriptionDiagram) {
            layout = PictureLayout.Lane(name: name, symbols: subscription.symbols)
            isSubscription = true
        }
    }

    /// The lines, from the ruler to the legend, without line breaks.
    public let lines: [String]

    /// Draws `lanes`, from zero or the first event before it, to the last event or `end`. Of more than
    /// `mostInstants` the first are drawn, and a line below says how many more there are.
    public init(
        _ lanes: [Lane], tick: Duration = .milliseconds(1), until end: Instant? = nil,
        style: PictureStyle = PictureStyle(), mostInstants: Int? = nil
    ) {
        precondition(mostInstants ?? 1 > 0, "a picture of no instants shows nothing")
        let cut = PictureCut(
            Self.withZeroPoint(lanes), from: 0, until: end?.nanoseconds, most: mostInstants)
        let layout = PictureLayout(
            lanes: cut.lanes, tick: tick, from: cut.start, until: cut.end, style: style)
        lines = Self.lines(of: layout, tick: tick) + cut.noteLines(style)
    }

    /// A picture with negative times needs a zero point in each lane of events, or they would not read
    /// as what they show.
    static func withZeroPoint(_ lanes: [Lane]) -> [PictureLayout.Lane] {
        let hasNegative = lanes.contains { ($0.layout.symbols.first?.nanoseconds ?? 0) < 0 }
        return lanes.map { lane in
            guard hasNegative && !lane.isSubscription else { return lane.layout }
            var marked = lane.layout
            let zero = marked.symbols.firstIndex { $0.nanoseconds >= 0 }
            marked.symbols.insert((0, .subscribed), at: zero ?? marked.symbols.endIndex)
            return marked
        }
    }

    /// Draws a layout with names on its left; `limit` is the width of the terminal, if it has one.
    static func lines(of layout: PictureLayout, tick: Duration, limit: Int? = nil) -> [String] {
        let style = layout.style
        let rulerName = "tick=\(DurationText.text(of: tick))"
        let names = layout.lanes.map { MarbleName.readable($0.name) }
        let nameWidth = nameWidth(names + [rulerName], limit: limit)
        func named(_ name: String, _ role: Palette.Role, _ row: PictureLine) -> String {
            var line = PictureLine()
            line.append(name.clipped(to: nameWidth, ellipsis: style.ellipsis), role)
            line.pad(to: nameWidth + 2)
            line.append(row)
            return line.painted(style.palette, limit: limit, ellipsis: style.ellipsis)
        }
        let ruler = PictureRuler(layout, limit: limit.map { $0 - nameWidth - 2 })
        var lines = [named(rulerName, .ruler, ruler.line)]
        for (name, row) in zip(names, layout.rows) {
            lines.append(named(name, .name, row))
        }
        return lines + legendLines(of: layout, limit: limit)
    }

    /// How wide the column of names is; on a narrow terminal at most a third of it.
    static func nameWidth(_ names: [String], limit: Int?) -> Int {
        let widest = names.map(displayWidth(of:)).max() ?? 0
        return limit.map { min(widest, max(1, $0 / 3)) } ?? widest
    }

    static func legendLines(of layout: PictureLayout, limit: Int? = nil) -> [String] {
        let entries = layout.legend.entries
        guard !entries.isEmpty else { return [] }
        let width = entries.map { displayWidth(of: $0.letter) }.max() ?? 1
        return [""]
            + entries.map { entry in
                var line = PictureLine()
                line.append(entry.letter.padded(to: width), .value)
                line.append(" = ", .legend)
                line.append(MarbleName.readable(entry.value), .legend)
                return line.painted(
                    layout.style.palette, limit: limit, ellipsis: layout.style.ellipsis)
            }
    }
}

extension MarblePicture: CustomStringConvertible {
    /// The lines, one under the other.
    public var description: String { lines.joined(separator: "\n") }
}
