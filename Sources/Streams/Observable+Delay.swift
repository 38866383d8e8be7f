// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType {
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
            let upstream = subscription.makeChild()
            source.attach(
                Sink(
                    next: { queue.append(.next($0)) },
                    end: { termination in
                        upstream.dispose()
                        switch termination {
                        case .completed: queue.append(.completed)
                        case .error:
                            queue.dispose()
                            sink.end(termination)
                        }
                    }),
                upstream)
        }
    }

    /// Subscribes to the source `dueTime` later.
    ///
    ///     source                     -a-b-c|
    ///     delaySubscription(2)     ---a-b-c|
    public func delaySubscription(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(dueTime, "delaySubscription")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "delaySubscription")
            let timer = OperatorTimer(scheduler, "delaySubscription") {
                source.attach(sink, subscription)
            }
            subscription.add(timer)
            timer.set(after: dueTime)
        }
    }
}

/// What `delay` holds back: events and when they are due. One timer serves the whole queue.
///
/// Bounded by what the source emits within `dueTime`.
@usableFromInline
final class DelayQueue<Element>: Disposable {
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let scheduler: any Scheduler
    @usableFromInline let dueTime: Duration
    @usableFromInline var events = Queue<(due: Instant, event: Event<Element>)>()
    @usableFromInline var timer: OperatorTimer?
    @usableFromInline var isDisposed = false

    @inlinable
    init(_ sink: Sink<Element>, _ scheduler: any Scheduler, _ dueTime: Duration) {
        self.sink = sink
        self.scheduler = scheduler
        self.dueTime = dueTime
        timer = OperatorTimer(scheduler, "delay") { self.deliver() }
    }

    @inlinable
    func append(_ event: Event<Element>) {
        guard !isDisposed else { return }
        let due = scheduler.instant(after: dueTime)
        events.append((due, event))
        if events.count == 1 { timer?.set(at: due) }
    }

    @inlinable
    func deliver() {
        // One event per item: what it provokes at this instant is ordered among the rest.
        guard let (_, event) = events.popFirst() else { return }
        if let next = events.first { timer?.set(at: next.due) }
        sink.send(event)
    }

    @usableFromInline
    func dispose() {
        isDisposed = true
        timer?.dispose()
        events = Queue()
    }
}
