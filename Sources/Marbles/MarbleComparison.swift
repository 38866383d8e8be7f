// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// What was expected beside what came, and where they part.
///
///     round: 2 expected at 10, 4 came
///
///     tick=1ms        0         10   15
///     round expected  1---------2----3
///     round actual    1---------4----3
///                               ^
///
///     time  port   expected  actual
///     10    round  2         4
///
/// Streams are compared instant by instant, the events of one instant in their order, values by their
/// names. Only ports that differ are drawn; a caret stands under the first difference of each.
public struct MarbleComparison {
    /// One stream: what was expected of it and what it did.
    public struct Port {
        /// Its name.
        public var name: String
        /// The events expected, in order of time.
        public var expected: [Marble]
        /// The events that came, in order of time.
        public var actual: [Marble]

        /// A stream to be compared.
        public init(_ name: String, expected: [Marble], actual: [Marble]) {
            for (what, marbles) in [("expected", expected), ("actual", actual)] {
                precondition(
                    zip(marbles, marbles.dropFirst()).allSatisfy { $0.at <= $1.at },
                    "the \(what) marbles of port \(name) must stand in order of time")
            }
            self.name = name
            self.expected = expected
            self.actual = actual
        }
    }

    /// One instant of one port at which the two sides are not the same.
    public struct Difference: Hashable, Sendable {
        /// When.
        public var at: Instant
        /// On which port.
        public var port: String
        /// What was expected at that instant, in order; empty when nothing was.
        public var expected: [MarbleEvent]
        /// What came at that instant, in order; empty when nothing did.
        public var actual: [MarbleEvent]
    }

    /// Every difference: in order of time, then of the ports as given.
    public let differences: [Difference]

    private let ports: [Port]
    private let tick: Duration
    private let style: PictureStyle
    private let mostRows: Int
    private let mostInstants: Int?

    /// Compares each of `ports`. The table of a picture ends after `mostRows` rows and says how many
    /// more there are. Of more than `mostInstants` those around the first difference are drawn, and a
    /// line below says how many there are besides.
    public init(
        _ ports: [Port], tick: Duration = .milliseconds(1), style: PictureStyle = PictureStyle(),
        mostRows: Int = 20, mostInstants: Int? = nil
    ) {
        precondition(mostRows > 0, "a table of \(mostRows) rows shows nothing")
        precondition(mostInstants ?? 1 > 0, "a picture of no instants shows nothing")
        self.ports = ports
        self.tick = tick
        // Two sides that differ by less than a tick must not look the same.
        self.style = style.exact
        self.mostRows = mostRows
        self.mostInstants = mostInstants
        let found = ports.enumerated().flatMap { index, port in
            Self.differences(of: port).map { (index: index, difference: $0) }
        }
        differences = found.sorted {
            ($0.difference.at, $0.index) < ($1.difference.at, $1.index)
        }.map(\.difference)
    }

    /// Whether nothing differs.
    public var isEqual: Bool { differences.isEmpty }

    private static func differences(of port: Port) -> [Difference] {
        var found: [Difference] = []
        var expected = port.expected[...]
        var actual = port.actual[...]
        while let at = [expected.first?.at, actual.first?.at].compactMap({ $0 }).min() {
            func takeInstant(_ side: inout ArraySlice<Marble>) -> [MarbleEvent] {
                let group = side.prefix { $0.at == at }
                side = side[group.endIndex...]
                return group.map(\.event)
            }
            let pair = (takeInstant(&expected), takeInstant(&actual))
            if pair.0 != pair.1 {
                found.append(
                    Difference(at: at, port: port.name, expected: pair.0, actual: pair.1))
            }
        }
        return found
    }

    // MARK: Drawing

    /// The sentence, the picture, its legend and the table; empty when nothing differs.
    public var lines: [String] {
        guard let first = differences.first else { return [] }
        return [sentence(first), ""] + pictureLines + [""] + tableLines
    }

    private func sentence(_ first: Difference) -> String {
        let time = PictureRuler.label(first.at.nanoseconds, tick: wholeTick(tick))
        let expected = first.expected.isEmpty ? "nothing" : text(of: first.expected)
        let actual = first.actual.isEmpty ? "nothing" : text(of: first.actual)
        return "\(MarbleName.readable(first.port)): \(expected) expected at \(time), \(actual) came"
    }

    private var pictureLines: [String] {
        let firsts = Dictionary(
            differences.lazy.map { ($0.port, $0.at.nanoseconds) },
            uniquingKeysWith: { first, _ in first })
        let differing = ports.filter { firsts[$0.name] != nil }
        let cut = PictureCut(
            MarblePicture.withZeroPoint(
                differing.flatMap {
                    [
                        .init("\($0.name) expected", $0.expected),
                        .init("\($0.name) actual", $0.actual),
                    ]
                }),
            from: 0, until: nil, most: mostInstants,
            showing: differences.first?.at.nanoseconds)
        let layout = PictureLayout(
            lanes: cut.lanes, tick: tick, from: cut.start, until: cut.end, style: style)
        var lines = MarblePicture.lines(of: layout, tick: tick)
        let names = layout.lanes.map { MarbleName.readable($0.name) }
        let left =
            MarblePicture.nameWidth(
                names + ["tick=\(DurationText.text(of: tick))"], limit: nil) + 2
        // From below, so that a caret does not move the lines it still has to find.
        for (index, port) in differing.enumerated().reversed() {
            guard let first = firsts[port.name], let column = layout.column(of: first) else {
                continue
            }
            var line = PictureLine()
            line.pad(to: left + column)
            line.append(style.caret, .caret)
            lines.insert(line.painted(style.palette), at: 1 + 2 * (index + 1))
        }
        return lines + cut.noteLines(style)
    }

    private var tableLines: [String] {
        let rows =
            [["time", "port", "expected", "actual"]]
            + differences.prefix(mostRows).map { difference in
                [
                    PictureRuler.label(difference.at.nanoseconds, tick: wholeTick(tick)),
                    MarbleName.readable(difference.port), text(of: difference.expected),
                    text(of: difference.actual),
                ]
            }
        let widths = (0..<4).map { column in
            rows.map { displayWidth(of: $0[column]) }.max() ?? 0
        }
        let roles: [Palette.Role] = [.ruler, .name, .expected, .actual]
        var lines = rows.enumerated().map { number, row in
            var line = PictureLine()
            for column in 0..<4 {
                line.append(row[column], number == 0 ? .legend : roles[column])
                line.pad(to: widths[...column].reduce(0) { $0 + $1 + 2 })
            }
            return line.painted(style.palette)
        }
        let more = differences.count - mostRows
        if more > 0 { lines.append("\(style.ellipsis) and \(more) more") }
        return lines
    }

    /// The events of one instant as a table shows them: values in full.
    private func text(of events: [MarbleEvent]) -> String {
        guard !events.isEmpty else { return style.nothing }
        return events.map { event in
            switch event {
            case .next(let name): MarbleName.readable(name)
            case .error: "error"
            case .completed: "completed"
            }
        }.joined(separator: ", ")
    }
}

extension MarbleComparison: CustomStringConvertible {
    /// The lines, one under the other; empty when nothing differs.
    public var description: String { lines.joined(separator: "\n") }
}

extension PictureStyle {
    /// This style without rounding.
    fileprivate var exact: PictureStyle {
        var style = self
        style.roundsToTicks = false
        return style
    }
}
