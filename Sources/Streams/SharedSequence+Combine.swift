// SPDX-License-Identifier: Apache-2.0

extension SharedSequenceConvertibleType {
    /// Emits what all of `sources` emit.
    public static func merge(_ sources: SharedSequence<SharingStrategy, Element>...)
        -> SharedSequence<SharingStrategy, Element>
    { merge(sources) }

    /// Emits what all of `sources` emit.
    public static func merge(_ sources: some Collection<SharedSequence<SharingStrategy, Element>>)
        -> SharedSequence<SharingStrategy, Element>
    {
        .init(sharing: .merge(sources.map { $0.asObservable() }))
    }

    /// Emits what `sources` emit, each after the one before has completed.
    public static func concat(_ sources: SharedSequence<SharingStrategy, Element>...)
        -> SharedSequence<SharingStrategy, Element>
    { concat(sources) }

    /// Emits what `sources` emit, each after the one before has completed.
    public static func concat(_ sources: some Sequence<SharedSequence<SharingStrategy, Element>>)
        -> SharedSequence<SharingStrategy, Element>
    {
        .init(sharing: .concat(sources.map { $0.asObservable() }))
    }

    /// Emits what `second` emits after this sequence has completed.
    public func concat(
        _ second: SharedSequence<SharingStrategy, Element>
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().concat(second))
    }

    /// Becomes whichever of `sources` says something first.
    public static func amb(_ sources: some Sequence<SharedSequence<SharingStrategy, Element>>)
        -> SharedSequence<SharingStrategy, Element>
    {
        .init(sharing: .amb(sources))
    }

    /// Emits what `resultSelector` makes of the first values of all, then of the second, and so on.
    public static func zip<each Part>(
        _ source: repeat SharedSequence<SharingStrategy, each Part>,
        resultSelector: @escaping (repeat each Part) -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(
            sharing: .zip(repeat (each source).asObservable(), resultSelector: resultSelector))
    }

    /// Emits what `resultSelector` makes of the first values of all `sources`, and so on.
    public static func zip<Part>(
        _ sources: some Collection<SharedSequence<SharingStrategy, Part>>,
        resultSelector: @escaping ([Part]) -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .zip(sources, resultSelector: resultSelector))
    }

    /// Emits the first values of all `sources` as an array, then the second, and so on.
    public static func zip(
        _ sources: some Collection<SharedSequence<SharingStrategy, Element>>
    ) -> SharedSequence<SharingStrategy, [Element]> {
        .init(sharing: Observable<Element>.zip(sources))
    }

    /// Emits what `resultSelector` makes of the newest value of each, whenever one emits.
    public static func combineLatest<each Part>(
        _ source: repeat SharedSequence<SharingStrategy, each Part>,
        resultSelector: @escaping (repeat each Part) -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(
            sharing: .combineLatest(
                repeat (each source).asObservable(), resultSelector: resultSelector))
    }

    /// Emits what `resultSelector` makes of the newest value of each of `sources`.
    public static func combineLatest<Part>(
        _ sources: some Collection<SharedSequence<SharingStrategy, Part>>,
        resultSelector: @escaping ([Part]) -> Element
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .combineLatest(sources, resultSelector: resultSelector))
    }

    /// Emits the newest value of each of `sources` as an array.
    public static func combineLatest(
        _ sources: some Collection<SharedSequence<SharingStrategy, Element>>
    ) -> SharedSequence<SharingStrategy, [Element]> {
        .init(sharing: Observable<Element>.combineLatest(sources))
    }

    /// Emits the newest value of `second` whenever this stream emits.
    public func withLatestFrom<OtherStrategy, Result>(
        _ second: SharedSequence<OtherStrategy, Result>
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().withLatestFrom(second))
    }

    /// Emits what `resultSelector` makes of each value and the newest value of `second`.
    public func withLatestFrom<OtherStrategy, Other, Result>(
        _ second: SharedSequence<OtherStrategy, Other>,
        resultSelector: @escaping (Element, Other) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().withLatestFrom(second, resultSelector: resultSelector))
    }
}

extension SharedSequence where Element == Any {
    /// Emits the first values of all as a tuple, then the second, and so on.
    public static func zip<each Part>(
        _ source: repeat SharedSequence<SharingStrategy, each Part>
    ) -> SharedSequence<SharingStrategy, (repeat each Part)> {
        .init(sharing: Observable<Any>.zip(repeat (each source).asObservable()))
    }

    /// Emits the newest value of each as a tuple, whenever one emits.
    public static func combineLatest<each Part>(
        _ source: repeat SharedSequence<SharingStrategy, each Part>
    ) -> SharedSequence<SharingStrategy, (repeat each Part)> {
        .init(sharing: Observable<Any>.combineLatest(repeat (each source).asObservable()))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// Emits what all the inner sequences emit, as it comes; the result is shared as they are.
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        .init(sharing: asObservable().merge())
    }

    /// Emits what the inner sequences emit, at most `maxConcurrent` of them at a time.
    public func merge(
        maxConcurrent: Int
    ) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        .init(sharing: asObservable().merge(maxConcurrent: maxConcurrent))
    }

    /// Emits what the newest inner sequence emits.
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        .init(sharing: asObservable().switchLatest())
    }
}
