// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// The first value, or nil when the source completes without one.
    ///
    ///     source     -a-b-|
    ///     first()    -(a|)
    @inlinable
    public func first() -> Single<Element?> {
        Single(
            keeping: map { Optional($0) }.take(1).ifEmpty(default: nil))
    }

    /// Emits the value at `index`, counted from zero, and completes; fails when the source ends before.
    ///
    ///     source            -a-b-c-|
    ///     element(at: 1)    ---(b|)
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at: \(index)) lies before the first value")
        return skip(index).take(1).ifEmpty(
            switchTo: .error(StreamError.argumentOutOfRange))
    }

    /// Emits the only value; fails when there is none, or at the second.
    ///
    ///     source      -a-|
    ///     single()    -a-|
    @inlinable
    public func single() -> Observable<Element> {
        single { _ in true }
    }

    /// Emits the only value that satisfies `predicate`; fails when there is none, or at the second.
    ///
    ///     source               -1-2-4-|
    ///     single { even }      ---2-#
    @inlinable
    public func single(
        _ predicate: @escaping (Element) throws -> Bool
    ) -> Observable<Element> {
        let matching = filter(predicate)
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            var isEmpty = true
            matching.attach(
                Sink(
                    next: { element in
                        guard isEmpty else {
                            upstream.dispose()
                            return sink.end(.error(StreamError.moreThanOneElement))
                        }
                        isEmpty = false
                        sink.next(element)
                    },
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        guard case .completed = termination, isEmpty else {
                            return sink.end(termination)
                        }
                        sink.end(.error(StreamError.noElements))
                    }),
                upstream)
        }
    }

    /// Emits each value with its number, counted from zero.
    ///
    ///     source          -a-b-|
    ///     enumerated()    -x-y-|      x is (0, a), y is (1, b)
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var index = 0
            source.attach(
                Sink(
                    next: { element in
                        // Counted first: a value that this one provokes is the next.
                        index += 1
                        sink.next((index - 1, element))
                    },
                    end: sink.end),
                subscription)
        }
    }

    /// Emits each value with the one before, from the second on.
    ///
    ///     source        -a-b-c-|
    ///     pairwise()    ---x-y-|      x is (a, b), y is (b, c)
    @inlinable
    public func pairwise() -> Observable<(Element, Element)> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var last: Element?
            source.attach(
                Sink(
                    next: { element in
                        let before = exchange(&last, with: element)
                        if let before { sink.next((before, element)) }
                    },
                    end: sink.end),
                subscription)
        }
    }
}

extension ObservableType {
    /// Emits each event of the source as a value, its end included, and completes.
    ///
    ///     source           -a-#
    ///     materialize()    -x-(y|)      x is next(a), y is error(e)
    @inlinable
    public func materialize() -> Observable<Event<Element>> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            source.attach(
                Sink(
                    next: { sink.next(.next($0)) },
                    end: { termination in
                        sink.next(termination.event())
                        if !subscription.isDisposed { sink.end(.completed) }
                    }),
                subscription)
        }
    }

    /// Says the events that the source emits as values: the reverse of `materialize`.
    ///
    ///     source             -x-y      x is next(a), y is completed
    ///     dematerialize()    -a-|
    @inlinable
    public func dematerialize() -> Observable<Element.Element> where Element: EventConvertible {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            source.attach(
                Sink(
                    next: { element in
                        guard !upstream.isDisposed else { return }
                        let event = element.event
                        if event.isStopEvent { upstream.dispose() }
                        sink.send(event)
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
