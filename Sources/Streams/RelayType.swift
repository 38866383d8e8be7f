// SPDX-License-Identifier: Apache-2.0

/// A subject that neither fails nor completes: what all relays have in common.
public protocol RelayType<Element>: ObservableType {
    /// Takes a value and sends it to those who listen.
    func accept(_ element: Element)
}

extension PublishRelay: RelayType {}
extension BehaviorRelay: RelayType {}
extension ReplayRelay: RelayType {}

extension SharedSequenceConvertibleType {
    /// Feeds each of `observers`: what `drive`, `emit` and `bind` have in common.
    func feed<Observer: ObserverType>(
        _ observers: [Observer]
    ) -> any Disposable where Observer.Element == Element {
        asObservable().subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds each of `relays`, with values only.
    func feed<Relay: RelayType>(
        _ relays: [Relay]
    ) -> any Disposable where Relay.Element == Element {
        asObservable().subscribe(onNext: { element in
            for relay in relays { relay.accept(element) }
        })
    }
}
