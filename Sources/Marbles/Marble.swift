// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// One event of a stream and the instant at which it stands.
///
/// Instants are whole nanoseconds, so `1.5s` and a third of a tick are exact; a diagram's tick length
/// says only how they are drawn. Instants before a hot diagram's zero point are negative.
public struct Marble: Hashable, Sendable {
    /// When it happens, counted from the diagram's zero point.
    public var at: Instant
    /// What happens.
    public var event: MarbleEvent

    /// `event` at `at`.
    public init(at: Instant, _ event: MarbleEvent) {
        self.at = at
        self.event = event
    }

    /// `event` at `nanoseconds` after the zero point.
    public init(nanoseconds: Int64, _ event: MarbleEvent) {
        self.init(at: Instant(nanoseconds: nanoseconds), event)
    }

    /// The whole number of ticks at which it stands, or nil when it stands between two ticks.
    public func ticks(of tick: Duration) -> Int64? {
        let (count, rest) = at.nanoseconds.quotientAndRemainder(
            dividingBy: wholeTick(tick))
        return rest == 0 ? count : nil
    }
}

/// What a marble says: a named value, or how its stream ended.
public enum MarbleEvent: Hashable, Sendable {
    /// A value. The name stands for it: the reader of the diagram knows which value is meant.
    case next(String)
    /// The stream failed. Nothing follows.
    case error
    /// The stream completed. Nothing follows.
    case completed

    /// Whether nothing may follow.
    public var isTerminal: Bool {
        switch self {
        case .next: false
        case .error, .completed: true
        }
    }
}

/// The nanoseconds of a tick length; a length that does not move time is a programmer's mistake.
func wholeTick(_ tick: Duration) -> Int64 {
    let nanoseconds = tick.wholeNanoseconds
    precondition(nanoseconds > 0, "a tick of \(tick) does not move time")
    return nanoseconds
}
