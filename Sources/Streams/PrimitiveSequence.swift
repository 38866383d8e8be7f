// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// A stream that promises how much it says: exactly one value, at most one, or none.
///
/// `Trait` is the promise; see `Single`.
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

/// The promise of `Single`.
public enum SingleTrait {}

/// A stream of exactly one value, or an error: the answer to a question.
///
///     success    --(a|)
///     failure    --#
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// What a `Single` says.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequence where Trait == SingleTrait {
    /// A single whose every subscription runs `subscribe`; the first answer counts.
    public static func create(
        subscribe: @escaping (@escaping (SingleEvent<Element>) -> Void) -> any Disposable
    ) -> Single<Element> {
        Single(
            keeping: AnonymousObservable { sink, subscription in
                var isAnswered = false
                let resource = subscribe { event in
                    guard !isAnswered, !subscription.isDisposed else { return }
                    isAnswered = true
                    switch event {
                    case .success(let element):
                        sink.next(element)
                        if !subscription.isDisposed { sink.end(.completed) }
                    case .failure(let error): sink.end(.error(error))
                    }
                }
                subscription.add(resource)
            })
    }

    /// A single that answers `element`.
    public static func just(_ element: Element) -> Single<Element> {
        Single(keeping: .just(element))
    }

    /// A single that fails.
    public static func error(_ error: any Error) -> Single<Element> {
        Single(keeping: .error(error))
    }

    /// A single that never answers.
    public static func never() -> Single<Element> {
        Single(keeping: .never())
    }

    /// Makes the single anew for each subscription.
    public static func deferred(_ make: @escaping () throws -> Single<Element>) -> Single<Element> {
        Single(keeping: .deferred { try make().asObservable() })
    }

    /// Subscribes to the answer.
    @discardableResult
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil, onFailure: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }

    /// Subscribes to the answer.
    @discardableResult
    public func subscribe(_ handler: @escaping (SingleEvent<Element>) -> Void) -> any Disposable {
        subscribe(onSuccess: { handler(.success($0)) }, onFailure: { handler(.failure($0)) })
    }

    /// The answer transformed; an error thrown by `transform` is the answer then.
    public func map<Result>(
        _ transform: @escaping (Element) throws -> Result
    ) -> Single<Result> {
        Single<Result>(keeping: source.map(transform))
    }

    /// The answer to a second question that the first answer makes.
    public func flatMap<Result>(
        _ selector: @escaping (Element) throws -> Single<Result>
    ) -> Single<Result> {
        Single<Result>(keeping: source.flatMap(selector))
    }

    /// Asks `handler` in place of an error.
    public func `catch`(
        _ handler: @escaping (any Error) throws -> Single<Element>
    ) -> Single<Element> {
        Single(keeping: source.catch { try handler($0).asObservable() })
    }

    /// Answers `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(keeping: source.catchAndReturn(element))
    }

    /// Runs the given functions beside the answer.
    public func `do`(
        onSuccess: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Single<Element> {
        Single(keeping: source.do(onNext: onSuccess, onError: onError, onDispose: onDispose))
    }
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
}

extension ObservableType {
    /// The stream as a single: it fails when the stream has no value, or more than one.
    public func asSingle() -> Single<Element> {
        let source = asObservable()
        return Single(
            keeping: AnonymousObservable { sink, subscription in
                let upstream = subscription.makeChild()
                var answer: Element?
                source.attach(
                    Sink(
                        next: { element in
                            guard !upstream.isDisposed else { return }
                            guard answer == nil else {
                                upstream.dispose()
                                return sink.end(.error(StreamError.moreThanOneElement))
                            }
                            answer = element
                        },
                        end: { termination in
                            guard !upstream.isDisposed else { return }
                            upstream.dispose()
                            guard case .completed = termination else { return sink.end(termination) }
                            guard let answer else {
                                return sink.end(.error(StreamError.noElements))
                            }
                            sink.next(answer)
                            if !subscription.isDisposed { sink.end(.completed) }
                        }),
                    upstream)
            })
    }
}

/// What a stream can say too much or too little of.
public enum StreamError: Error, Equatable, CustomStringConvertible {
    /// A value was promised and none came.
    case noElements
    /// One value was promised and more came.
    case moreThanOneElement

    public var description: String {
        switch self {
        case .noElements: "the stream completed without a value"
        case .moreThanOneElement: "the stream emitted more than one value"
        }
    }
}
