// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Emits what `resultSelector` makes of each value and the newest value of `second`; values that
    /// come before `second` has any are dropped.
    ///
    ///     source                               -1---2---3-|
    ///     second                               ---4---5---|
    ///     withLatestFrom(second) { $0 + $1 }   -----6---8-|
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType, Result>(
        _ second: Source,
        resultSelector: @escaping (Element, Source.Element) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        let second = second.asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            var latest: Source.Element?
            let other = subscription.makeChild()
            // Subscribed first, so that a state has its value before the first event.
            second.attach(
                Sink(
                    next: { latest = $0 },
                    end: { termination in
                        other.dispose()
                        if case .error = termination { end(termination) }
                    }),
                other)
            guard !subscription.isDisposed else { return }
            source.attach(
                Sink(
                    next: { element in
                        guard let latest else { return }
                        let result: Result
                        do {
                            result = try resultSelector(element, latest)
                        } catch { return end(.error(error)) }
                        next(result)
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits the newest value of `second` whenever this stream emits.
    ///
    ///     source                    -1---2---3-|
    ///     second                    ---a---b---|
    ///     withLatestFrom(second)    -----a---b-|
    @inlinable
    public func withLatestFrom<Source: ObservableConvertibleType>(
        _ second: Source
    ) -> Observable<Source.Element> {
        withLatestFrom(second) { $1 }
    }
}
