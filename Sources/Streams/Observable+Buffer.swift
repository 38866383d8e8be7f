// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType {
    /// Emits arrays of values: one whenever `count` values are together, or `timeSpan` has passed since
    /// the one before, and what is left at the completion. An error drops what is together.
    ///
    ///     source                           -a-b-c------d|
    ///     buffer(timeSpan: 5, count: 2)    ---x----y----(z|)     x is [a, b], y is [c], z is [d]
    public func buffer(
        timeSpan: Duration, count: Int, scheduler: (any Scheduler)? = nil
    ) -> Observable<[Element]> {
        requireNotNegative(timeSpan, "buffer")
        precondition(count > 0, "a buffer of \(count) values is never full")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var together: [Element] = []
            let timer = WindowTimer(timeline(scheduler, for: "buffer"), "buffer", timeSpan) {
                sink.next(exchange(&together, with: []))
            }
            subscription.add(timer)
            timer.restart()
            source.attach(
                Sink(
                    next: { element in
                        together.append(element)
                        if together.count == count { timer.closeNow() }
                    },
                    end: { termination in
                        timer.dispose()
                        if case .completed = termination {
                            sink.next(together)
                            guard !subscription.isDisposed else { return }
                        }
                        sink.end(termination)
                    }),
                subscription)
        }
    }

    /// As `buffer`, with a stream of its own for what `buffer` makes an array of. A window ends as the
    /// source ends; one that is listened to keeps the source running.
    ///
    ///     source                           -a-b-c------d|
    ///     window(timeSpan: 5, count: 2)    x--y----z----|      each begins a window
    ///     window(timeSpan: 5, count: 2), the values    -a-b-c------d|
    public func window(
        timeSpan: Duration, count: Int, scheduler: (any Scheduler)? = nil
    ) -> Observable<Observable<Element>> {
        requireNotNegative(timeSpan, "window")
        precondition(count > 0, "a window of \(count) values is never full")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let life = SharedLife(subscription)
            var window = PublishSubject<Element>()
            var seen = 0
            func open() {
                guard !subscription.isDisposed else { return }
                sink.next(life.stream(of: window))
            }
            let timer = WindowTimer(timeline(scheduler, for: "window"), "window", timeSpan) {
                seen = 0
                let full = exchange(&window, with: PublishSubject())
                full.onCompleted()
                open()
            }
            life.source.add(timer)
            open()
            timer.restart()
            guard !life.source.isDisposed else { return }
            source.attach(
                Sink(
                    next: { element in
                        window.onNext(element)
                        seen += 1
                        if seen == count { timer.closeNow() }
                    },
                    end: { termination in
                        life.source.dispose()
                        window.on(termination.event())
                        if !subscription.isDisposed { sink.end(termination) }
                    }),
                life.source)
        }
    }

    /// Emits a stream for each key that `keySelector` gives, at its first value; the stream emits the
    /// values of that key. A group that is listened to keeps the source running.
    ///
    /// Bounded by the number of keys: a group lasts as long as the source.
    ///
    ///     source                     -1-2-3-4-|
    ///     groupBy { $0 % 2 }         -x-y-----|      x is the odd ones, y is the even ones
    ///     groupBy, the odd ones      -1---3---|
    public func groupBy<Key: Hashable>(
        keySelector: @escaping (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let life = SharedLife(subscription)
            var groups: [Key: PublishSubject<Element>] = [:]
            // In the order of their first values, so that they end in that order.
            var inOrder: [PublishSubject<Element>] = []
            func end(_ termination: Termination) {
                life.source.dispose()
                groups = [:]
                for group in exchange(&inOrder, with: []) { group.on(termination.event()) }
                if !subscription.isDisposed { sink.end(termination) }
            }
            source.attach(
                Sink(
                    next: { element in
                        let key: Key
                        do { key = try keySelector(element) } catch { return end(.error(error)) }
                        if let group = groups[key] { return group.onNext(element) }
                        let group = PublishSubject<Element>()
                        groups[key] = group
                        inOrder.append(group)
                        if !subscription.isDisposed {
                            sink.next(GroupedObservable(key: key, source: life.stream(of: group)))
                        }
                        group.onNext(element)
                    },
                    end: end),
                life.source)
        }
    }
}

/// The values of one key of `groupBy`.
public final class GroupedObservable<Key, Element>: Observable<Element> {
    /// What the values have in common.
    public let key: Key
    private let source: Observable<Element>

    /// A stream that is known to emit only values of `key`.
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
        super.init()
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        source.attach(sink, subscription)
    }
}

/// The timer of `buffer` and `window`: closes after a time span, or earlier, and starts anew.
private final class WindowTimer: Disposable {
    private var timer: OperatorTimer?
    private let timeSpan: Duration
    private let close: () -> Void

    init(
        _ scheduler: any Scheduler, _ label: WorkLabel, _ timeSpan: Duration,
        close: @escaping () -> Void
    ) {
        self.timeSpan = timeSpan
        self.close = close
        timer = OperatorTimer(scheduler, label) { [weak self] in self?.closeNow() }
    }

    func restart() { timer?.set(after: timeSpan) }

    func closeNow() {
        // Set before anything is sent, so that the next span is counted from this instant.
        restart()
        close()
    }

    func dispose() { timer?.dispose() }
}

/// The life of a source that feeds one outer subscription and streams handed out by it: it ends with the
/// last of them.
private final class SharedLife {
    let source = Subscription()
    private var users = 0

    init(_ outer: Subscription) {
        join(outer)
    }

    /// `subject` as a stream whose subscribers keep the source running.
    func stream<Element>(of subject: PublishSubject<Element>) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            self.join(subscription)
            subject.attach(sink, subscription)
        }
    }

    private func join(_ user: Subscription) {
        users += 1
        user.onDispose {
            self.users -= 1
            if self.users == 0 { self.source.dispose() }
        }
    }
}
