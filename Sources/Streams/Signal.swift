// SPDX-License-Identifier: Apache-2.0

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Subscribes functions to each value and to the completion.
    @discardableResult
    public func emit(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes functions that are given `object` as long as it lives; it is not kept alive.
    @discardableResult
    public func emit<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(
            with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Feeds each observer.
    @discardableResult
    public func emit<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        feed(observers)
    }

    /// Feeds each observer.
    @discardableResult
    public func emit<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element? {
        map(Optional.some).feed(observers)
    }

    /// Feeds each relay with this sequence's values.
    @discardableResult
    public func emit<Relay: RelayType>(
        to relays: Relay...
    ) -> any Disposable where Relay.Element == Element {
        feed(relays)
    }

    /// Feeds each relay with this sequence's values.
    @discardableResult
    public func emit<Relay: RelayType>(
        to relays: Relay...
    ) -> any Disposable where Relay.Element == Element? {
        map(Optional.some).feed(relays)
    }
}
