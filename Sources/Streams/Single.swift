// SPDX-License-Identifier: Apache-2.0

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

    /// Answers `element` in place of an error.
    public func catchAndReturn(_ element: Element) -> Single<Element> {
        Single(keeping: source.catchAndReturn(element))
    }

    /// Runs the given functions beside the answer.
    public func `do`(
        onSuccess: ((Element) throws -> Void)? = nil,
        afterSuccess: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil, onSubscribe: (() -> Void)? = nil,
        onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Single<Element> {
        Single(
            keeping: source.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError,
                afterError: afterError, onSubscribe: onSubscribe, onSubscribed: onSubscribed,
                onDispose: onDispose))
    }

    /// The answer, if `predicate` holds for it.
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Maybe<Element> {
        Maybe(keeping: source.filter(predicate))
    }

    /// The answer transformed, if the transform gives one.
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.compactMap(transform))
    }

    /// What the answer makes, which may have no value.
    public func flatMapMaybe<Result>(
        _ selector: @escaping (Element) throws -> Maybe<Result>
    ) -> Maybe<Result> {
        Maybe<Result>(keeping: source.flatMap(selector))
    }

    /// What the answer makes, of which only the end is seen.
    public func flatMapCompletable(
        _ selector: @escaping (Element) throws -> Completable
    ) -> Completable {
        Completable(keeping: source.flatMap(selector))
    }

    /// The promise relaxed: at most one value.
    public func asMaybe() -> Maybe<Element> { Maybe(keeping: source) }

    /// Only whether it succeeds.
    public func asCompletable() -> Completable { Completable(keeping: source.ignoreElements()) }

    /// What `resultSelector` makes of all answers; the first error is the answer then.
    public static func zip<each Part>(
        _ source: repeat Single<each Part>,
        resultSelector: @escaping (repeat each Part) throws -> Element
    ) -> Single<Element> {
        Single(
            keeping: .zip(
                repeat (each source).asObservable(), resultSelector: resultSelector))
    }

    /// What `resultSelector` makes of the answers of all `sources`.
    public static func zip<Part>(
        _ sources: some Collection<Single<Part>>,
        resultSelector: @escaping ([Part]) throws -> Element
    ) -> Single<Element> {
        guard !sources.isEmpty else { return deferred { .just(try resultSelector([])) } }
        return Single(keeping: .zip(sources, resultSelector: resultSelector))
    }

    /// The answers of all `sources`.
    public static func zip(_ sources: some Collection<Single<Element>>) -> Single<[Element]> {
        Single<[Element]>.zip(sources) { $0 }
    }
}

extension PrimitiveSequence where Trait == SingleTrait, Element == Any {
    /// All answers as a tuple.
    public static func zip<each Part>(
        _ source: repeat Single<each Part>
    ) -> Single<(repeat each Part)> {
        Single<(repeat each Part)>.zip(repeat each source) {
            (part: repeat each Part) in (repeat each part)
        }
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
                            guard case .completed = termination else {
                                return sink.end(termination)
                            }
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
