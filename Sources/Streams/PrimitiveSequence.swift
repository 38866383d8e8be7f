// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// Whatever can be seen as a `PrimitiveSequence`.
///
/// The operators are here, so that one extension serves what several promises have in common. Each means
/// what it means on `Observable`.
public protocol PrimitiveSequenceType<Trait, Element>: ObservableConvertibleType {
    /// The promise.
    associatedtype Trait

    /// The sequence itself.
    var primitiveSequence: PrimitiveSequence<Trait, Element> { get }
}

extension PrimitiveSequenceType {
    /// The stream below.
    var source: Observable<Element> { primitiveSequence.stream }
}

/// A stream that promises how much it says: exactly one value, at most one, or none.
///
/// `Trait` is the promise; see `Single`, `Maybe` and `Completable`.
public struct PrimitiveSequence<Trait, Element>: PrimitiveSequenceType {
    @usableFromInline let stream: Observable<Element>

    /// Wraps a stream that is known to keep the promise.
    @inlinable
    init(keeping stream: Observable<Element>) {
        self.stream = stream
    }

    @inlinable
    public func asObservable() -> Observable<Element> { stream }

    public var primitiveSequence: PrimitiveSequence<Trait, Element> { self }
}

extension PrimitiveSequenceType {
    /// The same answer `dueTime` later; an error comes at once.
    public func delay(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.delay(dueTime, scheduler: scheduler))
    }

    /// Fails when no answer comes within `dueTime`.
    public func timeout(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Asks `dueTime` later.
    public func delaySubscription(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Asks `other` when no answer comes within `dueTime`.
    public func timeout(
        _ dueTime: Duration, other: PrimitiveSequence<Trait, Element>,
        scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.timeout(dueTime, other: other, scheduler: scheduler))
    }

    /// Says everything as queued work of `scheduler`.
    public func observe(on scheduler: any Scheduler) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.observe(on: scheduler))
    }

    /// Subscribes, and gives up, as queued work of `scheduler`.
    public func subscribe(on scheduler: any Scheduler) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.subscribe(on: scheduler))
    }

    /// Asks `handler` in place of an error.
    public func `catch`(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.catch { try handler($0).asObservable() })
    }

    /// Asks again whenever it fails.
    public func retry() -> PrimitiveSequence<Trait, Element> { .init(keeping: source.retry()) }

    /// Asks at most `maxAttemptCount` times.
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.retry(maxAttemptCount))
    }

    /// Asks again whenever the stream that `notificationHandler` makes of the errors emits.
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> Trigger
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.retry(when: notificationHandler))
    }

    /// As above, for errors of one type; an error of another type is passed on.
    public func retry<Failure: Error, Trigger: ObservableType>(
        when notificationHandler: @escaping (Observable<Failure>) -> Trigger
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: source.retry(when: notificationHandler))
    }

    /// Becomes whichever of `sources` says something first.
    public static func amb(_ sources: some Sequence<PrimitiveSequence<Trait, Element>>)
        -> PrimitiveSequence<Trait, Element>
    {
        .init(keeping: .amb(sources.map(\.stream)))
    }

    /// Makes a resource for each subscription and gives it up when that ends.
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        primitiveSequenceFactory: @escaping (Resource) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        .init(
            keeping: .using(resourceFactory) { try primitiveSequenceFactory($0).asObservable() })
    }

    /// Makes the sequence anew for each subscription.
    public static func deferred(
        _ make: @escaping () throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: .deferred { try make().asObservable() })
    }

    /// A sequence that fails.
    public static func error(_ error: any Error) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: .error(error))
    }

    /// A sequence that says nothing, for ever.
    public static func never() -> PrimitiveSequence<Trait, Element> { .init(keeping: .never()) }

    /// Writes a line for the subscription, each event and the disposal to `output`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID,
        line: UInt = #line, output: @escaping (String) -> Void = { print($0) }
    ) -> PrimitiveSequence<Trait, Element> {
        .init(
            keeping: source.debug(
                identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }
}

extension PrimitiveSequenceType where Element: FixedWidthInteger {
    /// 0 after `dueTime`.
    public static func timer(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        .init(keeping: .timer(dueTime, scheduler: scheduler))
    }
}
