// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// A stream whose every subscription runs `subscribe`; its observer keeps the grammar.
    ///
    ///     create    (a|)      the observer is told a and the completion
    @inlinable
    public static func create(
        _ subscribe: @escaping (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let observer = AnyObserver<Element> { event in
                guard !subscription.isDisposed else { return }
                sink.send(event)
            }
            subscription.add(subscribe(observer))
        }
    }

    /// Emits one value and completes.
    ///
    ///     just(a)   (a|)
    @inlinable
    public static func just(_ element: Element) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            sink.next(element)
            if !subscription.isDisposed { sink.end(.completed) }
        }
    }

    /// Emits the given values and completes.
    ///
    ///     of(1, 2, 3)    (123|)
    @inlinable
    public static func of(_ elements: Element...) -> Observable<Element> {
        from(elements)
    }

    /// Emits the values of a sequence and completes.
    ///
    ///     from(1...3)    (123|)
    @inlinable
    public static func from(_ elements: some Sequence<Element>) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            for element in elements {
                guard !subscription.isDisposed else { return }
                sink.next(element)
            }
            if !subscription.isDisposed { sink.end(.completed) }
        }
    }

    /// Emits the value if there is one, and completes.
    ///
    ///     from(optional: a)      (a|)
    ///     from(optional: nil)    |
    @inlinable
    public static func from(optional: Element?) -> Observable<Element> {
        optional.map(just) ?? empty()
    }

    /// Completes at once.
    ///
    ///     empty()    |
    @inlinable
    public static func empty() -> Observable<Element> {
        AnonymousObservable { sink, _ in sink.end(.completed) }
    }

    /// Says nothing, for ever.
    ///
    ///     never()    ---
    @inlinable
    public static func never() -> Observable<Element> {
        AnonymousObservable { _, _ in }
    }

    /// Fails at once.
    ///
    ///     error(e)    #
    @inlinable
    public static func error(_ error: any Error) -> Observable<Element> {
        AnonymousObservable { sink, _ in sink.end(.error(error)) }
    }

    /// Makes the stream anew for each subscription.
    ///
    ///     source                 -a-|      cold
    ///     deferred { source }    -a-|
    @inlinable
    public static func deferred(
        _ make: @escaping () throws -> Observable<Element>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            do {
                try make().attach(sink, subscription)
            } catch {
                sink.end(.error(error))
            }
        }
    }
}
