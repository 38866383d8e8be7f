// SPDX-License-Identifier: Apache-2.0

/// A task that runs on a timeline: started by `Scheduler.task(_:operation:)`.
///
/// It goes on when nobody keeps this; cancel it to end it early. It is cancelled when its timeline closes.
/// Loop-confined, like the timeline.
public final class TimelineTask<Success> {
    private let task: Task<Confined<Success>, any Error>
    private let executor: TimelineExecutor
    private let outcome: Outcome

    /// Whether somebody asked for the value, and is told of an error.
    private final class Outcome {
        var isAwaited = false
    }

    init(
        _ label: WorkLabel, place: String, on scheduler: any Scheduler,
        operation: @escaping () async throws -> Success
    ) {
        let executor = scheduler.executor
        let outcome = Outcome()
        let body = Confined(operation)
        // Weak: a task that never ends must not keep its timeline.
        let told = Confined<(any Error) -> Void> { [weak scheduler] error in
            guard !outcome.isAwaited, !(error is CancellationError) else { return }
            scheduler?.unhandledError(error, place: "a task")
        }
        let running = RunningTask(label: label, place: place, since: scheduler.now)
        let task = executor.start(running) { number in
            let task = Task(executorPreference: executor) {
                defer { executor.ended(number) }
                do {
                    return Confined(try await body.value())
                } catch {
                    told.value(error)
                    throw error
                }
            }
            executor.setCancel({ task.cancel() }, of: number)
            return task
        }
        self.task = task
        self.executor = executor
        self.outcome = outcome
    }

    /// What the operation returned. Waiting for it belongs into another task of the same timeline.
    public var value: Success {
        get async throws {
            outcome.isAwaited = true
            return try await task.value.value
        }
    }

    /// Whether it was told to end.
    public var isCancelled: Bool { task.isCancelled }

    /// Tells it to end: its sleeps and its waits for streams and effects end at this very instant.
    public func cancel() {
        executor.onTimeline { task.cancel() }
    }
}

extension Scheduler {
    /// Starts a task on this timeline. It begins when the item that runs now has ended, or, outside any
    /// item, when the timeline is driven.
    ///
    /// Everything in it runs on the timeline's own thread, so it may use whatever the caller may; task
    /// groups, `async let`, actors and async streams stay on the timeline with it. Time is `clock`.
    /// An error is told like one that a stream ended with, unless `value` was asked for by then.
    ///
    /// - Parameter label: what it is called where people look at what still runs.
    @discardableResult
    public func task<Success>(
        _ label: WorkLabel = "task", file: StaticString = #fileID, line: UInt = #line,
        operation: @escaping () async throws -> Success
    ) -> TimelineTask<Success> {
        TimelineTask(label, place: "\(file):\(line)", on: self, operation: operation)
    }

    /// The timeline as a Swift `Clock`.
    public var clock: TimelineClock { TimelineClock(self) }
}
