// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
    /// Makes a stream of each value and emits what all of them emit.
    ///
    ///     source       -1-----2---|
    ///     1 makes        a--b|
    ///     2 makes             c--d|
    ///     flatMap      -a--b--c--(d|)
    @inlinable
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let merge = Merging(sink: sink, maxConcurrent: .max)
            source.attach(
                Sink(
                    next: { element in
                        do {
                            merge.join(try selector(element).asObservable(), subscription)
                        } catch { merge.finish(.error(error)) }
                    },
                    end: { merge.outerEnded($0) }),
                subscription)
        }
    }

    /// Makes a stream of each value and emits what the newest of them emits; the one before is given up
    /// at the instant it is overtaken.
    ///
    ///     source          -1-----2-----|
    ///     1 makes           a--b--c--d|
    ///     2 makes                 e--f|
    ///     flatMapLatest   -a--b--e--f--|
    @inlinable
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let latest = Switching(sink: sink)
            source.attach(
                Sink(
                    next: { element in
                        do {
                            latest.switchTo(try selector(element).asObservable(), subscription)
                        } catch { latest.finish(.error(error)) }
                    },
                    end: { latest.outerEnded($0) }),
                subscription)
        }
    }

    /// Makes a stream of each value and emits what they emit, one after the other.
    @inlinable
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let merge = Merging(sink: sink, maxConcurrent: 1)
            source.attach(
                Sink(
                    next: { element in
                        do {
                            merge.join(try selector(element).asObservable(), subscription)
                        } catch { merge.finish(.error(error)) }
                    },
                    end: { merge.outerEnded($0) }),
                subscription)
        }
    }

    /// Emits what both streams emit, as it comes.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> {
        merge(sources)
    }

    /// Emits what all the streams emit, as it comes; completes when all have.
    ///
    ///     a        -1---3-|
    ///     b        ---2-----4|
    ///     merge    -1-2-3---(4|)
    @inlinable
    public static func merge(
        _ sources: some Collection<Observable<Element>>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let merge = Merging(sink: sink, maxConcurrent: .max)
            for source in sources {
                guard !subscription.isDisposed else { return }
                merge.join(source, subscription)
            }
            merge.outerEnded(.completed)
        }
    }

    /// Emits what the streams emit, each after the one before has completed.
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        concat(sources)
    }

    /// Emits what the streams emit, each after the one before has completed.
    ///
    ///     a         -1-|
    ///     b         -2-|
    ///     concat    -1--2-|
    @inlinable
    public static func concat(
        _ sources: some Collection<Observable<Element>>
    ) -> Observable<Element> {
        AnonymousObservable { sink, subscription in
            let merge = Merging(sink: sink, maxConcurrent: 1)
            for source in sources {
                guard !subscription.isDisposed else { return }
                merge.join(source, subscription)
            }
            merge.outerEnded(.completed)
        }
    }

    /// Emits what `second` emits after this stream has completed.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(
        _ second: Source
    ) -> Observable<Element> where Source.Element == Element {
        Observable.concat(asObservable(), second.asObservable())
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits what all the inner streams emit, as it comes.
    @inlinable
    public func merge() -> Observable<Element.Element> {
        flatMap { $0 }
    }

    /// Emits what the newest inner stream emits.
    @inlinable
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0 }
    }
}

/// The state of a merge: how many inner streams run, which wait, whether the outer one is done.
///
/// The number of inner streams that wait is bounded by what the outer stream has emitted.
@usableFromInline
final class Merging<Element> {
    @usableFromInline let sink: Sink<Element>
    private let maxConcurrent: Int
    private var running = 0
    private var waiting: [Observable<Element>] = []
    private var firstWaiting = 0
    private var outerIsDone = false
    private var isFinished = false

    @usableFromInline
    init(sink: Sink<Element>, maxConcurrent: Int) {
        self.sink = sink
        self.maxConcurrent = maxConcurrent
    }

    @usableFromInline
    func join(_ source: Observable<Element>, _ subscription: Subscription) {
        guard !isFinished else { return }
        guard running < maxConcurrent else { return waiting.append(source) }
        running += 1
        let inner = subscription.makeChild()
        source.attach(
            Sink(
                next: sink.next,
                end: { termination in
                    guard !inner.isDisposed else { return }
                    inner.dispose()
                    self.innerEnded(termination, subscription)
                }),
            inner)
    }

    @usableFromInline
    func outerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed:
            outerIsDone = true
            finishIfDone()
        }
    }

    @usableFromInline
    func finish(_ termination: Termination) {
        guard !isFinished else { return }
        isFinished = true
        waiting = []
        sink.end(termination)
    }

    private func innerEnded(_ termination: Termination, _ subscription: Subscription) {
        running -= 1
        switch termination {
        case .error: finish(termination)
        case .completed:
            if firstWaiting < waiting.count {
                let next = waiting[firstWaiting]
                firstWaiting += 1
                if firstWaiting == waiting.count {
                    waiting.removeAll(keepingCapacity: true)
                    firstWaiting = 0
                }
                join(next, subscription)
            } else {
                finishIfDone()
            }
        }
    }

    private func finishIfDone() {
        if outerIsDone, running == 0 { finish(.completed) }
    }
}

/// The state of a switch: the newest inner stream, and whether the outer one is done.
@usableFromInline
final class Switching<Element> {
    @usableFromInline let sink: Sink<Element>
    private var inner: Subscription?
    private var outerIsDone = false
    private var isFinished = false

    @usableFromInline
    init(sink: Sink<Element>) {
        self.sink = sink
    }

    @usableFromInline
    func switchTo(_ source: Observable<Element>, _ subscription: Subscription) {
        guard !isFinished else { return }
        inner?.dispose()
        let inner = subscription.makeChild()
        self.inner = inner
        let next = sink.next
        source.attach(
            Sink(
                next: { element in
                    if !inner.isDisposed { next(element) }
                },
                end: { termination in
                    guard !inner.isDisposed else { return }
                    inner.dispose()
                    if self.inner === inner { self.inner = nil }
                    self.innerEnded(termination)
                }),
            inner)
    }

    @usableFromInline
    func outerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed:
            outerIsDone = true
            if inner == nil { finish(.completed) }
        }
    }

    @usableFromInline
    func finish(_ termination: Termination) {
        guard !isFinished else { return }
        isFinished = true
        sink.end(termination)
    }

    private func innerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed: if outerIsDone, inner == nil { finish(.completed) }
        }
    }
}
