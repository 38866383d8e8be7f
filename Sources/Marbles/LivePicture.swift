// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// A picture that grows to the right while its streams run, for a terminal that redraws it.
///
///     tick=100ms  47 50        60      93
///     round       1──2─────────1─┄3.1s┄3
///     target      ───3───────────┄3.1s┄2─
///
/// A value and nothing more: whoever reads the streams tells it what came, asks for the lines that fit,
/// and does the drawing. Instants are rounded down to ticks. It keeps the newest `capacity` events and
/// forgets older ones; lines show as much of the end as fits.
public struct LivePicture {
    private let tick: Duration
    private let style: PictureStyle
    private let capacity: Int
    private var names: [String] = []
    /// What is kept, in order of time; equal instants in the order they came.
    private var events: [(nanoseconds: Int64, lane: Int, symbol: MarbleSymbol)] = []
    private var now: Int64?
    /// The lanes whose streams have ended.
    private var ended: Set<Int> = []

    /// An empty picture of `lanes`; other lanes join below when their first event comes.
    public init(
        lanes: [String] = [], tick: Duration = .milliseconds(100),
        style: PictureStyle = PictureStyle(), capacity: Int = 512
    ) {
        precondition(capacity > 0, "a live picture of \(capacity) events shows nothing")
        _ = wholeTick(tick)
        self.tick = tick
        var style = style
        style.roundsToTicks = true
        self.style = style
        self.capacity = capacity
        names = lanes
    }

    /// Takes a value of `lane`, as the text that shall be shown for it.
    public mutating func add(_ text: String, lane: String, at: Instant) {
        add(.next(text), lane: lane, at: at)
    }

    /// Takes an event of `lane`. Late news are put where they belong.
    public mutating func add(_ event: MarbleEvent, lane: String, at: Instant) {
        let index: Int
        if let known = names.firstIndex(of: lane) {
            index = known
        } else {
            index = names.count
            names.append(lane)
        }
        if event.isTerminal { ended.insert(index) }
        // News come nearly in order: the place is at the end, or a few steps before it.
        let place = (events.lastIndex { $0.nanoseconds <= at.nanoseconds } ?? -1) + 1
        events.insert((at.nanoseconds, index, MarbleSymbol(event)), at: place)
        if events.count > capacity { events.removeFirst(events.count - capacity) }
        advance(to: at)
    }

    /// Lets time pass without an event; it never goes back.
    public mutating func advance(to instant: Instant) {
        now = max(now ?? .min, instant.nanoseconds)
    }

    /// The lines to draw on a terminal of `width` columns, none of them wider than that: the ruler, one
    /// for each lane, then the legend of the letters that can be seen.
    public func lines(width: Int) -> [String] {
        guard width > 0 else { return [] }
        let rulerName = "tick=\(DurationText.text(of: tick))"
        let nameWidth = MarblePicture.nameWidth(
            names.map(MarbleName.readable) + [rulerName], limit: width)
        let room = max(1, width - nameWidth - 2)
        // An instant takes a column or more, so no more than `room` of them can fit.
        var start = events.endIndex
        for _ in 0..<room where start > 0 {
            let time = floor(events[start - 1].nanoseconds, to: wholeTick(tick))
            let earlier = events[..<start].lastIndex {
                floor($0.nanoseconds, to: wholeTick(tick)) < time
            }
            start = earlier.map { $0 + 1 } ?? 0
        }
        var shown = layout(from: start)
        if shown.width > room, let last = shown.instants.last {
            // A narrower cut is no wider than its part of the whole: the columns before it are gone.
            let first = zip(shown.instants, shown.columns).first { shown.width - $0.1 <= room }
            let earliest = first?.0 ?? last
            shown = layout(
                from: events.firstIndex {
                    floor($0.nanoseconds, to: wholeTick(tick)) >= earliest
                } ?? events.endIndex)
        }
        return MarblePicture.lines(of: shown, tick: tick, limit: width)
    }

    /// Lays out the events from `start` on.
    private func layout(from start: Int) -> PictureLayout {
        var lanes = names.indices.map { index in
            PictureLayout.Lane(name: names[index], symbols: [], isOver: ended.contains(index))
        }
        for event in events[start...] {
            lanes[event.lane].symbols.append((event.nanoseconds, event.symbol))
            lanes[event.lane].isOver = false
        }
        let first = start < events.count ? events[start].nanoseconds : now
        return PictureLayout(
            lanes: lanes, tick: tick, from: first ?? 0, until: now, style: style)
    }
}
