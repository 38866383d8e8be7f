// SPDX-License-Identifier: Apache-2.0

public import Streams
public import Testing

/// Expects that exactly these events happened at these ticks.
///
/// A failure is a picture: both sides under one ruler, a caret at the first difference, then a table.
///
///     events: nothing expected at 220, 2 came
///
///     tick=1ms         0        210       220       230
///     events expected  -- 208ms 1-------------------2
///     events actual    -- 208ms 1---------2----------
///                                         ^
///
///     time  port    expected  actual
///     220   events  -         2
///     230   events  2         -
///
/// - Parameters:
///   - name: what the stream is called in the picture.
///   - tick: how long a tick is, for the picture.
@discardableResult
public func expectEvents<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Recorded<Event<Element>>],
    as name: String = "events", tick: Duration = .milliseconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    expectLanes(EventLane(name, actual, expected), tick: tick, sourceLocation: sourceLocation)
}

/// Expects that exactly the events of a marble picture happened.
///
/// - Parameters:
///   - marbles: the picture; see `Array.marbles`. Its `#` stands for any error.
///   - zero: the tick at which the picture starts.
@discardableResult
public func expectEvents<Element: Equatable & LosslessStringConvertible>(
    _ actual: [Recorded<Event<Element>>], _ marbles: String, from zero: Int = 0,
    as name: String = "events", tick: Duration = .milliseconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let expected: [Recorded<Event<Element>>] = .marbles(
        marbles, from: zero, tick: tick, sourceLocation: sourceLocation)
    return expectEvents(
        actual, expected.takingErrors(of: actual), as: name, tick: tick,
        sourceLocation: sourceLocation)
}

/// Expects that exactly the events of a marble picture happened, its names standing for `values`.
@discardableResult
public func expectEvents<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ marbles: String, values: [String: Element],
    from zero: Int = 0, as name: String = "events", tick: Duration = .milliseconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let expected: [Recorded<Event<Element>>] = .marbles(
        marbles, values: values, from: zero, tick: tick, sourceLocation: sourceLocation)
    return expectEvents(
        actual, expected.takingErrors(of: actual), as: name, tick: tick,
        sourceLocation: sourceLocation)
}

/// Expects several streams at once; a failure shows those that differ under one ruler.
@discardableResult
public func expectLanes(
    _ lanes: EventLane..., tick: Duration = .milliseconds(1),
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    guard let failure = EventLane.failure(lanes, tick: tick) else { return true }
    TestFailure.report(failure, sourceLocation)
    return false
}

/// Expects exactly these values, whenever they came; an error or a completion is left aside.
@discardableResult
public func expectValues<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let values = actual.compactMap(\.value.element)
    guard values != expected else { return true }
    TestFailure.report("expected values \(expected), got \(values)", sourceLocation)
    return false
}

/// Expects that a stream was subscribed to and left as these pictures say, one each: `--^---!`.
@discardableResult
public func expectSubscriptions(
    _ actual: [TestSubscription], _ marbles: [String], from zero: Int = 0,
    tick: Duration = .milliseconds(1), sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let expected = marbles.compactMap {
        TestSubscription(marbles: $0, from: zero, tick: tick, sourceLocation: sourceLocation)
    }
    guard actual != expected, expected.count == marbles.count else { return actual == expected }
    TestFailure.report("expected subscriptions \(expected), got \(actual)", sourceLocation)
    return false
}
