// SPDX-License-Identifier: Apache-2.0

/// What the strict end of a test can be told to let pass.
public enum Leftover: String, CaseIterable, Sendable {
    /// A rule that answered nothing, or a stream of the test's that nobody subscribed to.
    case unusedStubs
    /// An effect that has had no answer.
    case openEffects
    /// An effect that no rule answered and for which there is nothing else in a test.
    case unstubbedEffects
    /// Work that waits: timers, and inputs and answers whose time has not come.
    case pendingTimers
    /// An async task of the timeline that has not ended.
    case runningTasks
    /// Something was said and the test never looked: an observer's events, an output's. A state is no
    /// event: nobody has to read it.
    case unconsumedOutputs
    /// An expectation that was never told what to be.
    case openExpectations
    /// A call that a mock expected and that never came.
    case unmetCalls
    /// An error that a stream ended with and nobody took.
    case unhandledErrors
    /// Outside work that keeps the clock from moving.
    case openHolds
}
