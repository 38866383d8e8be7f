// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams

/// A stream that says what the test wrote down, and writes down who subscribed when.
///
/// Made by `TestScheduler`. A *hot* one speaks at fixed ticks whoever listens; a *cold* one speaks to
/// each subscriber from the start, its ticks counted from the subscription.
///
///     hot  [.next(3, a)]    ---a
///     cold [.next(3, a)]    ---a      subscribed at 0
///                             ---a    subscribed at 2
public final class TestableObservable<Element>: Observable<Element> {
    /// What it says.
    public let recordedEvents: [Recorded<Event<Element>>]
    /// Who subscribed when, in order of subscription.
    public private(set) var subscriptions: [TestSubscription] = []

    private struct Listener {
        let sink: Sink<Element>
        let subscription: Subscription
    }

    private let timeline: VirtualTimeScheduler
    let isHot: Bool
    private var listeners: [Listener] = []

    init(
        _ events: [Recorded<Event<Element>>], isHot: Bool, on timeline: VirtualTimeScheduler
    ) {
        recordedEvents = events
        self.isHot = isHot
        self.timeline = timeline
        super.init()
        guard isHot else { return }
        for record in events {
            timeline.schedule(
                at: timeline.instant(ofTick: record.time), phase: .arrival, label: "hot event"
            ) { self.send(record.value) }
        }
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        let index = subscriptions.count
        let opened = timeline.tickNow
        subscriptions.append(TestSubscription(opened))
        if isHot { listeners.append(Listener(sink: sink, subscription: subscription)) }
        subscription.onDispose { [self] in
            subscriptions[index] = TestSubscription(opened, timeline.tickNow)
            listeners.removeAll { $0.subscription === subscription }
        }
        if !isHot { play(to: sink, subscription) }
    }

    private func send(_ event: Event<Element>) {
        // A copy: a subscriber that joins meanwhile has missed this event.
        let round = listeners
        if event.isStopEvent { listeners = [] }
        for listener in round where !listener.subscription.isDisposed { listener.sink.send(event) }
    }

    /// Each event is work of its own, so that what it provokes is ordered among the rest.
    private func play(to sink: Sink<Element>, _ subscription: Subscription) {
        let start = timeline.now
        var isOver = false
        for record in recordedEvents {
            let token = timeline.schedule(
                at: start.advanced(byNanoseconds: timeline.nanoseconds(ofTicks: record.time)),
                phase: .arrival, label: "cold event"
            ) {
                guard !isOver, !subscription.isDisposed else { return }
                isOver = record.value.isStopEvent
                sink.send(record.value)
            }
            subscription.onDispose { [timeline] in timeline.cancel(token) }
        }
    }
}

extension VirtualTimeScheduler {
    /// `ticks` in nanoseconds, held inside the range of `Int64`.
    func nanoseconds(ofTicks ticks: Int) -> Int64 {
        let (product, overflow) = tick.wholeNanoseconds.multipliedReportingOverflow(
            by: Int64(ticks))
        guard overflow else { return product }
        return ticks > 0 ? .max : .min
    }

    func instant(ofTick time: Int) -> Instant {
        Instant(nanoseconds: nanoseconds(ofTicks: time))
    }

    /// The tick that is being run; the part of a tick that has passed is dropped.
    var tickNow: Int { Int(now.nanoseconds / tick.wholeNanoseconds) }
}
