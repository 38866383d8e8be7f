// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Goes on with the stream that `handler` makes of an error.
    ///
    ///     source    -a-b-#
    ///     handler        c-d|
    ///     catch     -a-b-c-d|
    @inlinable
    public func `catch`(
        _ handler: @escaping (any Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            source.attach(
                Sink(
                    next: sink.next,
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        switch termination {
                        case .completed: sink.end(.completed)
                        case .error(let error):
                            let other: Observable<Element>
                            do {
                                other = try handler(error)
                            } catch { return sink.end(.error(error)) }
                            other.attach(sink, subscription)
                        }
                    }),
                upstream)
        }
    }

    /// Emits `element` in place of an error, and completes.
    ///
    ///     source               -a-b-#
    ///     catchAndReturn(z)    -a-b-(z|)
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        `catch` { _ in .just(element) }
    }

    /// Emits what the first of `sources` emits; goes on with the next one whenever one fails. When the
    /// last fails, so does the whole.
    ///
    ///     a                          -1-#
    ///     b                             -2-|
    ///     catch(sequence: [a, b])    -1--2-|
    @inlinable
    public static func `catch`(
        sequence sources: some Sequence<Observable<Element>>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            var remaining = sources.makeIterator()
            var isFirst = true
            let succession = Succession(sink: sink, subscription: subscription) { last in
                if case .completed = last, !isFirst { return .end(last) }
                isFirst = false
                return remaining.next().map { .next($0) } ?? .end(last)
            }
            succession.goOn(after: .completed)
        }
    }
}
