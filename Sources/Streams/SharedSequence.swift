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
    private let source: Observable<Element>

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

extension SharedSequence {
    /// Emits `element` and completes.
    public static func just(_ element: Element) -> SharedSequence { .init(sharing: .just(element)) }

    /// Completes at once.
    public static func empty() -> SharedSequence { .init(sharing: .empty()) }

    /// Says nothing.
    public static func never() -> SharedSequence { .init(sharing: .never()) }

    /// Emits what all of `sources` emit.
    public static func merge(_ sources: SharedSequence...) -> SharedSequence {
        .init(sharing: .merge(sources.map { $0.asObservable() }))
    }

    /// Emits each value transformed.
    public func map<Result>(
        _ transform: @escaping (Element) -> Result
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.map(transform))
    }

    /// Emits each value transformed, without those for which the transform gives nil.
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.compactMap(transform))
    }

    /// Emits the values for which `predicate` holds.
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence {
        .init(sharing: source.filter(predicate))
    }

    /// Emits what has been accumulated after each value.
    public func scan<Result>(
        _ seed: Result, accumulator: @escaping (Result, Element) -> Result
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.scan(seed, accumulator: accumulator))
    }

    /// Makes a shared stream of each value and emits what all of them emit.
    public func flatMap<Result>(
        _ selector: @escaping (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.flatMap(selector))
    }

    /// Makes a shared stream of each value and emits what the newest of them emits.
    public func flatMapLatest<Result>(
        _ selector: @escaping (Element) -> SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.flatMapLatest(selector))
    }

    /// Emits `element` first.
    public func startWith(_ element: Element) -> SharedSequence {
        .init(sharing: source.startWith(element))
    }

    /// Emits the newest value of `second` whenever this stream emits.
    public func withLatestFrom<Result>(
        _ second: SharedSequence<Strategy, Result>
    ) -> SharedSequence<Strategy, Result> {
        .init(sharing: source.withLatestFrom(second))
    }

    /// Runs the given functions beside the stream.
    public func `do`(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> SharedSequence {
        .init(sharing: source.do(onNext: onNext, onCompleted: onCompleted, onDispose: onDispose))
    }

    /// Emits a value only when it differs from the one before.
    public func distinctUntilChanged() -> SharedSequence where Element: Equatable {
        .init(sharing: source.distinctUntilChanged())
    }
}

extension ObservableConvertibleType {
    /// The stream as a driver that emits `element` in place of an error.
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        Driver(sharing: asObservable().catchAndReturn(element))
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
}

extension BehaviorRelay {
    /// The state as a driver.
    public func asDriver() -> Driver<Element> { Driver(sharing: asObservable()) }
}

extension PublishRelay {
    /// The events as a signal.
    public func asSignal() -> Signal<Element> { Signal(sharing: asObservable()) }
}

extension SharedSequence where Strategy == DriverSharingStrategy {
    /// Subscribes a function to each value.
    @discardableResult
    public func drive(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Feeds each observer.
    @discardableResult
    public func drive<Observer: ObserverType>(
        _ observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        source.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds a state.
    @discardableResult
    public func drive(_ relay: BehaviorRelay<Element>) -> any Disposable {
        source.subscribe(onNext: relay.accept)
    }
}

extension SharedSequence where Strategy == SignalSharingStrategy {
    /// Subscribes a function to each value.
    @discardableResult
    public func emit(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Feeds each observer.
    @discardableResult
    public func emit<Observer: ObserverType>(
        to observers: Observer...
    ) -> any Disposable where Observer.Element == Element {
        source.subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Feeds a relay.
    @discardableResult
    public func emit(to relay: PublishRelay<Element>) -> any Disposable {
        source.subscribe(onNext: relay.accept)
    }
}
