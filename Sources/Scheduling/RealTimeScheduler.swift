// SPDX-License-Identifier: Apache-2.0

/// A timeline that follows a real clock, on the same queue as the virtual one.
///
/// It names no kernel: `clock` tells the time and `alarm` is told when to call `runDue` next. The event
/// loop gives it both; a test gives it numbers. The clock is read once per pass, and `now` never goes
/// back.
///
/// No kernel strikes on the dot, so every item runs late. With a `catchUp` it still sees the instant it
/// was due at, and what it makes counts from there: order, delays and chains of delays are those of
/// virtual time, and a record of what happened runs again there. `lateness` tells how far behind it is.
///
///     due          10    15 (made at 10, after 5)    30
///     clock        12    17                          95
///     catchUp 50   10    15                          jump to 95, where 30 runs
///     catchUp 0    12    17 (made at 12)             95
///
/// Who is later than `catchUp` is not made up for instant by instant: `now` jumps to the clock, what is
/// overdue runs there, and `onJump` is told.
///
/// Loop-confined. The owner calls `runDue(atMost:)` when the alarm strikes and after it scheduled an
/// arrival from outside.
open class RealTimeScheduler: Scheduler {
    // Safety: unchecked exclusivity, here and below, for the reason that the virtual timeline gives.
    @exclusivity(unchecked) public private(set) final var now = Instant.zero
    public final var microstep: UInt32 { steps.current }

    /// The newest reading of the clock, at or after `now`.
    @exclusivity(unchecked) private final var sampled = Instant.zero
    @exclusivity(unchecked) private final var queue = WorkQueue()
    @exclusivity(unchecked) private final var steps = Microsteps()
    @exclusivity(unchecked) private final var isRunning = false
    @exclusivity(unchecked) private final var armed: Int64?
    @exclusivity(unchecked) private final var tasks: TimelineExecutor?
    private final let clock: () -> Int64
    private final let wallClock: () -> Int64
    private final let origin: Int64
    private final let catchUp: Int64
    /// Told when the clock jumps over work that is due: to where, and the instant of the first of it.
    public final var onJump: (_ to: Instant, _ over: Instant) -> Void = { _, _ in }
    /// Told when to call `runDue` next (nil: not before something is scheduled). It strikes once; after
    /// each pass it is told anew.
    public final var alarm: (Instant?) -> Void

    /// A timeline whose zero is now.
    ///
    /// - Parameters:
    ///   - clock: monotonic nanoseconds.
    ///   - wallClock: nanoseconds since 1970-01-01 UTC.
    ///   - catchUp: how late work may be and still see the instant it was due at.
    ///   - alarm: told the instant of the next item whenever that changes.
    public init(
        clock: @escaping () -> Int64, wallClock: @escaping () -> Int64,
        catchUp: Duration = .zero, alarm: @escaping (Instant?) -> Void = { _ in }
    ) {
        precondition(catchUp >= .zero, "work cannot be \(catchUp) late")
        self.clock = clock
        self.catchUp = catchUp.wholeNanoseconds
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

    /// How far the clock was ahead of `now` when the pass began.
    public final var lateness: Int64 { sampled.nanoseconds &- now.nanoseconds }

    /// When something that comes from outside arrives: what the clock shows, or inside a pass `now`.
    public final func arrivalInstant() -> Instant {
        guard !isRunning else { return now }
        sampleClock()
        return sampled
    }

    /// `now` plus `delay`; outside a pass the clock plus `delay`, so that a delay never counts from when
    /// the timeline last had something to do.
    public final func instant(after delay: Duration) -> Instant {
        arrivalInstant().advanced(byNanoseconds: max(0, delay.wholeNanoseconds))
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

    /// Reads the clock and brings `now` up to it; never back, and not over work that waits for its turn.
    public final func sampleClock() {
        guard !isRunning else { return }
        sampled = max(sampled, Instant(nanoseconds: clock() &- origin))
        guard sampled > now else { return }
        guard let head = queue.nextTime(), head <= sampled.nanoseconds else { return followClock() }
        // What was jumped over already is late no longer.
        guard sampled.nanoseconds &- max(head, now.nanoseconds) > catchUp else { return }
        followClock()
        onJump(now, Instant(nanoseconds: head))
    }

    private final func followClock() {
        guard sampled > now else { return }
        now = sampled
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
        while ran < limit, let item = queue.pop(through: sampled.nanoseconds) {
            if item.time > now.nanoseconds {
                now = Instant(nanoseconds: item.time)
                steps.clockMoved()
            }
            steps.itemBegins(rank: item.time == now.nanoseconds ? item.step : 0)
            item.work()
            if let tasks, tasks.hasReadyJobs { tasks.drain() }
            ran += 1
        }
        CurrentScheduler.leave(to: outer)
        isRunning = false
        let next = queue.nextTime()
        if next ?? .max > now.nanoseconds { steps.instantDrained() }
        if next ?? .max > sampled.nanoseconds { followClock() }
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
        guard queue.nextTime() ?? .max > sampled.nanoseconds else { return false }
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

    /// Runs `body` as part of the instant that `now` shows, however much later it is: how something that
    /// begins does so at one instant.
    public final func runNow(_ body: () -> Void) {
        precondition(!isRunning, "runNow inside a pass: the pass holds the clock already")
        isRunning = true
        let outer = CurrentScheduler.enter(self)
        body()
        if let tasks, tasks.hasReadyJobs { tasks.drain() }
        CurrentScheduler.leave(to: outer)
        isRunning = false
        rearm()
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
        tasks?.drainWasDropped()
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

    /// Ends the timeline: cancels its tasks, lets each run to its end as far as it can, and drops what
    /// waits. The event loop's own gives its timer back here; an override calls this one.
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
