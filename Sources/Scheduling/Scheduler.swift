// SPDX-License-Identifier: Apache-2.0

/// A timeline that work is put on: real or virtual, in the daemon or behind a plugin's boundary.
///
/// Loop-confined: a scheduler and everything scheduled on it belong to one thread at a time. Order is
/// by (time, microstep, phase, sequence), and it is the same for every scheduler:
///
/// - an absolute time in the past means now, and the clock never goes back;
/// - work made for the instant that is being run goes to the next microstep of that instant;
/// - equal keys leave in the order they came.
public protocol Scheduler: AnyObject {
    /// The instant that is being run, or was run last.
    var now: Instant { get }

    /// The microstep that is being run, or was run last: how often this instant made work for itself.
    var microstep: UInt32 { get }

    /// The wall clock at the timeline's zero point plus `now`, in nanoseconds since 1970-01-01 UTC.
    var wallNanoseconds: Int64 { get }

    /// Runs `work` once at `due`, or at once (in a microstep of its own) when `due` has passed.
    ///
    /// - Returns: a token for `cancel(_:)`, never zero.
    @discardableResult
    func schedule(
        at due: Instant, phase: Phase, label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken

    /// Takes work back that has not begun to run. Returns false when it ran, runs, or was taken back.
    @discardableResult
    func cancel(_ token: WorkToken) -> Bool

    /// Where a relative due time lands: `now` plus `delay`, under the timeline's profile.
    ///
    /// A delay below zero counts as zero here; verbs that people call refuse it instead.
    func instant(after delay: Duration) -> Instant

    /// Runs the timeline's async tasks, between its items.
    var executor: TimelineExecutor { get }

    /// Told of an error that a stream on this timeline ended with and nobody took.
    func unhandledError(_ error: any Error, place: StaticString)
}

extension Scheduler {
    public func unhandledError(_ error: any Error, place: StaticString) {}

    public func instant(after delay: Duration) -> Instant {
        now.advanced(byNanoseconds: max(0, delay.wholeNanoseconds))
    }

    /// Runs `work` once, `delay` from now.
    @inlinable
    @discardableResult
    public func schedule(
        after delay: Duration, phase: Phase = .timer, label: WorkLabel = "timer",
        _ work: @escaping () -> Void
    ) -> WorkToken {
        schedule(at: instant(after: delay), phase: phase, label: label, work)
    }
}

/// Names one piece of scheduled work: its slot and the slot's generation, so that a stale token is
/// recognised and harmless.
@frozen
public struct WorkToken: Hashable, Sendable {
    /// Slot in the low half, generation in the high half; zero names nothing.
    public let rawValue: UInt64

    /// A token that was given out as a number, for instance over a C boundary.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The token that names nothing.
    public static let none = WorkToken(rawValue: 0)
}
