// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Emits each value transformed; an error thrown by `transform` ends the stream.
    ///
    ///     source       -1-2-3-|
    ///     map { 2x }   -2-4-6-|
    @inlinable
    public func map<Result>(
        _ transform: @escaping (Element) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            source.attach(
                Sink(
                    next: { element in
                        let result: Result
                        do { result = try transform(element) } catch { return end(.error(error)) }
                        next(result)
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits each value transformed, without those for which the transform gives nil.
    ///
    ///     source           -1-x-3-|
    ///     compactMap Int   -1---3-|
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            source.attach(
                Sink(
                    next: { element in
                        let result: Result?
                        do { result = try transform(element) } catch { return end(.error(error)) }
                        if let result { next(result) }
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits what has been accumulated after each value.
    ///
    ///     source         -1-2-3-|
    ///     scan(0, +)     -1-3-6-|
    @inlinable
    public func scan<Result>(
        _ seed: Result, accumulator: @escaping (Result, Element) throws -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            let state = Accumulated(seed)
            source.attach(
                Sink(
                    next: { element in
                        let result: Result
                        do {
                            result = try accumulator(state.value, element)
                        } catch { return end(.error(error)) }
                        state.value = result
                        next(result)
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits what has been accumulated after each value, changed in place.
    ///
    ///     source               -1-2-3-|
    ///     scan(into: 0, +=)    -1-3-6-|
    @inlinable
    public func scan<Result>(
        into seed: Result, accumulator: @escaping (inout Result, Element) throws -> Void
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            var accumulated = seed
            source.attach(
                Sink(
                    next: { element in
                        do { try accumulator(&accumulated, element) } catch {
                            return end(.error(error))
                        }
                        next(accumulated)
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits the given values first.
    ///
    ///     source          --1-2-|
    ///     startWith(0)    0-1-2-|
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            for element in elements {
                guard !subscription.isDisposed else { return }
                sink.next(element)
            }
            guard !subscription.isDisposed else { return }
            source.attach(sink, subscription)
        }
    }
}

/// What a scan has accumulated.
@usableFromInline
final class Accumulated<Value> {
    // Safety: unchecked exclusivity. It is copied out before the accumulator runs, and set after.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable
    init(_ seed: Value) { value = seed }
}
