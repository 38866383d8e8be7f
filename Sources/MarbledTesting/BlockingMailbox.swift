// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Scheduling

/// Lets other threads send work to the thread of a blocking read.
///
/// ```swift
/// let mailbox = (CurrentScheduler.scheduler as? BlockingScheduler)?.mailbox
/// ```
///
/// It holds at most 10,000 pieces of work that wait; one more is refused.
public final class BlockingMailbox: Sendable {
    private struct State {
        var works: [@Sendable () -> Void] = []
        var isClosed = false
    }

    private static let limit = 10_000
    private let state = Locked(State())
    private let bell = DispatchSemaphore(value: 0)

    /// Runs `work` on the thread of the read, in the order sent.
    ///
    /// - Returns: false when the read is over or too much waits; then it never runs.
    @discardableResult
    public func send(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isAccepted = state.withLock { state in
            guard !state.isClosed, state.works.count < Self.limit else { return false }
            state.works.append(work)
            return true
        }
        if isAccepted { ring() }
        return isAccepted
    }

    func takeAll() -> [@Sendable () -> Void] {
        state.withLock { state in
            let works = state.works
            state.works = []
            return works
        }
    }

    /// Wakes the thread of the read.
    func ring() {
        bell.signal()
    }

    /// Sleeps until something was sent in, at most `nanoseconds`.
    func wait(nanoseconds: Int64) {
        _ = bell.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
    }

    func close() {
        let dropped = state.withLock { state in
            let works = state.works
            state = State(isClosed: true)
            return works
        }
        // Let go of outside the lock: that may run any `deinit`.
        withExtendedLifetime(dropped) {}
    }
}
