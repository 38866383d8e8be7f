// SPDX-License-Identifier: Apache-2.0

public import Scheduling

extension ObservableType {
    /// Emits what `resultSelector` makes of the first values of all streams, then of the second, and so
    /// on; completes when all have, or when a value comes that can have no partner any more.
    ///
    ///     a                      -1-2-----3-|
    ///     b                      ---4---5---6-|
    ///     zip(a, b) { $0 + $1 }  ---5---7---9-|
    public static func zip<each Source: ObservableConvertibleType>(
        _ source: repeat each Source,
        resultSelector: @escaping (repeat (each Source).Element) throws -> Element
    ) -> Observable<Element> {
        zipping(repeat (each source).asObservable(), resultSelector: resultSelector)
    }

    private static func zipping<each Part>(
        _ source: repeat Observable<each Part>,
        resultSelector: @escaping (repeat each Part) throws -> Element
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let queue = (repeat WaitingValues<each Part>())
            var count = 0
            for _ in repeat each queue { count += 1 }
            let state = Gathering(sink: sink, count: count, isTakingValues: true) {
                try resultSelector(repeat (each queue).removeFirst())
            }
            repeat state.attach(each source, each queue, subscription)
        }
    }

    /// As for any number of streams; two are common enough to be compiled for their types.
    @inlinable
    public static func zip<A: ObservableConvertibleType, B: ObservableConvertibleType>(
        _ a: A, _ b: B,
        resultSelector: @escaping (A.Element, B.Element) throws -> Element
    ) -> Observable<Element> {
        let (a, b) = (a.asObservable(), b.asObservable())
        return AnonymousObservable { sink, subscription in
            let aPart = WaitingValues<A.Element>()
            let bPart = WaitingValues<B.Element>()
            let state = Gathering(sink: sink, count: 2, isTakingValues: true) {
                try resultSelector(aPart.removeFirst(), bPart.removeFirst())
            }
            state.attach(a, aPart, subscription)
            state.attach(b, bPart, subscription)
        }
    }

    /// As for any number of streams; three are common enough to be compiled for their types.
    @inlinable
    public static func zip<
        A: ObservableConvertibleType, B: ObservableConvertibleType, C: ObservableConvertibleType
    >(
        _ a: A, _ b: B, _ c: C,
        resultSelector: @escaping (A.Element, B.Element, C.Element) throws -> Element
    ) -> Observable<Element> {
        let (a, b, c) = (a.asObservable(), b.asObservable(), c.asObservable())
        return AnonymousObservable { sink, subscription in
            let aPart = WaitingValues<A.Element>()
            let bPart = WaitingValues<B.Element>()
            let cPart = WaitingValues<C.Element>()
            let state = Gathering(sink: sink, count: 3, isTakingValues: true) {
                try resultSelector(aPart.removeFirst(), bPart.removeFirst(), cPart.removeFirst())
            }
            state.attach(a, aPart, subscription)
            state.attach(b, bPart, subscription)
            state.attach(c, cPart, subscription)
        }
    }

    /// Emits what `resultSelector` makes of the first values of all `sources`, then of the second, and
    /// so on; of no sources, nothing at all.
    ///
    ///     a                      -1-2-----3-|
    ///     b                      ---4---5---6-|
    ///     zip([a, b]) { sum }    ---5---7---9-|
    public static func zip<Sources: Collection>(
        _ sources: Sources,
        resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableConvertibleType {
        let sources = sources.map { $0.asObservable() }
        guard !sources.isEmpty else { return .empty() }
        return AnonymousObservable { sink, subscription in
            let queues = sources.map { _ in WaitingValues<Sources.Element.Element>() }
            let state = Gathering(sink: sink, count: sources.count, isTakingValues: true) {
                try resultSelector(queues.map { $0.removeFirst() })
            }
            for (source, queue) in Swift.zip(sources, queues) {
                state.attach(source, queue, subscription)
            }
        }
    }

    /// Emits the first values of all `sources` as an array, then the second, and so on.
    ///
    ///     a              -1-2-----3-|
    ///     b              ---4---5---6-|
    ///     zip([a, b])    ---x---y---z-|      x is [1, 4], y is [2, 5], z is [3, 6]
    public static func zip<Sources: Collection>(
        _ sources: Sources
    ) -> Observable<[Element]>
    where Sources.Element: ObservableConvertibleType, Sources.Element.Element == Element {
        Observable<[Element]>.zip(sources) { $0 }
    }
}

extension ObservableType where Element == Any {
    /// Emits the first values of all streams as a tuple, then the second, and so on.
    ///
    ///     a            -1-2-----3-|
    ///     b            ---4---5---6-|
    ///     zip(a, b)    ---x---y---z-|      x is (1, 4), y is (2, 5), z is (3, 6)
    public static func zip<each Source: ObservableConvertibleType>(
        _ source: repeat each Source
    ) -> Observable<(repeat (each Source).Element)> {
        Observable<(repeat (each Source).Element)>.zip(repeat each source) {
            (element: repeat (each Source).Element) in (repeat each element)
        }
    }
}

/// What one of the zipped streams has emitted and the others have not yet: bounded by how far it runs
/// ahead of the slowest.
@usableFromInline
final class WaitingValues<Element>: GatheredPart {
    @usableFromInline var queue = Queue<Element>()

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { queue.isEmpty }

    @inlinable var count: Int { queue.count }

    @inlinable
    func append(_ element: Element) { queue.append(element) }

    @inlinable
    func removeFirst() -> Element {
        guard let element = queue.popFirst() else {
            preconditionFailure("a value was taken where none waits")
        }
        return element
    }
}
