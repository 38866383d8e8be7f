// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams
public import Testing

/// What a test expects of one stream, said beforehand and compared at the strict end.
///
/// ```swift
/// scheduler.expect("debounced") { source.debounce(.milliseconds(2)) }.toBe("-----b--(c|)")
/// scheduler.finish()
/// ```
///
/// One that is never told what to be fails the end of its test: it would compare nothing.
public final class Expectation<Element: Equatable> {
    let name: String
    let since: Int
    let sourceLocation: SourceLocation
    private let tick: Duration
    private let actual: () -> [Recorded<Event<Element>>]
    private var expected: ((_ actual: [Recorded<Event<Element>>]) -> [Recorded<Event<Element>>])?

    init(
        _ name: String, since: Int, tick: Duration, _ sourceLocation: SourceLocation,
        _ actual: @escaping () -> [Recorded<Event<Element>>]
    ) {
        self.name = name
        self.since = since
        self.tick = tick
        self.sourceLocation = sourceLocation
        self.actual = actual
    }

    /// Exactly these events.
    public func toBe(_ events: [Recorded<Event<Element>>]) {
        expected = { _ in events }
    }

    /// Exactly the events of a marble picture, its names standing for `values`; `#` is any error.
    public func toBe(
        _ marbles: String, values: [String: Element], from zero: Int = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let events: [Recorded<Event<Element>>] = .marbles(
            marbles, values: values, from: zero, tick: tick, sourceLocation: sourceLocation)
        expected = { events.takingErrors(of: $0) }
    }

    /// Exactly the events of a marble picture, each name read as a value; `#` is any error.
    public func toBe(
        _ marbles: String, from zero: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) where Element: LosslessStringConvertible {
        let events: [Recorded<Event<Element>>] = .marbles(
            marbles, from: zero, tick: tick, sourceLocation: sourceLocation)
        expected = { events.takingErrors(of: $0) }
    }

    /// Nothing at all.
    public func toBeSilent() {
        expected = { _ in [] }
    }
}

/// An expectation whose type the end of a test need not know.
protocol AnyExpectation: AnyObject {
    var name: String { get }
    /// The tick it was said at.
    var since: Int { get }
    var sourceLocation: SourceLocation { get }
    /// Both sides, or nil when nothing was said of what to be.
    func lane() -> EventLane?
}

extension Expectation: AnyExpectation {
    func lane() -> EventLane? {
        let actual = actual()
        return expected.map { EventLane(name, actual, $0(actual)) }
    }
}
