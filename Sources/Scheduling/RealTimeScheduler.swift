// SPDX-License-Identifier: Apache-2.0

/// A timeline that follows a real clock, on the same queue as the virtual one.
///
/// It names no kernel: `clock` tells the time and `alarm` is told when to call `runDue` next. The event
/// loop gives it both; a test gives it numbers. `now` is sampled once per pass, so that everything one
/// pass runs agrees on the time, and it never goes back.
///
/// Loop-confined. The owner calls `runDue(atMost:)` when the alarm strikes and after it scheduled an
/// arrival from outside.
open class RealTimeScheduler: Scheduler {
    // Safety: unchecked exclusivity, here and below, for the reason that the virtual timeline gives.
    @exclusivity(unchecked) public private(set) final var now = Instant.zero
    public final var microstep: UInt32 { steps.current }

    @exclusivity(unchecked) private final var queue = WorkQueue()
    @exclusivity(unchecked) private final var steps = Microsteps()
    @exclusivity(unchecked) private final var isRunning = false
    @exclusivity(unchecked) private final var armed: Int64?
    @exclusivity(unchecked) private final var tasks: TimelineExecutor?
    private final let clock: () -> Int64
    private final let wallClock: () -> Int64
    private final let origin: Int64
    /// Told when to call `runDue` next (nil: not before something is scheduled). It strikes once; after
    /// each pass it is told anew.
    public final var alarm: (Instant?) -> Void

    /// A timeline whose zero is now.
    ///
    /// - Parameters:
    ///   - clock: monotonic nanoseconds.
    ///   - wallClock: nanoseconds since 1970-01-01 UTC.
    ///   - alarm: told the instant of the next item whenever that changes.
    public init(
        clock: @escaping () -> Int64, wallClock: @escaping () -> Int64,
        alarm: @escaping (Instant?) -> Void = { _ in }
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.alarm = alarm
        origin = clock()
    }

    deinit {
        tasks?.close()
    }

    public final var wallNanoseconds: Int64 { wallClock() }

    /// Runs the timeline's async tasks; made when the first one is started.
    public final var executor: TimelineExecutor {
        if let tasks { return tasks }
        let made = TimelineExecutor(of: self)
        tasks = made
        return made
    }

    /// `now` plus `delay`; outside a pass `now` is brought up to the clock first, so that a delay never
    /// counts from when the timeline last had something to do.
    public final func instant(after delay: Duration) -> Instant {
        sampleClock()
        return now.advanced(byNanoseconds: max(0, delay.wholeNanoseconds))
    }

    @discardableResult
    public final func schedule(
        at due: Instant, phase: Phase, label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken {
        let time = max(due, now)
        let token = queue.push(
            time: time.nanoseconds, step: time == now ? steps.next : 0, phase: phase, label: label,
            work: work)
        if !isRunning { rearm() }
        return token
    }

    @discardableResult
    public final func cancel(_ token: WorkToken) -> Bool {
        // The alarm is left as it is: an early call finds nothing due and sets the next one.
        queue.cancel(token) != nil
    }

    /// Brings `now` up to the clock; never back.
    public final func sampleClock() {
        guard !isRunning else { return }
        let sample = Instant(nanoseconds: clock() &- origin)
        guard sample > now else { return }
        now = sample
        steps.clockMoved()
    }

    /// Runs what is due, at most `limit` items, and sets the alarm for the rest.
    ///
    /// Called from inside an item it does nothing: that pass goes on and runs the work itself.
    /// - Returns: how many items ran.
    @discardableResult
    public final func runDue(atMost limit: Int = 10_000) -> Int {
        guard !isRunning else { return 0 }
        sampleClock()
        isRunning = true
        let outer = CurrentScheduler.enter(self)
        // What came from outside since the last pass.
        tasks?.letForeignJobsIn()
        var ran = 0
        while ran < limit, let item = queue.pop(through: now.nanoseconds) {
            steps.itemBegins(rank: item.time == now.nanoseconds ? item.step : 0)
            item.work()
            if let tasks, tasks.hasReadyJobs { tasks.drain() }
            ran += 1
        }
        CurrentScheduler.leave(to: outer)
        isRunning = false
        let next = queue.nextTime()
        if next.map({ $0 > now.nanoseconds }) ?? true { steps.instantDrained() }
        // Said again even if unchanged: the alarm may have struck, and it strikes once.
        if next != nil { armed = nil }
        rearm()
        return ran
    }

    /// Runs `body` as an arrival of this very instant, without the detour over the queue.
    ///
    /// Returns false, having done nothing, when something else is due first or a pass is running; then
    /// the work belongs on the queue.
    public final func runArrival(_ body: () -> Void) -> Bool {
        guard !isRunning else { return false }
        sampleClock()
        guard queue.nextTime() ?? .max > now.nanoseconds else { return false }
        isRunning = true
        steps.itemBegins(rank: steps.next)
        let outer = CurrentScheduler.enter(self)
        body()
        if let tasks, tasks.hasReadyJobs { tasks.drain() }
        CurrentScheduler.leave(to: outer)
        isRunning = false
        if queue.nextTime() ?? .max > now.nanoseconds { steps.instantDrained() }
        rearm()
        return true
    }

    /// How many items wait.
    public final var pendingCount: Int { queue.live }

    /// When the next item is due, or nil when nothing waits.
    public final var nextDue: Instant? { queue.nextTime().map(Instant.init(nanoseconds:)) }

    /// What waits, in the order it would run, at most `limit` of it.
    public final func pending(limit: Int = 64) -> [PendingWork] {
        queue.waiting(limit: limit).map {
            PendingWork(due: Instant(nanoseconds: $0.time), label: $0.label)
        }
    }

    /// Drops everything that waits and puts the alarm off.
    public final func removeAll() {
        let works = queue.removeAll()
        rearm()
        // Let go of only now, with the books straight: that may run any `deinit`.
        withExtendedLifetime(works) {}
    }

    /// What the clock shows at `instant`: how an alarm translates what it is told.
    public final func clockReading(at instant: Instant) -> Int64 {
        instant.advanced(byNanoseconds: origin).nanoseconds
    }

    final func checkInvariants() {
        queue.checkInvariants()
    }

    /// Ends the timeline. The event loop's own gives its timer back here.
    open func close() {
        tasks?.close()
        removeAll()
    }

    private final func rearm() {
        let next = queue.nextTime()
        guard next != armed else { return }
        armed = next
        alarm(next.map(Instant.init(nanoseconds:)))
    }
}
