// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// Whether the value that ends a `take` is still emitted.
public enum TakeBehavior: Sendable {
    /// It is.
    case inclusive
    /// It is not.
    case exclusive
}

extension ObservableType {
    /// Emits values as long as `predicate` holds, and completes at the first for which it does not.
    ///
    ///     source                    -1-2-3-1-|
    ///     take(while: { $0 < 3 })   -1-2-|
    @inlinable
    public func take(
        while predicate: @escaping (Element) throws -> Bool,
        behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        take(until: { try !predicate($0) }, behavior: behavior)
    }

    /// Emits values until `predicate` holds for one, and completes there.
    ///
    ///     source                                            -1-2-3-1-|
    ///     take(until: { $0 == 3 }, behavior: .inclusive)    -1-2-(3|)
    @inlinable
    public func take(
        until predicate: @escaping (Element) throws -> Bool,
        behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            var isOver = false
            source.attach(
                Sink(
                    next: { element in
                        guard !isOver else { return }
                        do {
                            isOver = try predicate(element)
                        } catch {
                            isOver = true
                            upstream.dispose()
                            return sink.end(.error(error))
                        }
                        guard isOver else { return sink.next(element) }
                        if behavior == .inclusive { sink.next(element) }
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        sink.end(.completed)
                    },
                    end: { termination in
                        guard !isOver else { return }
                        isOver = true
                        upstream.dispose()
                        sink.end(termination)
                    }),
                upstream)
        }
    }

    /// Emits values until `other` emits, and completes there. Its completion alone means nothing.
    ///
    ///     source                -1-2-3-4-|
    ///     other                 ----x
    ///     take(until: other)    -1-2|
    @inlinable
    public func take<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            func end(_ termination: Termination) {
                guard !upstream.isDisposed else { return }
                upstream.dispose()
                sink.end(termination)
            }
            let trigger = upstream.makeChild()
            // Subscribed first: a trigger that fires at once lets nothing through.
            other.attach(
                Sink(
                    next: { _ in end(.completed) },
                    end: { termination in
                        trigger.dispose()
                        if case .error = termination { end(termination) }
                    }),
                trigger)
            guard !upstream.isDisposed else { return }
            source.attach(Sink(next: sink.next, end: end), upstream)
        }
    }

    /// Emits values for `duration`, and completes there.
    ///
    ///     source                         -1-2-3-4-|
    ///     take(for: .milliseconds(4))    -1-2|
    public func take(
        for duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(duration, "take(for:)")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            let timer = OperatorTimer(timeline(scheduler, for: "take(for:)"), "take(for:)") {
                upstream.dispose()
                sink.end(.completed)
            }
            upstream.add(timer)
            timer.set(after: duration)
            source.attach(
                Sink(
                    next: sink.next,
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        sink.end(termination)
                    }),
                upstream)
        }
    }

    /// Emits the last `count` values when the source completes.
    ///
    ///     source         -1-2-3-|
    ///     takeLast(2)    -------(23|)
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "takeLast(\(count)) takes fewer than no values")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let last = WaitingValues<Element>()
            source.attach(
                Sink(
                    next: { element in
                        last.append(element)
                        if last.count > count { _ = last.removeFirst() }
                    },
                    end: { termination in
                        if case .completed = termination {
                            while !last.isEmpty, !subscription.isDisposed {
                                sink.next(last.removeFirst())
                            }
                            guard !subscription.isDisposed else { return }
                        }
                        sink.end(termination)
                    }),
                subscription)
        }
    }

    /// Emits everything but the last `count` values, each as soon as it is known not to be one of them.
    ///
    ///     source         -1-2-3-|
    ///     skipLast(1)    ---1-2-|
    public func skipLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "skipLast(\(count)) skips fewer than no values")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let last = WaitingValues<Element>()
            source.attach(
                Sink(
                    next: { element in
                        last.append(element)
                        if last.count > count { sink.next(last.removeFirst()) }
                    },
                    end: sink.end),
                subscription)
        }
    }

    /// Emits values from the first on for which `predicate` does not hold.
    ///
    ///     source                     -1-2-3-1-|
    ///     skip(while: { $0 < 3 })    -----3-1-|
    @inlinable
    public func skip(
        while predicate: @escaping (Element) throws -> Bool
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var isSkipping = true
            source.attach(
                Sink(
                    next: { element in
                        if isSkipping {
                            do { isSkipping = try predicate(element) } catch {
                                return sink.end(.error(error))
                            }
                        }
                        if !isSkipping { sink.next(element) }
                    },
                    end: sink.end),
                subscription)
        }
    }

    /// Emits values once `other` has emitted.
    ///
    ///     source                -1-2-3-4-|
    ///     other                 ----x
    ///     skip(until: other)    -----3-4-|
    @inlinable
    public func skip<Source: ObservableType>(until other: Source) -> Observable<Element> {
        let source = asObservable()
        let other = other.asObservable()
        return AnonymousObservable { sink, subscription in
            var isSkipping = true
            let trigger = subscription.makeChild()
            other.attach(
                Sink(
                    next: { _ in
                        isSkipping = false
                        trigger.dispose()
                    },
                    end: { termination in
                        trigger.dispose()
                        if case .error = termination { sink.end(termination) }
                    }),
                trigger)
            guard !subscription.isDisposed else { return }
            source.attach(
                Sink(next: { if !isSkipping { sink.next($0) } }, end: sink.end), subscription)
        }
    }

    /// Emits values from `duration` on.
    ///
    ///     source                         -1-2-3-4-|
    ///     skip(for: .milliseconds(4))    -----3-4-|
    public func skip(
        for duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        requireNotNegative(duration, "skip(for:)")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var isSkipping = true
            let timer = OperatorTimer(timeline(scheduler, for: "skip(for:)"), "skip(for:)") {
                isSkipping = false
            }
            subscription.add(timer)
            timer.set(after: duration)
            source.attach(
                Sink(next: { if !isSkipping { sink.next($0) } }, end: sink.end), subscription)
        }
    }

    /// Emits values from `duration` on.
    ///
    ///     source                    -1-2-3-4-|
    ///     skip(.milliseconds(4))    -----3-4-|
    public func skip(
        _ duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        skip(for: duration, scheduler: scheduler)
    }

    /// Emits values for `duration`, and completes there.
    ///
    ///     source                    -1-2-3-4-|
    ///     take(.milliseconds(4))    -1-2|
    public func take(
        _ duration: Duration, scheduler: (any Scheduler)? = nil
    ) -> Observable<Element> {
        take(for: duration, scheduler: scheduler)
    }
}
