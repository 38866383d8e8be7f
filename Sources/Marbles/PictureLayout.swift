// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Where everything in a picture stands: several lanes over one set of columns.
///
/// Time is cut at the instants at which anything happens in any lane. Each instant is a cell as wide as
/// the widest lane needs there; narrower cells are followed by blanks, which cost no time. Between two
/// cells lies a gap, the same in every lane: dashes, or a few dashes and a duration. The duration is
/// worked out for each lane from what stands before it, so every lane on its own is an exact diagram.
struct PictureLayout {
    /// A lane before it is drawn: its symbols in order of time.
    struct Lane {
        var name: String
        var symbols: [(nanoseconds: Int64, symbol: MarbleSymbol)]
        /// Whether its stream ended before the picture begins, so that nothing is left to draw.
        var isOver = false
    }

    /// What lies between two neighbouring instants.
    private struct Gap {
        /// Silent ticks drawn one by one, behind the cell's own tick.
        var dashes: Int
        var hasDuration: Bool
        /// Blanks between cells that would otherwise read as something else.
        var spacer = 0
        var durationWidth = 0

        var width: Int { dashes + spacer + (hasDuration ? durationWidth + 2 : 0) }
    }

    /// A piece of a cell: a sign and what it is.
    private typealias Piece = (text: String, role: Palette.Role)

    let tick: Int64
    let style: PictureStyle
    let lanes: [Lane]
    /// Every instant that has a cell, in order.
    let instants: [Int64]
    private(set) var legend: PictureLegend
    /// The column of each instant, from the left edge of the lanes.
    private(set) var columns: [Int] = []
    /// One drawn line for each lane, without its name.
    private(set) var rows: [PictureLine] = []
    private var gaps: [Gap]
    private var cells: [[[Piece]]] = []

    /// Lays out `lanes` from `start` (or the first symbol, when that is earlier) to `end`.
    init(lanes: [Lane], tick: Duration, from start: Int64, until end: Int64?, style: PictureStyle) {
        let tick = wholeTick(tick)
        self.tick = tick
        self.style = style
        self.lanes = lanes.map { lane in
            var lane = lane
            lane.symbols = lane.symbols.map {
                // The beginning of time has no distance to zero that fits into 64 bits.
                let exact = max($0.nanoseconds, -.max)
                return (style.roundsToTicks ? floor(exact, to: tick) : exact, $0.symbol)
            }
            return lane
        }
        var times = Set(self.lanes.flatMap { $0.symbols.map(\.nanoseconds) })
        times.insert(style.roundsToTicks ? floor(start, to: tick) : start)
        if let end { times.insert(style.roundsToTicks ? floor(end, to: tick) : end) }
        instants = times.sorted()
        gaps = zip(instants, instants.dropFirst()).map { earlier, later in
            let (ticks, rest) = (later - earlier).quotientAndRemainder(dividingBy: tick)
            let isShort = ticks - 1 <= style.longestSilence
            return Gap(
                dashes: isShort ? max(0, Int(ticks) - 1) : min(1, style.longestSilence),
                hasDuration: !isShort || rest != 0)
        }
        legend = PictureLegend(
            names: self.lanes.lazy.flatMap { $0.symbols.lazy.compactMap { $0.symbol.name } },
            widest: style.widestValue)
        fillCells()
        placeColumns()
        drawRows()
    }

    /// How many columns the lanes take.
    var width: Int {
        max((columns.last ?? 0) + 1, rows.map(\.width).max() ?? 0)
    }

    /// The column of the cell at `nanoseconds`, if anything stands there.
    func column(of nanoseconds: Int64) -> Int? {
        let time = style.roundsToTicks ? floor(nanoseconds, to: tick) : nanoseconds
        let place = instants.place(of: time)
        return place < instants.count && instants[place] == time ? columns[place] : nil
    }

    // MARK: Cells

    /// Spells every symbol, instant by instant, so that letters are given out in order of time.
    private mutating func fillCells() {
        cells = Array(repeating: [], count: lanes.count)
        var next = Array(repeating: 0, count: lanes.count)
        for time in instants {
            for (lane, content) in lanes.enumerated() {
                let group = content.symbols[next[lane]...].prefix { $0.nanoseconds == time }
                next[lane] = group.endIndex
                cells[lane].append(cell(of: group.map(\.symbol)))
            }
        }
        for index in gaps.indices where gaps[index].width == 0 {
            let collides = cells.contains { cell in
                MarbleName.needsSpace(
                    between: cell[index].last?.text ?? "", and: cell[index + 1].first?.text ?? "")
            }
            gaps[index].spacer = collides ? 1 : 0
        }
    }

    private mutating func cell(of symbols: [MarbleSymbol]) -> [Piece] {
        var pieces: [Piece] = []
        for symbol in symbols {
            let piece: Piece =
                switch symbol {
                case .value(let name): (legend.spelling(of: name), .value)
                case .completed: (style.sign(for: symbol), .completed)
                case .error: (style.sign(for: symbol), .error)
                case .subscribed, .unsubscribed: (style.sign(for: symbol), .value)
                }
            if MarbleName.needsSpace(between: pieces.last?.text ?? "", and: piece.text) {
                pieces.append((" ", .blank))
            }
            pieces.append(piece)
        }
        guard symbols.count > 1 else { return pieces }
        return [("(", .silence)] + pieces + [(")", .silence)]
    }

    // MARK: Lines

    private mutating func placeColumns() {
        for lane in lanes.indices {
            walk(lane) { index, step in
                if case .duration(let text) = step {
                    gaps[index].durationWidth = max(
                        gaps[index].durationWidth, displayWidth(of: text))
                }
            }
        }
        var column = 0
        for index in instants.indices {
            columns.append(column)
            let widest = cells.map { $0[index].reduce(0) { $0 + displayWidth(of: $1.text) } }.max()
            column += max(1, widest ?? 1)
            if index < gaps.count { column += gaps[index].width }
        }
    }

    private mutating func drawRows() {
        rows = lanes.indices.map { lane in
            var line = PictureLine()
            walk(lane) { index, step in
                switch step {
                case .cell(let pieces):
                    line.pad(to: columns[index], with: style.filler)
                    for piece in pieces { line.append(piece.text, piece.role) }
                case .dashes(let count):
                    line.pad(to: columns[index + 1] - gaps[index].width, with: style.filler)
                    line.append(style.silence(ticks: count), .silence)
                case .duration(let text):
                    let width = gaps[index].durationWidth
                    line.pad(to: columns[index + 1] - width - 2, with: style.filler)
                    line.append(style.duration(text, width: width), .silence)
                }
            }
            return line
        }
    }

    /// One step along a lane.
    private enum Step {
        case cell([Piece])
        case dashes(Int)
        case duration(String)
    }

    /// Goes along one lane, the only place that knows what silence is written where.
    ///
    /// At every instant the lane's free time begins exactly there: a cell takes its tick, a gap the rest.
    /// A silent cell with less than a tick to the next instant stays blank, and the duration that follows
    /// counts from whatever stands before it.
    private func walk(_ lane: Int, _ visit: (Int, Step) -> Void) {
        guard !lanes[lane].isOver else { return }
        var position = LanePosition(nanoseconds: instants.first ?? 0)
        let end = lanes[lane].symbols.last.flatMap { $0.symbol.isEnd ? $0.nanoseconds : nil }
        for (index, time) in instants.enumerated() {
            if let end, time > end { return }
            let isLast = index == instants.count - 1 || time == end
            let cell = cells[lane][index]
            if !cell.isEmpty {
                visit(index, .cell(cell))
                position = LanePosition(nanoseconds: time, isAfterSymbol: true)
            } else if isLast || instants[index + 1] - time >= tick {
                visit(index, .cell([(style.silence(ticks: 1), .silence)]))
                if !isLast { position = LanePosition(nanoseconds: time + tick) }
            }
            guard !isLast else { continue }
            let gap = gaps[index]
            if gap.dashes > 0 {
                visit(index, .dashes(gap.dashes))
                position = LanePosition(nanoseconds: time + Int64(gap.dashes + 1) * tick)
            }
            if gap.hasDuration {
                let target = instants[index + 1]
                visit(
                    index, .duration(DurationText.text(nanoseconds: position.gap(to: target))))
                position = LanePosition(nanoseconds: target)
            }
        }
    }
}

/// `nanoseconds` moved back to a whole number of ticks.
func floor(_ nanoseconds: Int64, to tick: Int64) -> Int64 {
    let rest = nanoseconds % tick
    guard rest < 0 else { return nanoseconds - rest }
    let (floor, overflow) = (nanoseconds - rest).subtractingReportingOverflow(tick)
    return overflow ? nanoseconds - rest : floor
}

extension MarbleSymbol {
    /// The name of a value.
    var name: String? {
        if case .value(let name) = self { name } else { nil }
    }

    /// Whether a lane is over with this.
    var isEnd: Bool {
        switch self {
        case .completed, .error, .unsubscribed: true
        case .value, .subscribed: false
        }
    }
}
