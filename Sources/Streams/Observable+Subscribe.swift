// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Subscribes `handler` to every event.
    ///
    /// This is an edge of the stream, where the grammar is kept: after an end or `dispose()` nothing
    /// more is delivered, whatever the source does.
    @inlinable
    @discardableResult
    public func subscribe(_ handler: @escaping (Event<Element>) -> Void) -> any Disposable {
        subscribe(Sink(next: { handler(.next($0)) }, end: { handler($0.event()) }))
    }

    /// Subscribes one handler per kind of event. `onDisposed` runs once, last, however it ends.
    @inlinable
    @discardableResult
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        let end: (Termination) -> Void = { termination in
            switch termination {
            case .completed: onCompleted?()
            case .error(let error):
                if let onError {
                    onError(error)
                } else {
                    UnhandledError.report(error, place: "a stream subscribed without onError")
                }
            }
        }
        return subscribe(Sink(next: onNext ?? { _ in }, end: end), onDisposed: onDisposed)
    }

    /// Subscribes handlers that are given `object` as long as it lives; it is not kept alive.
    @inlinable
    @discardableResult
    public func subscribe<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribe(
            onNext: { [weak object] element in object.map { onNext?($0, element) } },
            onError: { [weak object] error in object.map { onError?($0, error) } },
            onCompleted: { [weak object] in object.map { onCompleted?($0) } },
            onDisposed: { [weak object] in object.map { onDisposed?($0) } })
    }

    /// Subscribes an observer.
    @inlinable
    @discardableResult
    public func subscribe<Observer: ObserverType>(
        _ observer: Observer
    ) -> any Disposable where Observer.Element == Element {
        subscribe { observer.on($0) }
    }

    /// The edge itself: keeps the grammar and ends the subscription when the stream does.
    @inlinable
    func subscribe(_ sink: Sink<Element>, onDisposed: (() -> Void)? = nil) -> any Disposable {
        let subscription = Subscription()
        let next = sink.next
        let end = sink.end
        asObservable().attach(
            Sink(
                next: { element in
                    if !subscription.isDisposed { next(element) }
                },
                end: { termination in
                    guard !subscription.isDisposed else { return }
                    end(termination)
                    subscription.dispose()
                }),
            subscription)
        // Added last, so that it runs after everything upstream was given up.
        if let onDisposed { subscription.onDispose(onDisposed) }
        return subscription
    }
}
