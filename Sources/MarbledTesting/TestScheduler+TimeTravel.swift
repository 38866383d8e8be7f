// SPDX-License-Identifier: Apache-2.0

public import Scheduling
public import Streams
public import Testing

/// Time as it can go wrong.
extension TestScheduler {
    /// Runs exactly one item, moving the clock to it. Returns false when nothing waited.
    @discardableResult
    public func step(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
        drive(sourceLocation) { () throws(SchedulingError) in try timeline.step() }?.ran == 1
    }

    /// Runs until `condition` holds, asked before the first item and after each. When nothing waits any
    /// more, or `limit` items ran, and it does not hold, the test fails.
    public func run(
        until condition: () -> Bool, limit: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var holds = false
        let progress = drive(sourceLocation) { () throws(SchedulingError) in
            try timeline.run(
                until: {
                    holds = condition()
                    return holds
                }, limit: limit)
        }
        guard progress != nil, !holds else { return }
        Issue.record(
            "the condition does not hold and nothing waits any more at tick \(clock)",
            sourceLocation: sourceLocation)
    }

    /// Runs everything due before `time`; the clock ends there, and what is due there still waits.
    public func advance(before time: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in
            try timeline.advance(before: timeline.instant(ofTick: time))
        }
    }

    /// Runs everything due now, also what that makes for now.
    public func runDue(sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in try timeline.runDue() }
    }

    /// Lets the running action take `duration`: what falls due meanwhile runs late.
    public func busy(for duration: Duration) { timeline.busy(for: duration) }

    /// Lets the machine sleep for `duration`: timers come no closer, and the wall clock moves on.
    public func suspendMachine(for duration: Duration) { timeline.suspendMachine(for: duration) }

    /// Moves the wall clock alone, forward or back; no timer notices.
    public func jumpWall(by duration: Duration) { timeline.jumpWall(by: duration) }
}

/// Scheduling as RxTest spells it.
extension TestScheduler {
    /// Runs `action` `ticks` from now. Under the `rxTest` profile zero or less lands one tick later, as
    /// there; else it is this very instant.
    @discardableResult
    public func scheduleRelative(
        _ ticks: Int, phase: Phase = .timer, _ action: @escaping () -> Void
    ) -> any Cancelable {
        let due = timeline.instant(after: .nanoseconds(timeline.nanoseconds(ofTicks: ticks)))
        return disposable(
            timeline.schedule(at: due, phase: phase, label: "scheduleRelative", action))
    }

    /// Runs `action` with `state` at tick `time`; what it returns is given up with the disposable.
    @discardableResult
    public func scheduleAbsoluteVirtual<State>(
        _ state: State, time: Int, action: @escaping (State) -> any Disposable
    ) -> any Disposable {
        let inner = Subscription()
        inner.add(scheduleAt(time) { inner.add(action(state)) })
        return inner
    }

    /// Runs `action` with `state`, `dueTime` ticks from now; what it returns is given up with the
    /// disposable.
    @discardableResult
    public func scheduleRelativeVirtual<State>(
        _ state: State, dueTime: Int, action: @escaping (State) -> any Disposable
    ) -> any Disposable {
        let inner = Subscription()
        inner.add(scheduleRelative(dueTime) { inner.add(action(state)) })
        return inner
    }

    /// Runs `action` every `period` ticks, the first time at tick `start`, until the disposable is given up.
    ///
    /// - Parameter overdue: what to do about turns that fell due while something else ran.
    public func schedulePeriodic(
        from start: Int, every period: Int, overdue: PeriodicWork.Overdue = .burst,
        label: WorkLabel = "schedulePeriodic", _ action: @escaping (PeriodicWork.Tick) -> Void
    ) -> any Cancelable {
        let length = Duration.nanoseconds(timeline.nanoseconds(ofTicks: period))
        do {
            let work = try PeriodicWork(
                on: timeline, every: length, from: timeline.instant(ofTick: start), label: label,
                overdue: overdue, work: action)
            return Disposables.create { work.cancel() }
        } catch {
            preconditionFailure("a test cannot repeat every \(period) ticks: \(error)")
        }
    }

    func disposable(_ token: WorkToken) -> any Cancelable {
        Disposables.create { [timeline] in timeline.cancel(token) }
    }
}
