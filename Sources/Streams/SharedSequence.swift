// SPDX-License-Identifier: Apache-2.0

/// How a `SharedSequence` serves several subscribers.
public protocol SharingStrategyProtocol {
    /// Shares a stream that never fails.
    static func share<Element>(_ source: Observable<Element>) -> Observable<Element>
}

/// Newcomers are given the newest value: what a view shows.
public enum DriverSharingStrategy: SharingStrategyProtocol {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

/// Newcomers are given what comes: what a view reacts to.
public enum SignalSharingStrategy: SharingStrategyProtocol {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share()
    }
}

/// A stream that never fails and runs its source once for all who are subscribed.
public struct SharedSequence<Strategy: SharingStrategyProtocol, Element>:
    ObservableConvertibleType
{
    let source: Observable<Element>

    /// Shares a stream that is known not to fail.
    init(sharing source: Observable<Element>) {
        self.source = Strategy.share(source)
    }

    public func asObservable() -> Observable<Element> { source }

    /// The stream as a stream that may be shared otherwise.
    public func asSharedSequence() -> SharedSequence<Strategy, Element> { self }
}

/// A shared stream that gives newcomers its newest value.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

/// A shared stream of events.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

extension ObservableConvertibleType {
    /// The stream as a driver that emits `element` in place of an error.
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        Driver(sharing: asObservable().catchAndReturn(element))
    }

    /// The stream as a driver that goes on with `driver` after an error.
    public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
        asDriver(onErrorRecover: { _ in driver })
    }

    /// The stream as a driver that goes on with what `handler` makes of an error.
    public func asDriver(
        onErrorRecover handler: @escaping (any Error) -> Driver<Element>
    ) -> Driver<Element> {
        Driver(sharing: asObservable().catch { handler($0).asObservable() })
    }

    /// The stream as a signal that emits `element` in place of an error.
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        Signal(sharing: asObservable().catchAndReturn(element))
    }

    /// The stream as a signal that goes on with `signal` after an error.
    public func asSignal(onErrorSignalWith signal: Signal<Element>) -> Signal<Element> {
        asSignal(onErrorRecover: { _ in signal })
    }

    /// The stream as a signal that goes on with what `handler` makes of an error.
    public func asSignal(
        onErrorRecover handler: @escaping (any Error) -> Signal<Element>
    ) -> Signal<Element> {
        Signal(sharing: asObservable().catch { handler($0).asObservable() })
    }
}

extension BehaviorRelay {
    /// The state as a driver.
    public func asDriver() -> Driver<Element> { Driver(sharing: asObservable()) }
}

extension PublishRelay {
    /// The events as a signal.
    public func asSignal() -> Signal<Element> { Signal(sharing: asObservable()) }
}

extension ReplayRelay {
    /// The events, those that are replayed first, as a driver.
    public func asDriver() -> Driver<Element> { Driver(sharing: asObservable()) }
}
