// SPDX-License-Identifier: Apache-2.0

/// What kind of work an item is, which decides its place among others of the same instant.
///
///     time        -----------10----------->
///     closes      subscription windows end      [subscribe, dispose)
///     opens       subscription windows begin
///     arrivals    inputs and effect answers
///     queued      work put off to "after this"
///     timers      delays, deadlines, ticks
///     checks      what a test looks at last
///
/// A value that arrives exactly on a deadline is therefore seen before the deadline strikes, however
/// the two were scheduled.
@frozen
public enum Phase: UInt8, CaseIterable, Sendable, Comparable {
    /// A subscription ends; values of the same instant are no longer seen.
    case windowCloses = 0
    /// A subscription begins; values of the same instant are already seen.
    case windowOpens = 1
    /// An input or the answer to an effect.
    case arrival = 2
    /// Work that was put off until the current item is done.
    case queued = 3
    /// A delay, a deadline or a tick.
    case timer = 4
    /// An expectation of a test.
    case check = 5

    @inlinable
    public static func < (lhs: Phase, rhs: Phase) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}
