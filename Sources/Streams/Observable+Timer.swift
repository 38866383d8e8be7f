// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType where Element: FixedWidthInteger {
    /// Emits 0 after `dueTime`, and completes; with a period it goes on counting.
    ///
    ///     timer(2)                --(0|)
    ///     timer(2, period: 3)     --0--1--2-
    @inlinable
    public static func timer(
        _ dueTime: Duration, period: Duration? = nil, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "timer")
        if let period { requireNotNegative(period, "timer(period:)") }
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "timer")
            let start = scheduler.instant(after: dueTime)
            guard let period else {
                let timer = OperatorTimer(scheduler, "timer") {
                    sink.next(0)
                    if !subscription.isDisposed { sink.end(.completed) }
                }
                timer.set(at: start)
                return subscription.add(timer)
            }
            // The rxTest profile gives a period of zero one tick; elsewhere it would never let time pass.
            let step = scheduler.instant(after: period).nanoseconds - scheduler.now.nanoseconds
            precondition(step > 0, "a timer cannot repeat every \(period)")
            var count: Element = 0
            // Computed from the start, so that no tick drifts; a late one comes with its own due time.
            var due = start
            weak var again: OperatorTimer?
            let timer = OperatorTimer(scheduler, "timer") {
                let element = count
                count &+= 1
                due = due.advanced(byNanoseconds: step)
                again?.set(at: due)
                sink.next(element)
            }
            again = timer
            subscription.add(timer)
            timer.set(at: due)
        }
    }

    /// Emits 0, 1, 2, … every `period`, the first one after one period.
    ///
    ///     interval(3)    ---0--1--2-
    @inlinable
    public static func interval(
        _ period: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }
}
