// SPDX-License-Identifier: Apache-2.0

internal import Marbles
internal import Scheduling
public import Streams
public import Testing

/// The error that `#` stands for in a marble picture.
public struct MarbleFailure: Error, Equatable, CustomStringConvertible {
    /// The error of a picture.
    public init() {}

    public var description: String { "#" }
}

extension Array {
    /// The events that a marble picture says, each name read as a value: `"--1--2-(3|)"`.
    ///
    /// `-` is a tick, `|` the completion, `#` the error, `(ab)` one instant, `'ten'` a longer name, `5ms`
    /// a gap; `MarbleDiagram` has the whole grammar. A picture that cannot be read fails the test with the
    /// column of the fault, and says nothing.
    ///
    /// - Parameters:
    ///   - text: the picture.
    ///   - zero: the tick at which it starts, or of its `^`.
    ///   - error: what `#` stands for.
    ///   - tick: how long one tick is, for the gaps in it.
    public static func marbles<Value: LosslessStringConvertible>(
        _ text: String, from zero: Int = 0, error: any Error = MarbleFailure(),
        tick: Duration = .milliseconds(1), sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self where Element == Recorded<Event<Value>> {
        reading(text, zero, error, tick, sourceLocation) {
            Value($0)
        } or: {
            "\"\($0)\" is no \(Value.self)"
        }
    }

    /// The events that a marble picture says, its names standing for `values`.
    public static func marbles<Value>(
        _ text: String, values: [String: Value], from zero: Int = 0,
        error: any Error = MarbleFailure(), tick: Duration = .milliseconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self where Element == Recorded<Event<Value>> {
        reading(text, zero, error, tick, sourceLocation) {
            values[$0]
        } or: {
            "\"\($0)\" is not among the values \(values.keys.sorted())"
        }
    }

    private static func reading<Value>(
        _ text: String, _ zero: Int, _ error: any Error, _ tick: Duration,
        _ sourceLocation: SourceLocation, _ value: (String) -> Value?,
        or complaint: (String) -> String
    ) -> Self where Element == Recorded<Event<Value>> {
        do {
            return try MarbleDiagram(parsing: text, tick: tick).marbles.map { marble in
                guard let ticks = marble.ticks(of: tick) else {
                    throw Unreadable("\(marble.at) lies between two ticks of \(tick): \(text)")
                }
                let time = zero + Int(ticks)
                switch marble.event {
                case .next(let name):
                    guard let value = value(name) else {
                        throw Unreadable("\(complaint(name)): \(text)")
                    }
                    return .next(time, value)
                case .error: return .error(time, error)
                case .completed: return .completed(time)
                }
            }
        } catch {
            TestFailure.report("\(error)", sourceLocation)
            return []
        }
    }

    /// These expected events with the errors that really came, wherever there is an error on both sides.
    func takingErrors<Value>(of actual: Self) -> Self where Element == Recorded<Event<Value>> {
        enumerated().map { index, record in
            guard case .error = record.value, index < actual.count,
                case .error(let error) = actual[index].value
            else { return record }
            return .error(record.time, error)
        }
    }
}

/// Why a picture cannot be read as the events of a test.
private struct Unreadable: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension TestSubscription {
    /// The subscription that a picture says: `--^---!`. One that cannot be read fails the test.
    public init?(
        marbles text: String, from zero: Int = 0, tick: Duration = .milliseconds(1),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            let diagram = try SubscriptionDiagram(parsing: text, tick: tick)
            guard let subscribed = diagram.subscribed else {
                throw Unreadable("the picture has no `^`: \(text)")
            }
            let length = tick.wholeNanoseconds
            self.init(
                zero + Int(subscribed.nanoseconds / length),
                diagram.unsubscribed.map { zero + Int($0.nanoseconds / length) } ?? .max)
        } catch {
            TestFailure.report("\(error)", sourceLocation)
            return nil
        }
    }
}
