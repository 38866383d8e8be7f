// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Goes on with the stream that `handler` makes of an error.
    ///
    ///     source    -a-b-#
    ///     handler        c-d|
    ///     catch     -a-b-c-(d|)
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
                            do {
                                try handler(error).attach(sink, subscription)
                            } catch { sink.end(.error(error)) }
                        }
                    }),
                upstream)
        }
    }

    /// Emits `element` in place of an error, and completes.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        `catch` { _ in .just(element) }
    }
}
