// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// What ends a stream that was too slow.
public struct TimeoutError: Error, Equatable, CustomStringConvertible {
    /// How long was waited.
    public let dueTime: Duration

    /// A timeout after `dueTime`.
    public init(dueTime: Duration) {
        self.dueTime = dueTime
    }

    public var description: String { "nothing came within \(dueTime)" }
}

/// The timeline for a time operator: the one given, else the one this code runs on.
@usableFromInline
func timeline(_ given: (any Scheduler)?, for operatorName: StaticString) -> any Scheduler {
    if let scheduler = given ?? CurrentScheduler.scheduler { return scheduler }
    preconditionFailure(
        """
        \(operatorName) was subscribed outside any timeline. Inside a feature it runs on the \
        instance's own; elsewhere give `scheduler:`, or wrap the code in CurrentScheduler.with(_:).
        """)
}

/// Stops the program for a duration that no operator can wait.
@usableFromInline
func requireNotNegative(_ duration: Duration, _ operatorName: StaticString) {
    precondition(duration >= .zero, "\(operatorName) cannot wait \(duration); give zero or more")
}

/// One timer that an operator sets, moves and takes back; its closure is made once.
@usableFromInline
final class OperatorTimer: Disposable {
    @usableFromInline let scheduler: any Scheduler
    private let label: WorkLabel
    private var token = WorkToken.none
    private var fire: () -> Void = {}

    @usableFromInline
    init(_ scheduler: any Scheduler, _ label: WorkLabel, _ action: @escaping () -> Void) {
        self.scheduler = scheduler
        self.label = label
        // Kept alive by its own closure until it is disposed: an armed timer outlives its maker safely.
        fire = {
            self.token = .none
            action()
        }
    }

    /// Sets the timer, taking it back first when it is set already.
    @usableFromInline
    func set(after delay: Duration) {
        set(at: scheduler.instant(after: delay))
    }

    @usableFromInline
    func set(at due: Instant) {
        clear()
        token = scheduler.schedule(at: due, phase: .timer, label: label, fire)
    }

    /// Takes the timer back if it is set.
    @usableFromInline
    func clear() {
        if token != .none { scheduler.cancel(token) }
        token = .none
    }

    @usableFromInline
    func dispose() {
        clear()
        fire = {}
    }
}

extension ObservableType {
    /// Emits a value once its source has been quiet for `dueTime`; an error comes at once, a
    /// completion lets out the value that waits.
    ///
    ///     source         -a-b---c|
    ///     debounce(2)    -----b--(c|)
    @inlinable
    public func debounce(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "debounce")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var waiting: Element?
            let timer = OperatorTimer(timeline(scheduler, for: "debounce"), "debounce") {
                if let element = waiting.take() { sink.next(element) }
            }
            subscription.add(timer)
            source.attach(
                Sink(
                    next: { element in
                        waiting = element
                        timer.set(after: dueTime)
                    },
                    end: { termination in
                        timer.clear()
                        if case .completed = termination, let element = waiting.take() {
                            sink.next(element)
                        }
                        sink.end(termination)
                    }),
                subscription)
        }
    }

    /// Emits everything `dueTime` later, in order, but an error, which comes at once.
    ///
    ///     source      -a-b-c|
    ///     delay(2)    ---a-b-c|
    @inlinable
    public func delay(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "delay")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let queue = DelayQueue(sink, timeline(scheduler, for: "delay"), dueTime)
            subscription.add(queue)
            source.attach(
                Sink(
                    next: { queue.append(.next($0)) },
                    end: { termination in
                        switch termination {
                        case .completed: queue.append(.completed)
                        case .error:
                            queue.dispose()
                            sink.end(termination)
                        }
                    }),
                subscription)
        }
    }

    /// Fails with `TimeoutError` when nothing comes for `dueTime`; a value on the very deadline is in time.
    ///
    ///     source        -a-b-----c|
    ///     timeout(3)    -a-b--#
    @inlinable
    public func timeout(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(TimeoutError(dueTime: dueTime)), scheduler: scheduler)
    }

    /// Goes on with `other` when nothing comes for `dueTime`; the source is given up.
    @inlinable
    public func timeout<Source: ObservableConvertibleType>(
        _ dueTime: Duration, other: Source, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> where Source.Element == Element {
        requireNotNegative(dueTime, "timeout")
        let source = asObservable()
        let other = other.asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            let timer = OperatorTimer(timeline(scheduler, for: "timeout"), "timeout") {
                upstream.dispose()
                other.attach(sink, subscription)
            }
            upstream.add(timer)
            timer.set(after: dueTime)
            source.attach(
                Sink(
                    next: { element in
                        guard !upstream.isDisposed else { return }
                        timer.set(after: dueTime)
                        sink.next(element)
                    },
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        sink.end(termination)
                    }),
                upstream)
        }
    }
}

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
        if let period { precondition(period > .zero, "a timer cannot repeat every \(period)") }
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "timer")
            let start = scheduler.instant(after: dueTime)
            guard let period = period?.wholeNanoseconds else {
                let timer = OperatorTimer(scheduler, "timer") {
                    sink.next(0)
                    if !subscription.isDisposed { sink.end(.completed) }
                }
                timer.set(at: start)
                return subscription.add(timer)
            }
            var count: Element = 0
            // Computed from the start, so that no tick drifts; a late one comes with its own due time.
            var due = start
            weak var again: OperatorTimer?
            let timer = OperatorTimer(scheduler, "timer") {
                let element = count
                count &+= 1
                due = due.advanced(byNanoseconds: period)
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

/// What `delay` holds back: events and when they are due. One timer serves the whole queue.
///
/// Bounded by what the source emits within `dueTime`.
@usableFromInline
final class DelayQueue<Element>: Disposable {
    private let sink: Sink<Element>
    private let scheduler: any Scheduler
    private let dueTime: Duration
    private var events: [(due: Instant, event: Event<Element>)] = []
    private var first = 0
    private var timer: OperatorTimer?
    private var isDisposed = false

    @usableFromInline
    init(_ sink: Sink<Element>, _ scheduler: any Scheduler, _ dueTime: Duration) {
        self.sink = sink
        self.scheduler = scheduler
        self.dueTime = dueTime
        timer = OperatorTimer(scheduler, "delay") { self.deliver() }
    }

    @usableFromInline
    func append(_ event: Event<Element>) {
        guard !isDisposed else { return }
        let due = scheduler.instant(after: dueTime)
        events.append((due, event))
        if events.count - first == 1 { timer?.set(at: due) }
    }

    private func deliver() {
        // One event per item: what it provokes at this instant is ordered among the rest.
        let (_, event) = events[first]
        first += 1
        if first == events.count {
            events.removeAll(keepingCapacity: events.capacity <= 64)
            first = 0
        } else {
            if first > 64, first > events.count / 2 {
                events.removeFirst(first)
                first = 0
            }
            timer?.set(at: events[first].due)
        }
        sink.send(event)
    }

    @usableFromInline
    func dispose() {
        isDisposed = true
        timer?.dispose()
        events = []
        first = 0
    }
}
