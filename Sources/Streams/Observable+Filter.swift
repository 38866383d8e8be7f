// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Emits the values for which `predicate` holds.
    ///
    ///     source         -1-2-3-4-|
    ///     filter even    ---2---4-|
    @inlinable
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            source.attach(
                Sink(
                    next: { element in
                        let passes: Bool
                        do { passes = try predicate(element) } catch { return end(.error(error)) }
                        if passes { next(element) }
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits a value only when it differs from the one before, as `comparer` sees it.
    ///
    ///     source                              -1-3-2-4-|
    ///     distinctUntilChanged(sameParity)    -1---2---|
    @inlinable
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: comparer)
    }

    /// Emits a value only when its key differs from the key of the one before.
    ///
    ///     source                              -1-3-2-4-|
    ///     distinctUntilChanged { $0 % 2 }     -1---2---|
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) throws -> Key
    ) -> Observable<Element> {
        distinctUntilChanged(keySelector, comparer: { $0 == $1 })
    }

    /// Emits a value only when its key differs from the key of the one before, as `comparer` sees it.
    ///
    ///     source                                        -1-3-2-4-|
    ///     distinctUntilChanged({ $0 % 2 }, comparer)    -1---2---|
    @inlinable
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key,
        comparer: @escaping (Key, Key) throws -> Bool
    ) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            let end = sink.end
            var last: Key?
            source.attach(
                Sink(
                    next: { element in
                        do {
                            let key = try keySelector(element)
                            if let last, try comparer(last, key) { return }
                            last = key
                        } catch { return end(.error(error)) }
                        next(element)
                    },
                    end: end),
                subscription)
        }
    }

    /// Emits the first `count` values and completes; the source is given up at once.
    ///
    ///     source     -1-2-3-4-|
    ///     take(2)    -1-(2|)
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "take(\(count)) takes fewer than no values")
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            guard count > 0 else { return sink.end(.completed) }
            let upstream = subscription.makeChild()
            let next = sink.next
            let end = sink.end
            var left = count
            source.attach(
                Sink(
                    next: { element in
                        guard left > 0 else { return }
                        left -= 1
                        let isLast = left == 0
                        next(element)
                        guard isLast, !upstream.isDisposed else { return }
                        upstream.dispose()
                        end(.completed)
                    },
                    end: { termination in
                        if left > 0 { end(termination) }
                    }),
                upstream)
        }
    }

    /// Emits what follows the first `count` values.
    ///
    ///     source     -1-2-3-4-|
    ///     skip(2)    -----3-4-|
    @inlinable
    public func skip(_ count: Int) -> Observable<Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let next = sink.next
            var left = count
            source.attach(
                Sink(
                    next: { element in
                        if left > 0 { left -= 1 } else { next(element) }
                    },
                    end: sink.end),
                subscription)
        }
    }
}

extension ObservableType {
    /// Emits a value only when what it has at `keyPath` differs from that of the one before.
    ///
    ///     source                              -a-a-b-|
    ///     distinctUntilChanged(at: \.self)    -a---b-|
    @inlinable
    public func distinctUntilChanged<Key: Equatable>(
        at keyPath: KeyPath<Element, Key>
    ) -> Observable<Element> {
        distinctUntilChanged({ $0[keyPath: keyPath] })
    }
}

extension ObservableType where Element: Equatable {
    /// Emits a value only when it differs from the one before.
    ///
    ///     source                  -1-1-2-2-1-|
    ///     distinctUntilChanged    -1---2---1-|
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged({ $0 }, comparer: { $0 == $1 })
    }
}
