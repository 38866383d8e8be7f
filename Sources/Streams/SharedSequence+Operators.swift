// SPDX-License-Identifier: Apache-2.0

extension SharedSequenceConvertibleType {
    /// Emits `element` and completes.
    public static func just(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .just(element))
    }

    /// Completes at once.
    public static func empty() -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .empty())
    }

    /// Says nothing.
    public static func never() -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .never())
    }

    /// Makes the sequence anew for each subscription.
    public static func deferred(_ make: @escaping () -> SharedSequence<SharingStrategy, Element>)
        -> SharedSequence<SharingStrategy, Element>
    {
        .init(sharing: .deferred { make().asObservable() })
    }

    /// Emits the given values and completes.
    public static func of(_ elements: Element...) -> SharedSequence<SharingStrategy, Element> {
        from(elements)
    }

    /// Emits the values of a sequence and completes.
    public static func from(_ elements: some Sequence<Element>) -> SharedSequence<
        SharingStrategy, Element
    > {
        .init(sharing: .from(elements))
    }

    /// Emits the value if there is one, and completes.
    public static func from(optional: Element?) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: .from(optional: optional))
    }

    /// Emits each value transformed.
    public func map<Result>(
        _ transform: @escaping (Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().map(transform))
    }

    /// Emits each value transformed, without those for which the transform gives nil.
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().compactMap(transform))
    }

    /// Emits the values for which `predicate` holds.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence<
        SharingStrategy, Element
    > {
        .init(sharing: asObservable().filter(predicate))
    }

    /// Emits what has been accumulated after each value.
    public func scan<Result>(
        _ seed: Result, accumulator: @escaping (Result, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Emits what has been accumulated after each value, changed in place.
    public func scan<Result>(
        into seed: Result, accumulator: @escaping (inout Result, Element) -> Void
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Makes a shared stream of each value and emits what all of them emit.
    public func flatMap<Result>(
        _ selector: @escaping (Element) -> SharedSequence<SharingStrategy, Result>
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().flatMap(selector))
    }

    /// As above, for streams that are shared otherwise: the result is shared as they are.
    public func flatMap<Other, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Other, Result>
    ) -> SharedSequence<Other, Result> {
        .init(sharing: asObservable().flatMap(selector))
    }

    /// Makes a shared stream of each value and emits what the newest of them emits.
    public func flatMapLatest<Result>(
        _ selector: @escaping (Element) -> SharedSequence<SharingStrategy, Result>
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().flatMapLatest(selector))
    }

    /// As above, for streams that are shared otherwise: the result is shared as they are.
    public func flatMapLatest<Other, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Other, Result>
    ) -> SharedSequence<Other, Result> {
        .init(sharing: asObservable().flatMapLatest(selector))
    }

    /// Makes a shared stream of a value; values that come while it runs are dropped.
    public func flatMapFirst<Result>(
        _ selector: @escaping (Element) -> SharedSequence<SharingStrategy, Result>
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().flatMapFirst(selector))
    }

    /// As above, for streams that are shared otherwise: the result is shared as they are.
    public func flatMapFirst<Other, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Other, Result>
    ) -> SharedSequence<Other, Result> {
        .init(sharing: asObservable().flatMapFirst(selector))
    }

    /// Makes a shared stream of each value and emits what they emit, one after the other.
    public func concatMap<Result>(
        _ selector: @escaping (Element) -> SharedSequence<SharingStrategy, Result>
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().concatMap(selector))
    }

    /// As above, for streams that are shared otherwise: the result is shared as they are.
    public func concatMap<Other, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Other, Result>
    ) -> SharedSequence<Other, Result> {
        .init(sharing: asObservable().concatMap(selector))
    }

    /// Emits `element` first.
    public func startWith(_ element: Element) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().startWith(element))
    }

    /// Runs the given functions beside the stream, each before the event is passed on (`after…`: after).
    public func `do`(
        onNext: ((Element) -> Void)? = nil, afterNext: ((Element) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, afterCompleted: (() -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(
            sharing: asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted,
                afterCompleted: afterCompleted, onSubscribe: onSubscribe,
                onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Emits a value only when it differs from the one before.
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element>
    where Element: Equatable {
        .init(sharing: asObservable().distinctUntilChanged())
    }

    /// Emits a value only when its key differs from the key of the one before.
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().distinctUntilChanged(keySelector))
    }

    /// Emits a value only when it differs from the one before, as `comparer` sees it.
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().distinctUntilChanged(comparer))
    }

    /// Emits a value only when its key differs from the key of the one before, as `comparer` sees it.
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) -> Key, comparer: @escaping (Key, Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Emits a value only when what it has at `keyPath` differs from that of the one before.
    public func distinctUntilChanged<Key: Equatable>(
        at keyPath: KeyPath<Element, Key>
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(sharing: asObservable().distinctUntilChanged(at: keyPath))
    }

    /// Emits what `resultSelector` makes of `object` and each value, and completes when it is gone.
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        .init(sharing: asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// Emits each value together with `object`, as long as that lives; it is not kept alive.
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }

    /// Writes a line for the subscription, each event and the disposal to `output`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID,
        line: UInt = #line, output: @escaping (String) -> Void = { print($0) }
    ) -> SharedSequence<SharingStrategy, Element> {
        .init(
            sharing: asObservable().debug(
                identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }
}
