// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Runs the async tasks of one timeline, on the timeline's own thread, in the order they became ready.
///
///     items      a  b     c            a wakes two tasks, c one
///     tasks       xy       z           drained after each item, before the next
///
/// After each item its scheduler drains it to exact quiescence: no task of the timeline can go on
/// without another item, and nothing was guessed. Task groups, `async let`, actors and async streams
/// inherit it; `Task {}`, `Task.detached` and the main actor do not, and leave the timeline.
///
/// A job that arrives from another thread (a task that left and came back) waits in an inbox behind a
/// lock and is reported to `onForeignJob`; everything else is loop-confined and takes no lock. The list of
/// ready jobs is bounded by time: after 1,000 in one go the rest becomes queued work of the timeline,
/// where the limit on microsteps names tasks that keep each other running for ever.
public final class TimelineExecutor: TaskExecutor, @unchecked Sendable {
    // Safety: `inbox` has its lock. Everything else is touched on the timeline's thread only, which
    // `isCurrent` tells; `enqueue` asks it before it touches anything.

    /// Told, on the thread that it came from, that a job came from outside the timeline. It must not come
    /// back here.
    public var onForeignJob: (@Sendable () -> Void)? {
        get { inbox.withLock { $0.onForeignJob } }
        set { inbox.withLock { $0.onForeignJob = newValue } }
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
        var wake: (@Sendable () -> Void)?
        var onForeignJob: (@Sendable () -> Void)?
    }

    /// What waits for its turn: a task, or something that must happen on the timeline's thread.
    private enum Job {
        case task(UnownedJob)
        case action(() -> Void)
    }

    private let inbox = Locked(Inbox())
    /// What the inbox holds, told without the lock: a drain of an executor nobody calls from outside
    /// takes no lock.
    private let foreignJobs = Atomic<Int>(0)
    /// The scheduler's address, which is current while the timeline runs.
    private let address: UnsafeMutableRawPointer
    private weak let scheduler: (any Scheduler)?
    /// Set at the end, when the address may come to belong to another timeline.
    @exclusivity(unchecked) private var isOver = false
    @exclusivity(unchecked) private var ready: ContiguousArray<UnownedJob> = []
    @exclusivity(unchecked) private var head = 0
    @exclusivity(unchecked) private var isDraining = false
    private var drainIsScheduled = false
    private var running: [UInt64: RunningTask] = [:]
    private var nextTask: UInt64 = 1

    private static var burst: Int { 1_000 }

    /// The executor of `scheduler`, which keeps it and drains it.
    public init(of scheduler: any Scheduler) {
        self.scheduler = scheduler
        address = Unmanaged<AnyObject>.passUnretained(scheduler).toOpaque()
    }

    // MARK: From Swift's runtime

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { return ready.append(job) }
        // A timeline that stands (see `CurrentScheduler.stand`): its own thread, outside any item.
        if let standing = CurrentScheduler.scheduler, standing === scheduler {
            ready.append(job)
            return scheduleDrain()
        }
        deliver(.task(job))
    }

    // MARK: From the timeline

    /// Whether this thread runs the timeline right now.
    public var isCurrent: Bool { CurrentScheduler.isEntered(address) && !isOver }

    /// Whether a drain would run anything.
    @inline(__always)
    public var hasReadyJobs: Bool { head < ready.count }

    /// Lets in what came from other threads: it follows an item of its own, as queued work of this
    /// instant. Called by the scheduler before it looks at its queue, while it is current.
    @inline(__always)
    public func letForeignJobsIn() {
        if foreignJobs.load(ordering: .acquiring) != 0 { emptyInbox() }
    }

    /// Runs everything that is ready, and what becomes ready meanwhile. Called by the scheduler, after
    /// each item and while it is current.
    public func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        var ran = 0
        while head < ready.count {
            guard ran < Self.burst else { return scheduleDrain() }
            let job = ready[head]
            head += 1
            if head == ready.count {
                ready.removeAll(keepingCapacity: ready.count <= 4_096)
                head = 0
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
            ran += 1
        }
    }

    /// Has `wake` called, on any thread, when something arrives from outside: it must bring about a
    /// drain, and must not come back here. Without one the timeline finds it when it is driven next.
    public func onArrival(_ wake: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.wake = wake }
    }

    /// Runs `action` on the timeline's thread: now, if this is it, else when it comes by.
    package func perform(_ action: @escaping () -> Void) {
        if isCurrent { action() } else { deliver(.action(action)) }
    }

    // MARK: Tasks

    /// The tasks that have not ended, oldest first: who they are and since when they run.
    public var runningTasks: [RunningTask] {
        running.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Notes a task and starts it by `begin`, whose job is the timeline's own.
    func start<Handle>(_ task: RunningTask, _ begin: (UInt64) -> Handle) -> Handle {
        let number = nextTask
        nextTask += 1
        running[number] = task
        return onTimeline { begin(number) }
    }

    func setCancel(_ cancel: @escaping () -> Void, of number: UInt64) {
        running[number]?.cancel = cancel
    }

    func ended(_ number: UInt64) {
        running[number] = nil
    }

    /// Cancels every task and lets each run to its end, as far as it goes by itself. What comes from
    /// outside afterwards is dropped.
    public func close() {
        guard !isOver else { return }
        onTimeline {
            for task in runningTasks { task.cancel?() }
            drain()
        }
        isOver = true
        inbox.withLock { inbox in
            inbox.isClosed = true
            inbox.wake = nil
            inbox.jobs = []
        }
    }

    // MARK: Helpers

    /// Runs `body`, whose jobs are the timeline's own whether or not an item runs.
    func onTimeline<Result>(_ body: () -> Result) -> Result {
        guard !isCurrent, let scheduler else { return body() }
        let result = CurrentScheduler.with(scheduler, body)
        if head < ready.count { scheduleDrain() }
        return result
    }

    /// Puts an item on the timeline that does nothing: the drain follows it as it follows every item.
    private func scheduleDrain() {
        guard !drainIsScheduled, let scheduler else { return }
        drainIsScheduled = true
        scheduler.schedule(at: scheduler.now, phase: .queued, label: "tasks that are ready") {
            [weak self] in self?.drainIsScheduled = false
        }
    }

    /// The timeline dropped all that waited, the item among it that a drain was to follow; what is ready
    /// gets another one.
    func drainWasDropped() {
        drainIsScheduled = false
        if hasReadyJobs, !isDraining, !isOver { scheduleDrain() }
    }

    private func deliver(_ job: Job) {
        let job = Confined(job)
        inbox.withLock { inbox in
            guard !inbox.isClosed else { return }
            inbox.jobs.append(job.value)
            foreignJobs.store(inbox.jobs.count, ordering: .releasing)
            // Called with the lock held: after `close` has had it nothing is called any more.
            inbox.onForeignJob?()
            inbox.wake?()
        }
    }

    private func emptyInbox() {
        let jobs = inbox.withLock { inbox in
            foreignJobs.store(0, ordering: .releasing)
            return Confined(exchange(&inbox.jobs, with: []))
        }.value
        for job in jobs {
            switch job {
            case .task(let job): ready.append(job)
            case .action(let action): action()
            }
        }
        if hasReadyJobs { scheduleDrain() }
    }
}

/// A task of a timeline that has not ended.
public struct RunningTask {
    /// What it is.
    public let label: WorkLabel
    /// Where it was started: `Module/File.swift:12`.
    public let place: String
    /// The instant it was started at.
    public let since: Instant
    var cancel: (() -> Void)?
}
