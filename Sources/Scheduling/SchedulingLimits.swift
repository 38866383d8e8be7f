// SPDX-License-Identifier: Apache-2.0

/// How far one run of a virtual timeline may go before it ends with an error instead of hanging.
public struct SchedulingLimits: Sendable, Equatable {
    /// Items per run.
    public var items: Int
    /// Microsteps per instant, at most 65,534.
    public var microsteps: Int
    /// The instant past which nothing runs.
    public var horizon: Instant

    /// Limits that a feature at work never meets and a runaway meets within a second.
    public init(
        items: Int = 1_000_000, microsteps: Int = 10_000,
        horizon: Instant = Instant(nanoseconds: 100 * 365 * 86_400 * 1_000_000_000)
    ) {
        precondition(items > 0, "a limit of \(items) items lets nothing run")
        precondition(
            (1..<Int(WorkQueue.Rank.stepLimit)).contains(microsteps),
            "microsteps are limited to 1...65,534, not \(microsteps)")
        self.items = items
        self.microsteps = microsteps
        self.horizon = horizon
    }
}
