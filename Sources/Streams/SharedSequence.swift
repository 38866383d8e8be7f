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

/// Nothing is shared: each subscriber runs the source anew.
public enum InfallibleStrategy: SharingStrategyProtocol {
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source
    }
}

/// Whatever can be seen as a `SharedSequence`.
///
/// The operators are here, so that one extension serves drivers, signals and infallibles. Each means
/// what it means on `Observable`; its result is shared again, and its closures cannot throw.
public protocol SharedSequenceConvertibleType<SharingStrategy, Element>:
    ObservableConvertibleType
{
    /// How several subscribers are served.
    associatedtype SharingStrategy: SharingStrategyProtocol

    /// The sequence itself.
    func asSharedSequence() -> SharedSequence<SharingStrategy, Element>
}

/// A stream that never fails, and serves several subscribers as its strategy says.
///
/// See `Driver`, `Signal` and `Infallible`.
public struct SharedSequence<SharingStrategy: SharingStrategyProtocol, Element>:
    SharedSequenceConvertibleType
{
    private let source: Observable<Element>

    /// Shares a stream that is known not to fail.
    init(sharing source: Observable<Element>) {
        self.source = SharingStrategy.share(source)
    }

    public func asObservable() -> Observable<Element> { source }

    public func asSharedSequence() -> SharedSequence<SharingStrategy, Element> { self }
}

/// A shared stream that gives newcomers its newest value.
///
///     source      -a-b-c-|
///     newcomer    ----^
///     asDriver    ----bc-|
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

/// A shared stream of events.
///
///     source      -a-b-c-|
///     newcomer    ----^
///     asSignal    -----c-|
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

extension ObservableConvertibleType {
    /// The stream as a sequence that emits `element` in place of an error.
    ///
    ///     source              -a-b-#
    ///     asSharedSequence    -a-b-(z|)
    public func asSharedSequence<Strategy>(
        sharingStrategy: Strategy.Type = Strategy.self, onErrorJustReturn element: Element
    ) -> SharedSequence<Strategy, Element> {
        .init(sharing: asObservable().catchAndReturn(element))
    }

    /// The stream as a sequence that goes on with `sequence` after an error.
    public func asSharedSequence<Strategy>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorDriveWith sequence: SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        asSharedSequence(onErrorRecover: { _ in sequence })
    }

    /// The stream as a sequence that goes on with what `handler` makes of an error.
    public func asSharedSequence<Strategy>(
        sharingStrategy: Strategy.Type = Strategy.self,
        onErrorRecover handler: @escaping (any Error) -> SharedSequence<Strategy, Element>
    ) -> SharedSequence<Strategy, Element> {
        .init(sharing: asObservable().catch { handler($0).asObservable() })
    }

    /// The stream as a driver that emits `element` in place of an error.
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// The stream as a driver that goes on with `driver` after an error.
    public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: driver)
    }

    /// The stream as a driver that goes on with what `handler` makes of an error.
    public func asDriver(
        onErrorRecover handler: @escaping (any Error) -> Driver<Element>
    ) -> Driver<Element> {
        asSharedSequence(onErrorRecover: handler)
    }

    /// The stream as a signal that emits `element` in place of an error.
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// The stream as a signal that goes on with `signal` after an error.
    public func asSignal(onErrorSignalWith signal: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: signal)
    }

    /// The stream as a signal that goes on with what `handler` makes of an error.
    public func asSignal(
        onErrorRecover handler: @escaping (any Error) -> Signal<Element>
    ) -> Signal<Element> {
        asSharedSequence(onErrorRecover: handler)
    }
}

extension SharedSequenceConvertibleType {
    /// The sequence as a driver: it never fails already.
    public func asDriver() -> Driver<Element> { .init(sharing: asObservable()) }

    /// The sequence as a signal: it never fails already.
    public func asSignal() -> Signal<Element> { .init(sharing: asObservable()) }

    /// The sequence as an infallible: it never fails already.
    public func asInfallible() -> Infallible<Element> { .init(sharing: asObservable()) }
}

extension BehaviorRelay {
    /// The state as a driver.
    public func asDriver() -> Driver<Element> { .init(sharing: asObservable()) }
}

extension PublishRelay {
    /// The events as a signal.
    public func asSignal() -> Signal<Element> { .init(sharing: asObservable()) }
}

extension ReplayRelay {
    /// The events, those that are replayed first, as a driver.
    public func asDriver() -> Driver<Element> { .init(sharing: asObservable()) }
}
