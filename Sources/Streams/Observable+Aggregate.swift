// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Emits what has been accumulated when the source completes.
    ///
    ///     source          -1-2-3-|
    ///     reduce(0, +)    -------(6|)
    @inlinable
    public func reduce<Result>(
        _ seed: Result, accumulator: @escaping (Result, Element) throws -> Result
    ) -> Observable<Result> {
        reduce(seed, accumulator: accumulator) { $0 }
    }

    /// Emits what `mapResult` makes of what has been accumulated when the source completes.
    ///
    ///     source                                 -1-2-3-|
    ///     reduce(0, +, mapResult: { 2 * $0 })    -------(x|)      x is 12
    @inlinable
    public func reduce<State, Result>(
        _ seed: State, accumulator: @escaping (State, Element) throws -> State,
        mapResult: @escaping (State) throws -> Result
    ) -> Observable<Result> {
        reduce(into: seed, accumulator: { $0 = try accumulator($0, $1) }, mapResult: mapResult)
    }

    /// Emits what has been accumulated, changed in place, when the source completes.
    ///
    ///     source                -1-2-3-|
    ///     reduce(into: 0, +=)   -------(6|)
    @inlinable
    public func reduce<State>(
        into seed: State, accumulator: @escaping (inout State, Element) throws -> Void
    ) -> Observable<State> {
        reduce(into: seed, accumulator: accumulator, mapResult: { $0 })
    }

    @inlinable
    func reduce<State, Result>(
        into seed: State, accumulator: @escaping (inout State, Element) throws -> Void,
        mapResult: @escaping (State) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            var state = seed
            source.attach(
                Sink(
                    next: { element in
                        do { try accumulator(&state, element) } catch { sink.end(.error(error)) }
                    },
                    end: { termination in
                        guard case .completed = termination else { return sink.end(termination) }
                        let result: Result
                        do { result = try mapResult(state) } catch {
                            return sink.end(.error(error))
                        }
                        sink.next(result)
                        if !subscription.isDisposed { sink.end(.completed) }
                    }),
                subscription)
        }
    }

    /// All values as one array, when the source completes.
    ///
    ///     source       -1-2-|
    ///     toArray()    -----(x|)      x is [1, 2]
    @inlinable
    public func toArray() -> Single<[Element]> {
        Single(keeping: reduce(into: []) { $0.append($1) })
    }

    /// Whether some value satisfies `predicate`: true at the first that does, false at the completion.
    ///
    ///     source                  -1-2-3-|
    ///     contains { $0 == 2 }    ---(t|)      t is true
    @inlinable
    public func contains(where predicate: @escaping (Element) throws -> Bool) -> Single<Bool> {
        Single(
            keeping: filter(predicate).take(1).map { _ in true }.concat(Observable.just(false))
                .take(1))
    }

    /// Whether every value satisfies `predicate`: false at the first that does not, true at the
    /// completion.
    ///
    ///     source             -1-2-3-|
    ///     all { $0 < 3 }     -----(f|)      f is false
    @inlinable
    public func all(where predicate: @escaping (Element) throws -> Bool) -> Single<Bool> {
        contains { try !predicate($0) }.map { !$0 }
    }

    /// Emits nothing but the end.
    ///
    ///     source             -1-2-3-|
    ///     ignoreElements     -------|
    @inlinable
    public func ignoreElements() -> Observable<Never> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            source.attach(Sink(next: { _ in }, end: sink.end), subscription)
        }
    }

    /// Emits `default` and completes when the source completes without a value.
    ///
    ///     source                 ---|
    ///     ifEmpty(default: d)    ---(d|)
    @inlinable
    public func ifEmpty(default: Element) -> Observable<Element> {
        ifEmpty(switchTo: .just(`default`))
    }

    /// Goes on with `other` when the source completes without a value.
    ///
    ///     source                      ---|
    ///     other                          -a-|
    ///     ifEmpty(switchTo: other)    ----a-|
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let upstream = subscription.makeChild()
            var isEmpty = true
            source.attach(
                Sink(
                    next: { element in
                        isEmpty = false
                        sink.next(element)
                    },
                    end: { termination in
                        guard !upstream.isDisposed else { return }
                        upstream.dispose()
                        guard case .completed = termination, isEmpty else {
                            return sink.end(termination)
                        }
                        other.attach(sink, subscription)
                    }),
                upstream)
        }
    }
}

extension ObservableType where Element: Equatable {
    /// Whether some value equals `element`.
    ///
    ///     source         -1-2-3-|
    ///     contains(2)    ---(t|)      t is true
    @inlinable
    public func contains(_ element: Element) -> Single<Bool> {
        contains { $0 == element }
    }
}
