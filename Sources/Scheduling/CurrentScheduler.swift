// SPDX-License-Identifier: Apache-2.0

internal import CThreadLocal

/// The scheduler whose work runs on this thread: what a time operator uses when none is given.
///
/// Set by whoever runs work on a timeline, for the length of that work. One thread-local pointer, so
/// timelines on other threads never meet.
public enum CurrentScheduler {
    /// The scheduler whose work runs on this thread, or nil outside any timeline.
    public static var scheduler: (any Scheduler)? {
        guard let box = marbled_thread_local_get() else { return nil }
        return Unmanaged<AnyObject>.fromOpaque(box).takeUnretainedValue() as? any Scheduler
    }

    /// Runs `body` as work of `scheduler`.
    public static func with<Result, Failure>(
        _ scheduler: any Scheduler, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = enter(scheduler)
        defer { leave(to: outer) }
        return try body()
    }

    /// Makes `scheduler` current and returns what was current before, to be handed to `leave(to:)`.
    ///
    /// The scheduler is borrowed: the caller keeps it alive until it leaves.
    public static func enter(_ scheduler: any Scheduler) -> UnsafeMutableRawPointer? {
        let outer = marbled_thread_local_get()
        marbled_thread_local_set(Unmanaged<AnyObject>.passUnretained(scheduler).toOpaque())
        return outer
    }

    /// Makes current again what `enter(_:)` returned.
    public static func leave(to outer: UnsafeMutableRawPointer?) {
        marbled_thread_local_set(outer)
    }
}
