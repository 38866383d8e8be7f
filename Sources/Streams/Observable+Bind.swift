// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Feeds each observer with this stream's events.
    @discardableResult
    public func bind<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds each observer with this stream's events.
    @discardableResult
    public func bind<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element? {
        map(Optional.some).subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds each relay with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        guard relays.count == 1, let relay = relays.first else {
            return bind { element in for relay in relays { relay.accept(element) } }
        }
        return bind { relay.accept($0) }
    }

    /// Feeds each relay with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Feeds each state with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        guard relays.count == 1, let relay = relays.first else {
            return bind { element in for relay in relays { relay.accept(element) } }
        }
        return bind { relay.accept($0) }
    }

    /// Feeds each state with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Feeds each relay with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        guard relays.count == 1, let relay = relays.first else {
            return bind { element in for relay in relays { relay.accept(element) } }
        }
        return bind { relay.accept($0) }
    }

    /// Feeds each relay with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Calls `onNext` with each value; an error is reported to the timeline.
    @inlinable
    @discardableResult
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        // Each closure of a chain is a piece of memory for as long as the chain lives; this makes few.
        subscribe(
            Sink(
                next: onNext,
                end: { termination in
                    guard case .error(let error) = termination else { return }
                    UnhandledError.report(error, place: "a stream bound without onError")
                }))
    }

    /// Calls `onNext` with `object`, as long as that lives, and each value.
    @discardableResult
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping (Object, Element) -> Void
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext)
    }

    /// Hands this stream to `binder` and returns what that makes of it.
    public func bind<Result>(to binder: (Self) -> Result) -> Result {
        binder(self)
    }

    /// Hands this stream to `binder`, and what that makes of it the second argument.
    public func bind<Argument, Result>(
        to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        binder(self)(curriedArgument)
    }
}
