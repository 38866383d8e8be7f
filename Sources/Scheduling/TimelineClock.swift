// SPDX-License-Identifier: Apache-2.0

/// A Swift `Clock` that shows a timeline: a task that sleeps on it waits like any timer of the timeline.
///
///     now                          10        20       30
///     try await clock.sleep(for: .milliseconds(20))    wakes at 30, in virtual and in real time
///
/// Sleeping is for the timeline's own tasks (`Scheduler.task(_:operation:)`). Elsewhere it throws
/// `OffTimelineError`: no thread but the timeline's may touch its queue. Cancelling a task wakes its
/// sleep at once with `CancellationError`, and its timer is gone.
public struct TimelineClock: Clock {
    // Safety: `now` and `sleep` touch the scheduler only where `executor.isCurrent`, or, for `now`, on the
    // thread that drives the timeline.
    private nonisolated(unsafe) let scheduler: any Scheduler
    private let executor: TimelineExecutor

    init(_ scheduler: any Scheduler) {
        self.scheduler = scheduler
        executor = scheduler.executor
    }

    /// The timeline's present instant; read it on the thread that runs or drives the timeline.
    public var now: Instant { scheduler.now }

    /// Time is counted in whole nanoseconds.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// Sleeps until `deadline`, exactly; one that has passed is due at this instant, in a microstep of
    /// its own. `tolerance` is not used.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, `OffTimelineError` when it is not one of
    ///   this timeline's.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        guard executor.isCurrent else { throw OffTimelineError() }
        let sleeper = Confined(Sleeper())
        let scheduler = Confined(scheduler)
        // Of a task that was cancelled before, the handler runs first, and there is no sleep.
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                sleeper.value.sleep(until: deadline, on: scheduler.value, continuation)
            }
        } onCancel: {
            executor.perform { sleeper.value.cancel(on: scheduler.value) }
        }
    }
}

/// A task was to wait on a timeline that it does not run on.
public struct OffTimelineError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The error.
    public init() {}

    public var description: String {
        """
        this code does not run on the timeline that it waits on: `Task {}` and `Task.detached` \
        leave it; start tasks with `context.task { }`, and children with a task group or `async let`
        """
    }
}

/// One sleep: a timer and the task that it wakes. It ends once, by its timer or by cancellation.
private final class Sleeper {
    // Safety: unchecked exclusivity. Each is read or written in one go.
    @exclusivity(unchecked) private var continuation: UnsafeContinuation<Void, any Error>?
    @exclusivity(unchecked) private var token = WorkToken.none
    @exclusivity(unchecked) private var isCancelled = false

    func sleep(
        until deadline: Instant, on scheduler: any Scheduler,
        _ continuation: UnsafeContinuation<Void, any Error>
    ) {
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        self.continuation = continuation
        token = scheduler.schedule(at: deadline, phase: .timer, label: "a task's sleep") {
            self.continuation.take()?.resume()
        }
        // A timeline that is over takes no work, and wakes nobody later.
        if token == .none { cancel(on: scheduler) }
    }

    func cancel(on scheduler: any Scheduler) {
        isCancelled = true
        guard let continuation = continuation.take() else { return }
        scheduler.cancel(token)
        continuation.resume(throwing: CancellationError())
    }
}
