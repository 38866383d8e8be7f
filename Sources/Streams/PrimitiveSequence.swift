// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// A stream that promises how much it says: exactly one value, at most one, or none.
///
/// `Trait` is the promise; see `Single`, `Maybe` and `Completable`. What these have in common is here and
/// means what it means on `Observable`.
public struct PrimitiveSequence<Trait, Element>: ObservableConvertibleType {
    @usableFromInline let source: Observable<Element>

    /// Wraps a stream that is known to keep the promise.
    @inlinable
    init(keeping source: Observable<Element>) {
        self.source = source
    }

    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension PrimitiveSequence {
    /// The same answer `dueTime` later; an error comes at once.
    public func delay(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(keeping: source.delay(dueTime, scheduler: scheduler))
    }

    /// Fails when no answer comes within `dueTime`.
    public func timeout(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence<Trait, Element> {
        PrimitiveSequence(keeping: source.timeout(dueTime, scheduler: scheduler))
    }

    /// Asks `dueTime` later.
    public func delaySubscription(
        _ dueTime: Duration, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.delaySubscription(dueTime, scheduler: scheduler))
    }

    /// Asks `other` when no answer comes within `dueTime`.
    public func timeout(
        _ dueTime: Duration, other: PrimitiveSequence, scheduler: (any Scheduler)? = nil
    ) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.timeout(dueTime, other: other, scheduler: scheduler))
    }

    /// Says everything as queued work of `scheduler`.
    public func observe(on scheduler: any Scheduler) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.observe(on: scheduler))
    }

    /// Subscribes, and gives up, as queued work of `scheduler`.
    public func subscribe(on scheduler: any Scheduler) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.subscribe(on: scheduler))
    }

    /// Asks `handler` in place of an error.
    public func `catch`(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence
    ) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.catch { try handler($0).asObservable() })
    }

    /// Asks again whenever it fails.
    public func retry() -> PrimitiveSequence { PrimitiveSequence(keeping: source.retry()) }

    /// Asks at most `maxAttemptCount` times.
    public func retry(_ maxAttemptCount: Int) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.retry(maxAttemptCount))
    }

    /// Asks again whenever the stream that `notificationHandler` makes of the errors emits.
    public func retry<Trigger: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> Trigger
    ) -> PrimitiveSequence {
        PrimitiveSequence(keeping: source.retry(when: notificationHandler))
    }

    /// Becomes whichever of `sources` says something first.
    public static func amb(_ sources: some Sequence<PrimitiveSequence>) -> PrimitiveSequence {
        PrimitiveSequence(keeping: .amb(sources))
    }

    /// Makes a resource for each subscription and gives it up when that ends.
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping () throws -> Resource,
        primitiveSequenceFactory: @escaping (Resource) throws -> PrimitiveSequence
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            keeping: .using(resourceFactory) { try primitiveSequenceFactory($0).asObservable() })
    }

    /// Makes the sequence anew for each subscription.
    public static func deferred(
        _ make: @escaping () throws -> PrimitiveSequence
    ) -> PrimitiveSequence {
        PrimitiveSequence(keeping: .deferred { try make().asObservable() })
    }

    /// A sequence that fails.
    public static func error(_ error: any Error) -> PrimitiveSequence {
        PrimitiveSequence(keeping: .error(error))
    }

    /// A sequence that says nothing, for ever.
    public static func never() -> PrimitiveSequence { PrimitiveSequence(keeping: .never()) }

    /// Writes a line for the subscription, each event and the disposal to `output`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #fileID,
        line: UInt = #line, output: @escaping (String) -> Void = { print($0) }
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            keeping: source.debug(
                identifier, trimOutput: trimOutput, file: file, line: line, output: output))
    }
}
