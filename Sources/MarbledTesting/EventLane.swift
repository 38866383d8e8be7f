// SPDX-License-Identifier: Apache-2.0

internal import Marbles
internal import Scheduling
public import Streams

/// What one stream was expected to say beside what it said, ready to be compared and drawn with others.
public struct EventLane {
    /// The stream's name in pictures.
    public let name: String
    /// Whether exactly the expected events came, in their order.
    public let isEqual: Bool
    private let expected: [DrawnEvent]
    private let actual: [DrawnEvent]

    /// One event as text.
    private struct DrawnEvent {
        let time: Int
        let event: MarbleEvent
        let text: String

        init<Element>(_ record: Recorded<Event<Element>>) {
            time = record.time
            text = "\(record.value)"
            switch record.value {
            case .next(let element): event = .next("\(element)")
            case .error: event = .error
            case .completed: event = .completed
            }
        }
    }

    /// A lane of a comparison.
    public init<Element: Equatable>(
        _ name: String, _ actual: [Recorded<Event<Element>>],
        _ expected: [Recorded<Event<Element>>]
    ) {
        self.name = name
        isEqual = actual == expected
        self.actual = actual.map { DrawnEvent($0) }
        self.expected = expected.map { DrawnEvent($0) }
    }

    /// Why `lanes` differ, as a picture: both sides of each lane under one ruler, a caret at its first
    /// difference, then a table of time, port, expected and actual. Nil when none does.
    static func failure(_ lanes: [EventLane], tick: Duration) -> String? {
        let differing = lanes.filter { !$0.isEqual }
        guard !differing.isEmpty else { return nil }
        let comparison = MarbleComparison(differing.map { $0.port(tick: tick) }, tick: tick)
        var lines = comparison.lines
        for lane in differing {
            let notes = lane.notes
            guard !notes.isEmpty else { continue }
            if !lines.isEmpty { lines.append("") }
            lines += notes
        }
        return lines.joined(separator: "\n")
    }

    private func port(tick: Duration) -> MarbleComparison.Port {
        .init(
            name, expected: Self.marbles(expected, tick: tick),
            actual: Self.marbles(actual, tick: tick))
    }

    private static func marbles(_ events: [DrawnEvent], tick: Duration) -> [Marble] {
        // A picture has its events in order of time, whatever a test wrote down.
        inOrder(events).map { event in
            let (at, overflow) = Int64(event.time).multipliedReportingOverflow(
                by: tick.wholeNanoseconds)
            return Marble(
                nanoseconds: overflow ? (event.time < 0 ? -.max : .max) : at, event.event)
        }
    }

    /// What a picture does not show: errors have one sign, two values may be written alike, and order.
    private var notes: [String] {
        var notes: [String] = []
        for (side, events) in [("expected", expected), ("actual", actual)]
        where !zip(events, events.dropFirst()).allSatisfy({ $0.time <= $1.time }) {
            notes.append("\(name): the \(side) events do not stand in order of time")
        }
        for (want, got) in zip(Self.inOrder(expected), Self.inOrder(actual))
        where want.time == got.time && want.event == got.event && want.event == .error
            && want.text != got.text
        {
            notes.append("\(name): \(want.text) was expected at \(want.time), \(got.text) came")
        }
        let looksAlike = zip(expected, actual).allSatisfy {
            $0.time == $1.time && $0.text == $1.text
        }
        if notes.isEmpty, looksAlike, expected.count == actual.count {
            notes.append(
                "\(name): something differs that is written alike: \(expected.map(\.text))")
        }
        return notes
    }

    private static func inOrder(_ events: [DrawnEvent]) -> [DrawnEvent] {
        events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }
}
