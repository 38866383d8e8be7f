// SPDX-License-Identifier: Apache-2.0

// Each means what it means on `Observable`; its result is shared again, and its closures cannot throw.

extension SharedSequence {
    /// Emits `element` and completes.
    public static func just(_ element: Element) -> SharedSequence { .init(sharing: .just(element)) }

    /// Completes at once.
    public static func empty() -> SharedSequence { .init(sharing: .empty()) }

    /// Says nothing.
    public static func never() -> SharedSequence { .init(sharing: .never()) }

    /// Makes the sequence anew for each subscription.
    public static func deferred(_ make: @escaping () -> SharedSequence) -> SharedSequence {
        .init(sharing: .deferred { make().asObservable() })
    }

    /// Emits the given values and completes.
    public static func of(_ elements: Element...) -> SharedSequence { from(elements) }

    /// Emits the values of a sequence and completes.
    public static func from(_ elements: some Sequence<Element>) -> SharedSequence {
        .init(sharing: .from(elements))
    }

    /// Emits the value if there is one, and completes.
    public static func from(optional: Element?) -> SharedSequence {
        .init(sharing: .from(optional: optional))
    }

    /// Emits each value transformed.
    public func map<Result>(
        _ transform: @escaping (Element) -> Result
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.map(transform))
    }

    /// Emits each value transformed, without those for which the transform gives nil.
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.compactMap(transform))
    }

    /// Emits the values for which `predicate` holds.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence {
        .init(sharing: source.filter(predicate))
    }

    /// Emits what has been accumulated after each value.
    public func scan<Result>(
        _ seed: Result, accumulator: @escaping (Result, Element) -> Result
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.scan(seed, accumulator: accumulator))
    }

    /// Makes a shared stream of each value and emits what all of them emit.
    public func flatMap<Result>(
        _ selector: @escaping (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.flatMap(selector))
    }

    /// Makes a shared stream of each value and emits what the newest of them emits.
    public func flatMapLatest<Result>(
        _ selector: @escaping (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.flatMapLatest(selector))
    }

    /// Makes a shared stream of a value; values that come while it runs are dropped.
    public func flatMapFirst<Result>(
        _ selector: @escaping (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.flatMapFirst(selector))
    }

    /// Emits `element` first.
    public func startWith(_ element: Element) -> SharedSequence {
        .init(sharing: source.startWith(element))
    }

    /// Runs the given functions beside the stream.
    public func `do`(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> SharedSequence {
        .init(sharing: source.do(onNext: onNext, onCompleted: onCompleted, onDispose: onDispose))
    }

    /// Emits a value only when it differs from the one before.
    public func distinctUntilChanged() -> SharedSequence where Element: Equatable {
        .init(sharing: source.distinctUntilChanged())
    }

    /// Emits a value only when its key differs from the key of the one before.
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) -> Key
    ) -> SharedSequence {
        .init(sharing: source.distinctUntilChanged(keySelector))
    }

    /// Emits a value only when it differs from the one before, as `comparer` sees it.
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) -> Bool
    ) -> SharedSequence {
        .init(sharing: source.distinctUntilChanged(comparer))
    }

    /// Emits a value only when its key differs from the key of the one before, as `comparer` sees it.
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) -> Key, comparer: @escaping (Key, Key) -> Bool
    ) -> SharedSequence {
        .init(sharing: source.distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Emits what follows the first `count` values.
    public func skip(_ count: Int) -> SharedSequence { .init(sharing: source.skip(count)) }

    /// Emits the first `count` values and completes.
    public func take(_ count: Int) -> SharedSequence { .init(sharing: source.take(count)) }

    /// Emits what `resultSelector` makes of `object` and each value, and completes when it is gone.
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.withUnretained(object, resultSelector: resultSelector))
    }

    /// Emits each value together with `object`, as long as that lives; it is not kept alive.
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<Strategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }

    /// Writes a line for the subscription, each event and the disposal to `output`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID,
        line: UInt = #line, output: @escaping (String) -> Void = { print($0) }
    ) -> SharedSequence {
        .init(
            sharing: source.debug(
                identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }
}
