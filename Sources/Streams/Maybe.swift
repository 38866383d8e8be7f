// SPDX-License-Identifier: Apache-2.0

/// The promise of `Maybe`.
public enum MaybeTrait: ValueTrait {}

/// A stream of one value, or none, or an error.
///
///     Maybe, success      --(a|)
///     Maybe, completed    --|
///     Maybe, failure      --#
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

extension PrimitiveSequenceType where Trait == MaybeTrait {
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

    /// Subscribes functions that are given `object` as long as it lives; it is not kept alive.
    @discardableResult
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onSuccess: { [weak object] element in object.map { onSuccess?($0, element) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// What the value makes, which is something.
    ///
    ///     source           --(1|)
    ///     1 makes            ---(a|)
    ///     flatMapSingle    -----(a|)
    public func flatMapSingle<Result>(
        _ selector: @escaping (Element) throws -> Single<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.flatMap(selector))
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

    /// Runs the given functions beside it, each before the event is passed on (`after…`: after).
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Maybe<Element> {
        Maybe(
            keeping: source.do(
                onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError,
                onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// A single that fails when there is no value.
    public func asSingle() -> Single<Element> { source.asSingle() }
}

extension ObservableType {
    /// The stream as a maybe: it fails when the stream has more than one value.
    ///
    ///     source       ---|
    ///     asMaybe()    ---|
    public func asMaybe() -> Maybe<Element> {
        Maybe(
            keeping: asSingle().asObservable().catch { error in
                if error as? StreamError == .noElements { return .empty() }
                return .error(error)
            })
    }
}
