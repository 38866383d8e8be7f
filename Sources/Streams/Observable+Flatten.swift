// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Makes a stream of each value and emits what all of them emit.
    ///
    ///     source       -1-----2---|
    ///     1 makes       a--b|
    ///     2 makes             c--d|
    ///     flatMap      -a--b--c--d|
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(maxConcurrent: .max, selector)
    }

    /// Makes a stream of each value and emits what the newest of them emits; the one before is given up
    /// at the instant it is overtaken.
    ///
    ///     source          -1-----2-----|
    ///     1 makes          a--b--c--d|
    ///     2 makes                e--f|
    ///     flatMapLatest   -a--b--e--f--|
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        switching(whileBusy: true, selector)
    }

    /// Makes a stream of a value and emits what it emits; values that come while it runs are dropped.
    ///
    ///     source         -1--2--3---|
    ///     1 makes         a---b|
    ///     3 makes               c|
    ///     flatMapFirst   -a---b-c---|
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        switching(whileBusy: false, selector)
    }

    /// Makes a stream of each value and emits what they emit, one after the other.
    ///
    ///     source       -1-2-------|
    ///     1 makes       a--b|
    ///     2 makes           c-d|
    ///     concatMap    -a--bc-d---|
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(maxConcurrent: 1, selector)
    }

    @inlinable
    func flatMap<Source: ObservableConvertibleType>(
        maxConcurrent: Int, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let merge = Merging(
                sink: sink, subscription: subscription, maxConcurrent: maxConcurrent)
            let outer = subscription.makeChild()
            source.attach(
                Sink(
                    next: { element in
                        do {
                            merge.join(try selector(element).asObservable())
                        } catch { merge.finish(.error(error)) }
                    },
                    end: { termination in
                        outer.dispose()
                        merge.outerEnded(termination)
                    }),
                outer)
        }
    }

    @inlinable
    func switching<Source: ObservableConvertibleType>(
        whileBusy: Bool, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let latest = Switching(sink: sink, subscription: subscription)
            let outer = subscription.makeChild()
            source.attach(
                Sink(
                    next: { element in
                        guard whileBusy || !latest.isBusy else { return }
                        do {
                            latest.switchTo(try selector(element).asObservable())
                        } catch { latest.finish(.error(error)) }
                    },
                    end: { termination in
                        outer.dispose()
                        latest.outerEnded(termination)
                    }),
                outer)
        }
    }

    /// Emits what all the streams emit, as it comes.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// Emits what all the streams emit, as it comes; completes when all have.
    ///
    ///     a        -1---3-|
    ///     b        ---2-----4|
    ///     merge    -1-2-3---4|
    @inlinable
    public static func merge(
        _ sources: some Collection<Observable<Element>>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let merge = Merging(sink: sink, subscription: subscription)
            for source in sources { merge.join(source) }
            merge.outerEnded(.completed)
        }
    }

    /// Emits what the streams emit, each after the one before has completed.
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        concat(sources)
    }

    /// Emits what the streams emit, each after the one before has completed; the sequence is walked as
    /// they complete, so it may be lazy or endless.
    ///
    ///     a         -1-|
    ///     b            -2-|
    ///     concat    -1--2-|
    @inlinable
    public static func concat(
        _ sources: some Sequence<Observable<Element>>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            var remaining = sources.makeIterator()
            let succession = Succession(sink: sink, subscription: subscription) { last in
                if case .error = last { return .end(last) }
                return remaining.next().map { .next($0) } ?? .end(.completed)
            }
            succession.goOn(after: .completed)
        }
    }

    /// Emits what `second` emits after this stream has completed.
    ///
    ///     source            -1-|
    ///     second               -2-|
    ///     concat(second)    -1--2-|
    @inlinable
    public func concat<Source: ObservableConvertibleType>(
        _ second: Source
    ) -> Observable<Element> where Source.Element == Element {
        Observable.concat(asObservable(), second.asObservable())
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits what all the inner streams emit, as it comes.
    ///
    ///     source     -1---2------|
    ///     1 makes     a--b--c|
    ///     2 makes         d--e|
    ///     merge()    -a--bd-ce---|
    @inlinable
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// Emits what the inner streams emit, at most `maxConcurrent` of them at a time; the others wait in
    /// the order they came.
    ///
    ///     source                     -12--------|
    ///     1 makes                     a--b|
    ///     2 makes                         c-d|
    ///     merge(maxConcurrent: 1)    -a--bc-d---|
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        flatMap(maxConcurrent: maxConcurrent) { $0 }
    }

    /// Emits what the inner streams emit, each after the one before has completed.
    ///
    ///     source      -12--------|
    ///     1 makes      a--b|
    ///     2 makes          c-d|
    ///     concat()    -a--bc-d---|
    @inlinable
    public func concat() -> Observable<Element.Element> {
        flatMap(maxConcurrent: 1) { $0 }
    }

    /// Emits what the newest inner stream emits.
    ///
    ///     source            -1---2-----|
    ///     1 makes            a--b--c|
    ///     2 makes                d--e|
    ///     switchLatest()    -a--bd--e--|
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0 }
    }
}
