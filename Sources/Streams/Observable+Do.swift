// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Runs the given functions beside the stream, each before the event is passed on (`after…`: after).
    ///
    ///     source    -a-b-|
    ///     do        -a-b-|
    @inlinable
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        afterError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            onSubscribe?()
            source.attach(
                Sink(
                    next: { element in
                        do { try onNext?(element) } catch { return sink.end(.error(error)) }
                        sink.next(element)
                        guard let afterNext else { return }
                        do { try afterNext(element) } catch {
                            if !subscription.isDisposed { sink.end(.error(error)) }
                        }
                    },
                    end: { termination in
                        do {
                            switch termination {
                            case .completed: try onCompleted?()
                            case .error(let error): try onError?(error)
                            }
                        } catch { return sink.end(.error(error)) }
                        sink.end(termination)
                        // The end is out; what these throw has nowhere to go.
                        switch termination {
                        case .completed: try? afterCompleted?()
                        case .error(let error): try? afterError?(error)
                        }
                    }),
                subscription)
            onSubscribed?()
            if let onDispose { subscription.onDispose(onDispose) }
        }
    }

    /// Emits each value together with `object`, as long as that lives; it is not kept alive.
    ///
    ///     source                    -a-b-|
    ///     withUnretained(object)    -x-y-|      x is (object, a), y is (object, b)
    @inlinable
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> Observable<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }

    /// Emits what `resultSelector` makes of `object` and each value, and completes when it is gone.
    ///
    ///     source                                     -a-b-|
    ///     withUnretained(object) { $0.name + $1 }    -x-y-|      x is object a, y is object b
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Observable<Result> {
        let source = asObservable()
        return AnonymousObservable { [weak object] sink, subscription in
            source.attach(
                Sink(
                    next: { [weak object] element in
                        if let object {
                            sink.next(resultSelector(object, element))
                        } else {
                            sink.end(.completed)
                        }
                    },
                    end: sink.end),
                subscription)
        }
    }
}
