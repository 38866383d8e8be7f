// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Emits what `resultSelector` makes of the newest value of each stream, whenever one of them emits,
    /// once each has a value; completes when all have.
    ///
    ///     a                                -1---2-----|
    ///     b                                ---3---4-|
    ///     combineLatest(a, b) { $0 + $1 }  ---4-5-6---|
    public static func combineLatest<each Source: ObservableConvertibleType>(
        _ source: repeat each Source,
        resultSelector: @escaping (repeat (each Source).Element) throws -> Element
    ) -> Observable<Element> {
        combiningLatest(repeat (each source).asObservable(), resultSelector: resultSelector)
    }

    private static func combiningLatest<each Part>(
        _ source: repeat Observable<each Part>,
        resultSelector: @escaping (repeat each Part) throws -> Element
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let latest = (repeat LatestValue<each Part>())
            var count = 0
            for _ in repeat each latest { count += 1 }
            let state = Gathering(sink: sink, count: count) {
                // Asked only once each stream has a value.
                try resultSelector(repeat (each latest).current)
            }
            repeat state.attach(each source, each latest, subscription)
        }
    }

    /// As for any number of streams; two are common enough to be compiled for their types.
    @inlinable
    public static func combineLatest<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B,
        resultSelector: @escaping (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        let (a, b) = (a.asObservable(), b.asObservable())
        return AnonymousObservable { sink, subscription in
            let aPart = LatestValue<A.Element>()
            let bPart = LatestValue<B.Element>()
            let state = Gathering(sink: sink, count: 2) {
                try resultSelector(aPart.current, bPart.current)
            }
            state.attach(a, aPart, subscription)
            state.attach(b, bPart, subscription)
        }
    }

    /// As for any number of streams; three are common enough to be compiled for their types.
    @inlinable
    public static func combineLatest<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C,
        resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        let (a, b, c) = (a.asObservable(), b.asObservable(), c.asObservable())
        return AnonymousObservable { sink, subscription in
            let aPart = LatestValue<A.Element>()
            let bPart = LatestValue<B.Element>()
            let cPart = LatestValue<C.Element>()
            let state = Gathering(sink: sink, count: 3) {
                try resultSelector(aPart.current, bPart.current, cPart.current)
            }
            state.attach(a, aPart, subscription)
            state.attach(b, bPart, subscription)
            state.attach(c, cPart, subscription)
        }
    }

    /// Emits what `resultSelector` makes of the newest value of each of `sources`; of no sources,
    /// nothing at all.
    ///
    ///     a                                -1---2-----|
    ///     b                                ---3---4-|
    ///     combineLatest([a, b]) { sum }    ---4-5-6---|
    public static func combineLatest<Sources: Collection>(
        _ sources: Sources,
        resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableConvertibleType {
        let sources = sources.map { $0.asObservable() }
        guard !sources.isEmpty else { return .empty() }
        return AnonymousObservable { sink, subscription in
            let latest = sources.map { _ in LatestValue<Sources.Element.Element>() }
            let state = Gathering(sink: sink, count: sources.count) {
                try resultSelector(latest.map(\.current))
            }
            for (source, latest) in Swift.zip(sources, latest) {
                state.attach(source, latest, subscription)
            }
        }
    }

    /// Emits the newest value of each of `sources` as an array.
    ///
    ///     a                        -1---2-----|
    ///     b                        ---3---4-|
    ///     combineLatest([a, b])    ---x-y-z---|      x is [1, 3], y is [2, 3], z is [2, 4]
    public static func combineLatest<Sources: Collection>(
        _ sources: Sources
    ) -> Observable<[Element]>
    where Sources.Element: ObservableConvertibleType, Sources.Element.Element == Element {
        Observable<[Element]>.combineLatest(sources) { $0 }
    }
}

extension ObservableType where Element == Any {
    /// Emits the newest value of each stream as a tuple, whenever one of them emits.
    ///
    ///     a                      -1---2-----|
    ///     b                      ---3---4-|
    ///     combineLatest(a, b)    ---x-y-z---|      x is (1, 3), y is (2, 3), z is (2, 4)
    public static func combineLatest<each Source: ObservableConvertibleType>(
        _ source: repeat each Source
    ) -> Observable<(repeat (each Source).Element)> {
        Observable<(repeat (each Source).Element)>.combineLatest(repeat each source) {
            (element: repeat (each Source).Element) in (repeat each element)
        }
    }
}

/// The newest value of one of the streams that are combined.
@usableFromInline
final class LatestValue<Element>: GatheredPart {
    @usableFromInline var element: Element?

    @inlinable
    init() {}

    /// Whether there is one.
    @inlinable var isEmpty: Bool { element == nil }

    @inlinable
    func append(_ element: Element) { self.element = element }

    @inlinable var current: Element {
        guard let element else {
            preconditionFailure("a combination was asked for before each stream had a value")
        }
        return element
    }
}
