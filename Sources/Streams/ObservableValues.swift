// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// What an `ObservableValues` does with values that nobody has taken yet.
public enum ValueBuffering: Sendable, Equatable {
    /// Keeps the given number of newest ones, and drops the older.
    case newest(Int)
    /// Keeps the given number of oldest ones, and drops the newer.
    case oldest(Int)
}

/// A stream as an `AsyncSequence`, iterated by a task of the stream's timeline.
///
///     source    -a-b---c-|
///     values    -a-b---c-|      each taken in the item that sent it
///
/// Each iteration is a subscription: it begins when the loop does and ends with the stream, with the loop
/// or with the task. Values that come while the loop's body waits for something else are kept, as many as
/// `buffering` says; the default keeps the newest 10,000, and the first that is dropped is told to the
/// timeline as an unhandled `StreamError.valuesDropped`. Outside any timeline nobody would wake the loop: it
/// throws `OffTimelineError`, or, where it cannot fail, ends at once.
public struct ObservableValues<Element, Failure: Error>: AsyncSequence {
    private let source: Observable<Element>
    private let buffering: ValueBuffering

    init(_ source: Observable<Element>, _ buffering: ValueBuffering) {
        switch buffering {
        case .newest(let count), .oldest(let count):
            precondition(count > 0, "a buffer of \(count) values keeps none")
        }
        self.source = source
        self.buffering = buffering
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(source, buffering)
    }

    /// One iteration. It gives its subscription up when it goes away.
    public final class Iterator: AsyncIteratorProtocol {
        /// Nil outside any timeline.
        private let run: (queue: ValueQueue<Element>, executor: TimelineExecutor)?

        fileprivate init(_ source: Observable<Element>, _ buffering: ValueBuffering) {
            run = CurrentScheduler.scheduler.map { scheduler in
                let queue = ValueQueue<Element>(buffering, on: scheduler)
                queue.subscribe(to: source)
                return (queue, scheduler.executor)
            }
        }

        deinit {
            run?.queue.cancel()
        }

        public func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }

        public func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Failure) -> Element? {
            guard let (queue, executor) = run else { return try fail(with: OffTimelineError()) }
            while !Task.isCancelled {
                if let element = queue.take() { return element }
                switch queue.termination {
                case .completed: return nil
                case .error(let error): return try fail(with: error)
                case nil: await Self.wait(for: Confined(queue), executor, isolation: actor)
                }
            }
            queue.cancel()
            return nil
        }

        /// Throws `error` where the sequence can fail, else ends it.
        private func fail(with error: any Error) throws(Failure) -> Element? {
            if let failure = error as? Failure { throw failure }
            return nil
        }

        private static func wait(
            for queue: Confined<ValueQueue<Element>>, _ executor: TimelineExecutor,
            isolation actor: isolated (any Actor)?
        ) async {
            await withTaskCancellationHandler {
                await withUnsafeContinuation { queue.value.wait($0) }
            } onCancel: {
                executor.perform { queue.value.cancel() }
            }
        }
    }
}

// Safety: a description of what to subscribe to; it is iterated on the timeline's thread only, which
// `makeAsyncIterator` sees to.
extension ObservableValues: @unchecked Sendable where Element: Sendable {}

/// The values that one iteration has not taken yet, and the task that waits for more.
private final class ValueQueue<Element> {
    private(set) var termination: Termination?
    private var values = Queue<Element>()
    private var waiter: UnsafeContinuation<Void, Never>?
    private var isCancelled = false
    private var hasDropped = false
    private let subscription = Subscription()
    private let buffering: ValueBuffering
    private let scheduler: any Scheduler

    init(_ buffering: ValueBuffering, on scheduler: any Scheduler) {
        self.buffering = buffering
        self.scheduler = scheduler
    }

    func subscribe(to source: Observable<Element>) {
        // Weak: the source must not keep an iteration that nobody carries on.
        source.attach(
            Sink(
                next: { [weak self] in self?.add($0) },
                end: { [weak self] in self?.end($0) }),
            subscription)
    }

    func take() -> Element? { values.popFirst() }

    func wait(_ continuation: UnsafeContinuation<Void, Never>) {
        precondition(waiter == nil, "two tasks wait for one iterator; give each its own")
        // It may have been cancelled on the way here.
        guard !isCancelled else { return continuation.resume() }
        waiter = continuation
    }

    func cancel() {
        isCancelled = true
        subscription.dispose()
        wake()
    }

    private func add(_ element: Element) {
        guard !subscription.isDisposed else { return }
        switch buffering {
        case .newest(let count) where values.count >= count:
            _ = take()
            noteDrop()
        case .oldest(let count) where values.count >= count:
            return noteDrop()
        case .newest, .oldest:
            break
        }
        values.append(element)
        wake()
    }

    private func end(_ termination: Termination) {
        guard !subscription.isDisposed else { return }
        self.termination = termination
        subscription.dispose()
        wake()
    }

    private func wake() {
        waiter.take()?.resume()
    }

    private func noteDrop() {
        guard !hasDropped, buffering == .standard else { return }
        hasDropped = true
        scheduler.unhandledError(StreamError.valuesDropped, place: "an iteration over `values`")
    }
}

extension ValueBuffering {
    /// What `values` does when nothing is said: enough that only a loop that fell far behind meets it.
    static let standard = ValueBuffering.newest(10_000)
}
