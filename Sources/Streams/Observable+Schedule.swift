// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType {
    /// Sends every event as queued work of `scheduler`, in order: after the work that is running now, at
    /// the same instant.
    ///
    ///     source                    -a-b-|
    ///     observe(on: scheduler)    -a-b-|
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let waiting = WaitingValues<Event<Element>>()
            let upstream = subscription.makeChild()
            func put(_ event: Event<Element>) {
                waiting.append(event)
                if waiting.count == 1 { deliverNext() }
            }
            func deliverNext() {
                scheduler.schedule(
                    at: scheduler.instant(after: .zero), phase: .queued, label: "observe(on:)"
                ) {
                    guard !subscription.isDisposed else { return }
                    let event = waiting.removeFirst()
                    if !waiting.isEmpty { deliverNext() }
                    sink.send(event)
                }
            }
            source.attach(
                Sink(
                    next: { put(.next($0)) },
                    end: { termination in
                        upstream.dispose()
                        put(termination.event())
                    }),
                upstream)
        }
    }

    /// Subscribes to the source, and gives it up, as queued work of `scheduler`.
    ///
    ///     source                      -a-b-|
    ///     subscribe(on: scheduler)    -a-b-|
    public func subscribe(on scheduler: any Scheduler) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = Subscription()
            let start = scheduler.schedule(
                at: scheduler.instant(after: .zero), phase: .queued, label: "subscribe(on:)"
            ) {
                source.attach(
                    Sink(
                        next: { if !subscription.isDisposed { sink.next($0) } },
                        end: { if !subscription.isDisposed { sink.end($0) } }),
                    upstream)
            }
            subscription.onDispose {
                guard !scheduler.cancel(start) else { return }
                scheduler.schedule(
                    at: scheduler.instant(after: .zero), phase: .queued, label: "subscribe(on:)",
                    upstream.dispose)
            }
        }
    }

    /// Emits each value with the instant at which it came.
    ///
    ///     source         -a-b-|
    ///     timestamp()    -x-y-|      x is a at 1, y is b at 3
    public func timestamp(
        scheduler: (any Scheduler)? = nil
    ) -> Observable<Timestamped<Element>> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "timestamp")
            source.attach(
                Sink(
                    next: { sink.next(Timestamped(element: $0, instant: scheduler.now)) },
                    end: sink.end),
                subscription)
        }
    }

    /// Emits each value with the time since the one before, for the first since the subscription.
    ///
    ///     source            -a-b-|
    ///     timeInterval()    -x-y-|      x is a after 1, y is b after 2
    public func timeInterval(
        scheduler: (any Scheduler)? = nil
    ) -> Observable<Spaced<Element>> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let scheduler = timeline(scheduler, for: "timeInterval")
            var last = scheduler.now
            source.attach(
                Sink(
                    next: { element in
                        let before = exchange(&last, with: scheduler.now)
                        sink.next(Spaced(element: element, interval: before.duration(to: last)))
                    },
                    end: sink.end),
                subscription)
        }
    }
}

/// A value and when it came.
public struct Timestamped<Element> {
    /// The value.
    public let element: Element
    /// When it came, on the timeline of the stream.
    public let instant: Instant

    /// A value that came at `instant`.
    public init(element: Element, instant: Instant) {
        self.element = element
        self.instant = instant
    }
}

extension Timestamped: Equatable where Element: Equatable {}
extension Timestamped: Sendable where Element: Sendable {}

/// A value and how long after the one before it came.
public struct Spaced<Element> {
    /// The value.
    public let element: Element
    /// The time since the value before.
    public let interval: Duration

    /// A value that came `interval` after the one before.
    public init(element: Element, interval: Duration) {
        self.element = element
        self.interval = interval
    }
}

extension Spaced: Equatable where Element: Equatable {}
extension Spaced: Sendable where Element: Sendable {}
