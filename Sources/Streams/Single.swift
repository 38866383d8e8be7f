// SPDX-License-Identifier: Apache-2.0

/// The promise of `Single`.
public enum SingleTrait: ValueTrait {}

/// A stream of exactly one value, or an error: the answer to a question.
///
///     Single, success      --(a|)
///     Single, failure      --#
public typealias Single<Element> = PrimitiveSequence<SingleTrait, Element>

/// What a `Single` says.
public typealias SingleEvent<Element> = Result<Element, any Error>

extension PrimitiveSequenceType where Trait == SingleTrait {
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

    /// Subscribes functions that are given `object` as long as it lives; it is not kept alive.
    @discardableResult
    public func subscribe<Object: AnyObject>(
        with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil, onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(
            with: object, onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
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

    /// The promise relaxed: at most one value.
    public func asMaybe() -> Maybe<Element> { Maybe(keeping: source) }

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

extension ObservableType {
    /// The stream as a single: it fails when the stream has no value, or more than one.
    ///
    ///     source        -a-|
    ///     asSingle()    ---(a|)
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
