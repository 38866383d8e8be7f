// SPDX-License-Identifier: Apache-2.0

/// A stream that never fails: `next* completed?`. Each subscriber runs the source anew.
///
///     source          -a-b-#
///     asInfallible    -a-b-(z|)      onErrorJustReturn z
public typealias Infallible<Element> = SharedSequence<InfallibleStrategy, Element>

/// What an `Infallible` says.
public enum InfallibleEvent<Element> {
    /// A value.
    case next(Element)
    /// The stream is done; the last event.
    case completed
}

extension InfallibleEvent: EventConvertible {
    public var event: Event<Element> {
        switch self {
        case .next(let element): .next(element)
        case .completed: .completed
        }
    }
}

extension ObservableConvertibleType {
    /// The stream as an infallible that emits `element` in place of an error.
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// The stream as an infallible that goes on with `infallible` after an error.
    public func asInfallible(
        onErrorFallbackTo infallible: Infallible<Element>
    ) -> Infallible<Element> {
        asSharedSequence(onErrorDriveWith: infallible)
    }

    /// The stream as an infallible that goes on with what `handler` makes of an error.
    public func asInfallible(
        onErrorRecover handler: @escaping (any Error) -> Infallible<Element>
    ) -> Infallible<Element> {
        asSharedSequence(onErrorRecover: handler)
    }
}

extension RelayType {
    /// The relay's values as an infallible.
    public func asInfallible() -> Infallible<Element> { .init(sharing: asObservable()) }
}

extension SharedSequenceConvertibleType where SharingStrategy == InfallibleStrategy {
    /// An infallible whose every subscription runs `subscribe`; what is said keeps the grammar.
    public static func create(
        subscribe: @escaping (@escaping (InfallibleEvent<Element>) -> Void) -> any Disposable
    ) -> Infallible<Element> {
        .init(sharing: .create { observer in subscribe { observer.on($0.event) } })
    }

    /// Runs the source once for all who are subscribed at the same time; see `Observable.share`.
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Infallible<Element> {
        .init(sharing: asObservable().share(replay: replay, scope: scope))
    }

    /// Subscribes functions to each value and to the completion.
    @discardableResult
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes functions that are given `object` as long as it lives; it is not kept alive.
    @discardableResult
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(
            with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes `handler` to what it says.
    @discardableResult
    public func subscribe(
        _ handler: @escaping (InfallibleEvent<Element>) -> Void
    ) -> any Disposable {
        subscribe(onNext: { handler(.next($0)) }, onCompleted: { handler(.completed) })
    }

    /// Calls `onNext` with each value.
    @discardableResult
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext)
    }

    /// Calls `onNext` with `object`, as long as that lives, and each value.
    @discardableResult
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping (Object, Element) -> Void
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext)
    }

    /// Feeds each observer.
    @discardableResult
    public func bind<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        feed(observers)
    }

    /// Feeds each observer.
    @discardableResult
    public func bind<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element? {
        map(Optional.some).feed(observers)
    }

    /// Feeds each relay with this sequence's values.
    @discardableResult
    public func bind<Relay: RelayType>(
        to relays: Relay...
    ) -> any Disposable where Relay.Element == Element {
        feed(relays)
    }

    /// Feeds each relay with this sequence's values.
    @discardableResult
    public func bind<Relay: RelayType>(
        to relays: Relay...
    ) -> any Disposable where Relay.Element == Element? {
        map(Optional.some).feed(relays)
    }
}
