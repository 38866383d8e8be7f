// SPDX-License-Identifier: Apache-2.0

internal import CThreadLocal

/// The scheduler whose work runs on this thread: what a time operator uses when none is given.
///
/// Set by whoever runs work on a timeline, for the length of that work. One thread-local pointer, so
/// timelines on other threads never meet. Outside any work, a timeline may *stand*: see `stand(_:)`.
public enum CurrentScheduler {
    /// The scheduler whose work runs on this thread, else the one that stands there, else nil.
    public static var scheduler: (any Scheduler)? {
        guard let box = marbled_thread_local_get() else { return StandingSchedulers.newest }
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

    /// Whether work of some timeline runs on this thread.
    package static var isInsideWork: Bool { marbled_thread_local_get() != nil }

    /// Whether the scheduler at `address` is the one whose work runs on this thread.
    static func isEntered(_ address: UnsafeMutableRawPointer) -> Bool {
        marbled_thread_local_get() == address
    }

    /// Makes `scheduler` the one that code of this thread and task finds outside any timeline's work:
    /// what a test scheduler does for the body of its test.
    ///
    /// It is not kept alive, and a dead one is never found: the one that stood before stands again.
    /// Code of another task never finds it, even when the two take turns on one thread.
    public static func stand(_ scheduler: any Scheduler) {
        StandingSchedulers.add(scheduler)
    }

    /// Takes back what `stand(_:)` did on this thread.
    public static func retire(_ scheduler: any Scheduler) {
        StandingSchedulers.remove(scheduler)
    }
}

/// The timelines that stand on one thread, oldest first.
private final class StandingSchedulers {
    struct Place {
        weak var scheduler: (any Scheduler)?
        let task: Int
    }

    var places: [Place] = []

    /// The task this code runs in, as a number that is only compared.
    static var task: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    /// This thread's list. Made once per thread that ever had one, and kept until that thread ends, so
    /// that a scheduler may die on any thread without looking for it.
    static var ofThread: StandingSchedulers? {
        marbled_thread_local_get_standing().map {
            Unmanaged<StandingSchedulers>.fromOpaque($0).takeUnretainedValue()
        }
    }

    static var newest: (any Scheduler)? {
        guard let list = ofThread, !list.places.isEmpty else { return nil }
        let task = task
        return list.places.last { $0.task == task && $0.scheduler != nil }?.scheduler
    }

    static func add(_ scheduler: any Scheduler) {
        let list =
            ofThread
            ?? {
                let list = StandingSchedulers()
                marbled_thread_local_set_standing(Unmanaged.passRetained(list).toOpaque()) {
                    Unmanaged<StandingSchedulers>.fromOpaque($0).release()
                }
                return list
            }()
        list.places.removeAll { $0.scheduler == nil }
        list.places.append(Place(scheduler: scheduler, task: task))
    }

    static func remove(_ scheduler: any Scheduler) {
        ofThread?.places.removeAll { $0.scheduler == nil || $0.scheduler === scheduler }
    }
}
