// SPDX-License-Identifier: Apache-2.0

public import Scheduling
public import Streams

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
