// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Feeds each observer with this stream's events.
    @inlinable
    @discardableResult
    public func bind<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds each relay with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Feeds each state with this stream's values.
    @inlinable
    @discardableResult
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        bind { element in for relay in relays { relay.accept(element) } }
    }

    /// Calls `onNext` with each value.
    @inlinable
    @discardableResult
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext)
    }

    /// Calls `onNext` with `object`, as long as that lives, and each value.
    @inlinable
    @discardableResult
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping (Object, Element) -> Void
    ) -> any Disposable {
        subscribe(with: object, onNext: onNext)
    }
}
