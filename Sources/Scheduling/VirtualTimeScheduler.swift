// SPDX-License-Identifier: Apache-2.0

/// A timeline whose clock moves only when it is driven: an hour passes as fast as its work runs.
///
///     schedule   a(30) b(10) c(30)
///     advance    to 10      to 40
///     runs       b          (ac)        equal instants leave in the order they came
///
/// Loop-confined. Whoever holds it drives it with the verbs below; an action that it runs may schedule
/// and cancel, and may not drive. Runs end by themselves: see `SchedulingLimits`.
public final class VirtualTimeScheduler: Scheduler {
    /// 2001-01-01T00:00:00Z, where the wall clock of a virtual timeline starts.
    public static let defaultWallOrigin: Int64 = 978_307_200_000_000_000

    // Safety: unchecked exclusivity, here and below. Each is read or written in one go, and nothing that
    // is called meanwhile comes back here; the checks would cost more than the heap.
    @exclusivity(unchecked) public private(set) var now = Instant.zero
    public var microstep: UInt32 { steps.current }
    /// The rules of order this timeline follows.
    public let profile: Profile
    /// One tick, the unit that tests speak in.
    public let tick: Duration
    /// How far a run may go.
    @exclusivity(unchecked) public var limits: SchedulingLimits
    /// Runs the timeline's async tasks; made when the first one is started.
    public var executor: TimelineExecutor {
        if let tasks { return tasks }
        let made = TimelineExecutor(of: self)
        tasks = made
        return made
    }
    /// Told of an error that a stream ended with and nobody took.
    public var onUnhandledError: ((any Error, StaticString) -> Void)?

    @exclusivity(unchecked) private var queue = WorkQueue()
    @exclusivity(unchecked) private var steps = Microsteps()
    @exclusivity(unchecked) private var isRunning = false
    @exclusivity(unchecked) private var stopRequested = false
    @exclusivity(unchecked) private var holds: [Hold] = []
    @exclusivity(unchecked) private var tasks: TimelineExecutor?
    private var wallOffset: Int64

    /// A timeline at zero with nothing on it.
    public init(
        profile: Profile = .strict, tick: Duration = .milliseconds(1),
        wallOrigin: Int64 = VirtualTimeScheduler.defaultWallOrigin,
        limits: SchedulingLimits = SchedulingLimits()
    ) {
        precondition(tick > .zero, "a tick of \(tick) does not move the clock")
        self.profile = profile
        self.tick = tick
        self.limits = limits
        wallOffset = wallOrigin
    }

    deinit {
        tasks?.close()
    }

    // MARK: Scheduling

    @discardableResult
    public func schedule(
        at due: Instant, phase: Phase, label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken {
        let time = max(due, now)
        switch profile {
        case .strict:
            return queue.push(
                time: time.nanoseconds, step: time == now ? steps.next : 0, phase: phase,
                label: label, work: work)
        case .rxTest:
            // Insertion order alone: one microstep, one phase.
            return queue.push(
                time: time.nanoseconds, step: 0, phase: .timer, label: label, work: work)
        }
    }

    @discardableResult
    public func cancel(_ token: WorkToken) -> Bool {
        queue.cancel(token) != nil
    }

    public func instant(after delay: Duration) -> Instant {
        if profile == .rxTest, delay <= .zero { return now.advanced(by: tick) }
        return now.advanced(byNanoseconds: max(0, delay.wholeNanoseconds))
    }

    public func unhandledError(_ error: any Error, place: StaticString) {
        onUnhandledError?(error, place)
    }

    /// How many items wait.
    public var pendingCount: Int { queue.live }

    /// When the next item is due, or nil when the timeline is idle.
    public var nextDue: Instant? { queue.nextTime().map(Instant.init(nanoseconds:)) }

    /// What waits, in the order it would run, at most `limit` of it.
    public func pending(limit: Int = 64) -> [PendingWork] {
        queue.waiting(limit: limit).map {
            PendingWork(due: Instant(nanoseconds: $0.time), label: $0.label)
        }
    }

    /// Ends the timeline: cancels its tasks, lets each run to its end as far as it can, and drops what
    /// waits. Calling it twice is harmless.
    public func close() {
        tasks?.close()
        removeAll()
    }

    /// Drops everything that waits.
    public func removeAll() {
        let works = queue.removeAll()
        tasks?.drainWasDropped()
        // Let go of only now, with the books straight: that may run any `deinit`.
        withExtendedLifetime(works) {}
    }

    // MARK: Driving

    /// Runs everything due up to and including `target`; the clock ends there.
    @discardableResult
    public func advance(to target: Instant) throws(SchedulingError) -> Progress {
        var run = try beginRun(.through(target))
        return try finish(&run)
    }

    /// Runs everything due within `duration` from now, its end included; the clock ends there.
    @discardableResult
    public func advance(by duration: Duration) throws(SchedulingError) -> Progress {
        guard duration >= .zero else { throw .negativeDuration(duration) }
        return try advance(to: now.advanced(by: duration))
    }

    /// Runs everything due before `target`; the clock ends there, and what is due there still waits.
    @discardableResult
    public func advance(before target: Instant) throws(SchedulingError) -> Progress {
        var run = try beginRun(.before(target))
        return try finish(&run)
    }

    /// Runs everything due now, also what that makes for now.
    @discardableResult
    public func runDue() throws(SchedulingError) -> Progress {
        try advance(to: now)
    }

    /// Runs exactly one item, moving the clock to it.
    @discardableResult
    public func step() throws(SchedulingError) -> Progress {
        var run = try beginRun(.oneItem)
        return try finish(&run)
    }

    /// Runs until nothing waits; the clock rests on the last item.
    @discardableResult
    public func run() throws(SchedulingError) -> Progress {
        var run = try beginRun(.idle)
        return try finish(&run)
    }

    /// Runs until `condition` holds, asked before the first item and after each, or nothing waits.
    ///
    /// - Throws: `.limitReached(.items)` when `limit` items ran and neither came true.
    @discardableResult
    public func run(
        until condition: () -> Bool, limit: Int? = nil
    ) throws(SchedulingError) -> Progress {
        var run = try beginRun(.idle, itemLimit: limit)
        while !condition() {
            guard try !resume(&run, atMost: 1) else { break }
        }
        return run.progress
    }

    /// Ends the run after the item that asks for it; the clock stays where it is.
    public func stop() {
        stopRequested = true
    }

    /// Lets the running action take `duration`: what falls due meanwhile runs late, at the new `now`.
    public func busy(for duration: Duration) {
        precondition(duration >= .zero, "an action cannot take \(duration)")
        guard duration > .zero else { return }
        now = now.advanced(by: duration)
        if isRunning { steps.clockMovedUnderItem() } else { steps.clockMoved() }
    }

    /// Lets the machine sleep for `duration`: the monotonic clock stands still, so timers come no closer
    /// and nothing falls due, and the wall clock has moved on when it wakes.
    public func suspendMachine(for duration: Duration) {
        precondition(duration >= .zero, "a machine cannot sleep for \(duration)")
        jumpWall(by: duration)
    }

    // MARK: Runs in slices

    /// Begins a run that `resume(_:atMost:)` carries on, slice by slice.
    public func beginRun(
        _ goal: Run.Goal, itemLimit: Int? = nil
    ) throws(SchedulingError) -> Run {
        guard !isRunning else { throw .alreadyRunning }
        switch goal {
        case .through(let target), .before(let target):
            guard target >= now else { throw .targetInThePast(target: target, now: now) }
        case .oneItem, .idle:
            break
        }
        return Run(
            goal: goal, itemLimit: itemLimit ?? limits.items, now: now, step: microstep,
            idle: queue.live == 0)
    }

    /// Runs at most `slice` items of `run`. Returns true when the run is over.
    ///
    /// Throws when a limit strikes; what waits is kept, and the clock stays where it was.
    public func resume(_ run: inout Run, atMost slice: Int) throws(SchedulingError) -> Bool {
        guard !isRunning else { throw .alreadyRunning }
        isRunning = true
        stopRequested = false
        var isOver = false
        let outer = CurrentScheduler.enter(self)
        defer {
            isRunning = false
            CurrentScheduler.leave(to: outer)
            if !isOver {
                run.report(now: now, step: microstep, idle: queue.live == 0, blockedBy: [])
            }
        }
        // What came from outside since the last run.
        tasks?.letForeignJobsIn()
        let last = run.goal.lastInstant
        var left = slice
        while true {
            let limit = holds.isEmpty ? last : min(last, now)
            guard let next = queue.next(), next.time <= limit.nanoseconds else { break }
            guard left > 0 else { return false }
            guard next.time <= limits.horizon.nanoseconds else {
                throw limitReached(.horizon(limits.horizon), run)
            }
            guard run.ran < run.itemLimit else {
                throw limitReached(.items(run.itemLimit), run)
            }
            guard WorkQueue.Rank.step(of: next.rank) < limits.microsteps else {
                throw .limitReached(
                    .microsteps(limits.microsteps), at: now, repeating: labelsDueNow())
            }
            guard let item = queue.pop(through: next.time) else { break }
            if item.time > now.nanoseconds {
                now = Instant(nanoseconds: item.time)
                steps.clockMoved()
            }
            // An overdue item (see `busy`) is work for this instant like any other.
            steps.itemBegins(rank: item.time == now.nanoseconds ? item.step : 0)
            run.note(item.label, limit: run.itemLimit)
            item.work()
            if let tasks, tasks.hasReadyJobs { tasks.drain() }
            left -= 1
            if run.goal.isOneItem || stopRequested {
                settleInstant()
                return true
            }
        }
        // A run is blocked when it would move the clock: to its target, or to what waits.
        let wantsToMove = run.goal.target.map { $0 > now } ?? (queue.live > 0)
        let isBlocked = !holds.isEmpty && wantsToMove
        if !isBlocked, let target = run.goal.target, target > now {
            now = target
            steps.clockMoved()
        }
        settleInstant()
        isOver = true
        run.report(
            now: now, step: microstep, idle: queue.live == 0,
            blockedBy: isBlocked ? holds.map(\.label.description) : [])
        return true
    }

    /// Runs `body` as an arrival of this very instant, without the detour over the queue.
    ///
    /// Returns false, having done nothing, when something else is due first or the timeline is running;
    /// then the work belongs on the queue.
    public func runArrival(_ body: () -> Void) -> Bool {
        guard !isRunning, queue.nextTime() ?? .max > now.nanoseconds,
            steps.next < limits.microsteps
        else { return false }
        isRunning = true
        steps.itemBegins(rank: steps.next)
        let outer = CurrentScheduler.enter(self)
        body()
        if let tasks, tasks.hasReadyJobs { tasks.drain() }
        CurrentScheduler.leave(to: outer)
        isRunning = false
        settleInstant()
        return true
    }

    // MARK: Holds

    /// Keeps the clock from moving until outside work (a socket, a worker process) is done.
    ///
    /// While a hold is open, work that is due now still runs. Release it with `Hold.release()`.
    public func hold(_ label: WorkLabel) -> Hold {
        let hold = Hold(label: label, scheduler: self)
        holds.append(hold)
        return hold
    }

    /// Who keeps the clock from moving.
    public var holdLabels: [String] { holds.map(\.label.description) }

    func release(_ hold: Hold) {
        holds.removeAll { $0 === hold }
    }

    // MARK: Wall clock

    /// The wall clock at the zero point, after all its jumps.
    package var wallOrigin: Int64 { wallOffset }

    public var wallNanoseconds: Int64 {
        now.advanced(byNanoseconds: wallOffset).nanoseconds
    }

    /// Moves the wall clock alone, as an administrator or a time server does.
    public func jumpWall(by duration: Duration) {
        wallOffset = Instant(nanoseconds: wallOffset).advanced(by: duration).nanoseconds
    }

    // MARK: Helpers

    private func finish(_ run: inout Run) throws(SchedulingError) -> Progress {
        while try !resume(&run, atMost: .max) {}
        return run.progress
    }

    /// Lets microsteps start afresh when nothing more is due at this instant.
    private func settleInstant() {
        // RxTest knows no microsteps.
        guard profile == .strict else { return }
        if queue.nextTime().map({ $0 > now.nanoseconds }) ?? true { steps.instantDrained() }
    }

    private func limitReached(
        _ limit: SchedulingError.Limit, _ run: Run
    ) -> SchedulingError {
        .limitReached(limit, at: now, repeating: run.repeatedLabels(or: queue.nextLabel()))
    }

    /// At a microstep limit, what waits at this instant is the loop.
    private func labelsDueNow() -> [String] {
        var names: [String] = []
        for waiting in queue.waiting(limit: 8) where waiting.time == now.nanoseconds {
            let name = waiting.label.description
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    func checkInvariants() {
        queue.checkInvariants()
    }
}
