// SPDX-License-Identifier: Apache-2.0

/// The promise of `Maybe`.
public enum MaybeTrait {}

/// A stream of one value, or none, or an error.
///
///     success      --(a|)
///     completed    --|
///     failure      --#
public typealias Maybe<Element> = PrimitiveSequence<MaybeTrait, Element>

/// What a `Maybe` says.
public enum MaybeEvent<Element> {
    /// A value.
    case success(Element)
    /// A failure.
    case error(any Error)
    /// No value.
    case completed
}

extension PrimitiveSequence where Trait == MaybeTrait {
    /// A maybe whose every subscription runs `subscribe`; the first thing said counts.
    public static func create(
        subscribe: @escaping (@escaping (MaybeEvent<Element>) -> Void) -> any Disposable
    ) -> Maybe<Element> {
        Maybe(
            keeping: AnonymousObservable { sink, subscription in
                var isOver = false
                let resource = subscribe { event in
                    guard !isOver, !subscription.isDisposed else { return }
                    isOver = true
                    switch event {
                    case .success(let element):
                        sink.next(element)
                        if !subscription.isDisposed { sink.end(.completed) }
                    case .error(let error): sink.end(.error(error))
                    case .completed: sink.end(.completed)
                    }
                }
                subscription.add(resource)
            })
    }

    /// A maybe of `element`.
    public static func just(_ element: Element) -> Maybe<Element> { Maybe(keeping: .just(element)) }

    /// A maybe without a value.
    public static func empty() -> Maybe<Element> { Maybe(keeping: .empty()) }

    /// Subscribes; exactly one of the first three is called.
    @discardableResult
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        var hasValue = false
        return source.subscribe(
            onNext: { element in
                hasValue = true
                onSuccess?(element)
            }, onError: onError, onCompleted: { if !hasValue { onCompleted?() } },
            onDisposed: onDisposed)
    }

    /// Subscribes to what it says.
    @discardableResult
    public func subscribe(_ handler: @escaping (MaybeEvent<Element>) -> Void) -> any Disposable {
        subscribe(
            onSuccess: { handler(.success($0)) }, onError: { handler(.error($0)) },
            onCompleted: { handler(.completed) })
    }

    /// The value transformed.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Maybe<Result> {
        Maybe<Result>(keeping: source.map(transform))
    }

    /// The value transformed, if the transform gives one.
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.compactMap(transform))
    }

    /// The value, if `predicate` holds for it.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(keeping: source.filter(predicate))
    }

    /// What the value makes.
    public func flatMap<Result>(
        _ selector: @escaping (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.flatMap(selector))
    }

    /// What the value makes.
    public func flatMapSingle<Result>(
        _ selector: @escaping (Element) throws -> Single<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.flatMap(selector))
    }

    /// What the value makes, of which only the end is seen.
    public func flatMapCompletable(
        _ selector: @escaping (Element) throws -> Completable
    ) -> Completable {
        Completable(keeping: source.flatMap(selector))
    }

    /// `default` in place of no value.
    public func ifEmpty(default: Element) -> Single<Element> {
        Single(keeping: source.ifEmpty(default: `default`))
    }

    /// What `other` says in place of no value.
    public func ifEmpty(switchTo other: Maybe<Element>) -> Maybe<Element> {
        Maybe(keeping: source.ifEmpty(switchTo: other.source))
    }

    /// What `other` answers in place of no value.
    public func ifEmpty(switchTo other: Single<Element>) -> Single<Element> {
        Single(keeping: source.ifEmpty(switchTo: other.source))
    }

    /// `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> Maybe<Element> {
        Maybe(keeping: source.catchAndReturn(element))
    }

    /// Runs the given functions beside it.
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, onError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, onSubscribe: (() -> Void)? = nil,
        onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            keeping: source.do(
                onNext: onNext, onError: onError, onCompleted: onCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// A single that fails when there is no value.
    public func asSingle() -> Single<Element> { source.asSingle() }

    /// Only whether it fails.
    public func asCompletable() -> Completable { Completable(keeping: source.ignoreElements()) }
}

extension ObservableType {
    /// The stream as a maybe: it fails when the stream has more than one value.
    public func asMaybe() -> Maybe<Element> {
        Maybe(
            keeping: asSingle().asObservable().catch { error in
                if error as? StreamError == .noElements { return .empty() }
                return .error(error)
            })
    }
}
