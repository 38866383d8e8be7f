// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Becomes whichever of this stream and `right` says something first; the other is given up.
    ///
    ///     source    ---a-b-|
    ///     right     --c-d-e-|
    ///     amb       --c-d-e-|
    public func amb<Source: ObservableConvertibleType>(
        _ right: Source
    ) -> Observable<Element> where Source.Element == Element {
        Observable.amb([asObservable(), right.asObservable()])
    }

    /// Becomes whichever of `sources` says something first; of no sources, says nothing for ever.
    ///
    ///     a              ---a-b-|
    ///     b              --c-d-e-|
    ///     amb([a, b])    --c-d-e-|
    public static func amb<Sources: Sequence>(
        _ sources: Sources
    ) -> Observable<Element>
    where Sources.Element: ObservableConvertibleType, Sources.Element.Element == Element {
        let sources = sources.map { $0.asObservable() }
        return AnonymousObservable { sink, subscription in
            var parts = sources.map { _ in subscription.makeChild() }
            var winner: Subscription?
            func wins(_ part: Subscription) -> Bool {
                if winner == nil {
                    winner = part
                    for other in exchange(&parts, with: []) where other !== part { other.dispose() }
                }
                return winner === part
            }
            for (source, part) in Swift.zip(sources, parts) {
                guard !part.isDisposed else { continue }
                source.attach(
                    Sink(
                        next: { element in if wins(part) { sink.next(element) } },
                        end: { termination in if wins(part) { sink.end(termination) } }),
                    part)
            }
        }
    }
}
