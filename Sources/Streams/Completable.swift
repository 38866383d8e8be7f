// SPDX-License-Identifier: Apache-2.0

/// The promise of `Completable`.
public enum CompletableTrait {}

/// A stream without values: work that is done some time, or fails.
///
///     Completable, completed    --|
///     Completable, failure      --#
public typealias Completable = PrimitiveSequence<CompletableTrait, Never>

/// What a `Completable` says.
public enum CompletableEvent {
    /// A failure.
    case error(any Error)
    /// Done.
    case completed
}

extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// A completable whose every subscription runs `subscribe`; the first thing said counts.
    public static func create(
        subscribe: @escaping (@escaping (CompletableEvent) -> Void) -> any Disposable
    ) -> Completable {
        Completable(
            keeping: AnonymousObservable { sink, subscription in
                var isOver = false
                let resource = subscribe { event in
                    guard !isOver, !subscription.isDisposed else { return }
                    isOver = true
                    switch event {
                    case .completed: sink.end(.completed)
                    case .error(let error): sink.end(.error(error))
                    }
                }
                subscription.add(resource)
            })
    }

    /// Done at once.
    public static func empty() -> Completable { Completable(keeping: .empty()) }

    /// Subscribes; one of the first two is called.
    @discardableResult
    public func subscribe(
        onCompleted: (() -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes to what it says.
    @discardableResult
    public func subscribe(_ handler: @escaping (CompletableEvent) -> Void) -> any Disposable {
        subscribe(onCompleted: { handler(.completed) }, onError: { handler(.error($0)) })
    }

    /// Subscribes functions that are given `object` as long as it lives; it is not kept alive.
    @discardableResult
    public func subscribe<Object: AnyObject>(
        with object: Object, onCompleted: ((Object) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(
            with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Goes on with `second` once this is done.
    ///
    ///     source             --|
    ///     second               -a-|
    ///     andThen(second)    ---a-|
    public func andThen<Result>(_ second: Observable<Result>) -> Observable<Result> {
        Observable.concat(source.map { _ -> Result in }, second)
    }

    /// Goes on with `second` once this is done.
    public func andThen<Result>(_ second: Single<Result>) -> Single<Result> {
        Single<Result>(keeping: andThen(second.source))
    }

    /// Goes on with `second` once this is done.
    public func andThen<Result>(_ second: Maybe<Result>) -> Maybe<Result> {
        Maybe<Result>(keeping: andThen(second.source))
    }

    /// Goes on with `second` once this is done.
    public func andThen(_ second: Completable) -> Completable {
        Completable(keeping: .concat(source, second.source))
    }

    /// Goes on with `second` once this is done.
    public func concat(_ second: Completable) -> Completable { andThen(second) }

    /// One after the other; done when the last is.
    public static func concat(_ sources: Completable...) -> Completable { concat(sources) }

    /// One after the other; done when the last is.
    public static func concat(_ sources: some Sequence<Completable>) -> Completable {
        Completable(keeping: .concat(sources.map(\.source)))
    }

    /// All at once; done when all are.
    public static func merge(_ sources: Completable...) -> Completable { merge(sources) }

    /// All at once; done when all are.
    public static func merge(_ sources: some Collection<Completable>) -> Completable {
        Completable(keeping: .merge(sources.map(\.source)))
    }

    /// All at once; done when all are.
    public static func zip(_ sources: Completable...) -> Completable { merge(sources) }

    /// Done in place of an error for which `predicate` holds.
    ///
    ///     source              --#
    ///     catchAndComplete    --|
    public func catchAndComplete(
        _ predicate: @escaping (any Error) throws -> Bool = { _ in true }
    ) -> Completable {
        `catch` { try predicate($0) ? .empty() : .error($0) }
    }

    /// Runs the given functions beside it, each before the end is passed on (`after…`: after).
    public func `do`(
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Completable {
        Completable(
            keeping: source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted,
                afterCompleted: afterCompleted, onSubscribe: onSubscribe,
                onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// The promise relaxed, as a maybe of any type that never has a value.
    public func asMaybe<Result>(_ type: Result.Type = Result.self) -> Maybe<Result> {
        Maybe<Result>(keeping: source.map { _ -> Result in })
    }
}

extension ObservableType where Element == Never {
    /// A stream without values as a completable.
    ///
    ///     source                              -a-|
    ///     ignoreElements().asCompletable()    ---|
    public func asCompletable() -> Completable { Completable(keeping: asObservable()) }
}
