// SPDX-License-Identifier: Apache-2.0

/// The bounds of a host. Each says what happens at it.
package struct HostLimits: Sendable, Equatable {
    /// Instances open at once; one more is refused.
    package var instances = 200_000
    /// Items waiting on one timeline; a plugin that asks for more ends its instance.
    package var pendingWork = 11_000_000
    /// Bytes of values that were sent to one instance and wait for their instant; one more is refused.
    package var pendingBytes = 64 << 20
    /// Pieces of work that an instance's own threads posted and the loop has not come to; one more is refused.
    package var postedWork = 10_000
    /// Effects open at once in one instance; a plugin that asks for more ends its instance.
    package var openEffects = 10_000
    /// Answers of one effect on their way to a plugin that is slow; one more ends the effect with `overrun`.
    package var waitingAnswers = 1_024
    /// Entries in one instance's record; past it the oldest are dropped.
    package var recordEntries = 1_000_000
    /// Bytes of payload in one instance's record; past it the oldest are dropped.
    package var recordBytes = 64 << 20
    /// Handles of closed instances that rest before one serves again; until then a plugin that calls with
    /// a handle of the past is refused.
    package var restingHandles = 65_536
    /// How long one slice of a virtual run may take before others get their turn.
    package var sliceNanoseconds: Int64 = 2_000_000
    /// A call into a plugin that takes longer is logged.
    package var callbackNanoseconds: Int64 = 50_000_000

    /// What a plugin may keep in its store.
    package var store = StoreLimits()

    package init() {}
}
