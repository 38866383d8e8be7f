// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams

extension ObservableConvertibleType {
    /// This stream, to be read in real time by a thread that waits for it.
    ///
    /// For the few tests that look at the real world; a `TestScheduler` does all else, in no time.
    ///
    /// - Parameter timeout: how long a read waits, from its subscription; never for ever.
    public func toBlocking(timeout: Duration = .seconds(10)) -> BlockingObservable<Element> {
        precondition(timeout >= .zero, "a read cannot wait \(timeout); give zero or more")
        return BlockingObservable(source: asObservable(), timeout: timeout)
    }
}

/// A stream that is read by waiting for it.
///
/// | read | nothing, then the end | values, then the end | values, then an error | time is up |
/// |---|---|---|---|---|
/// | `toArray` | `[]` | all of them | throws | throws |
/// | `first` | nil | the first, at once | the first; what follows is never seen | throws before a value |
/// | `last` | nil | the last, at the end | throws | throws |
/// | `single` | throws `noElements` | the one; `moreThanOneElement` at the second | throws | throws |
/// | `single(where:)` | as `single`, of those that match | the same | throws | throws |
/// | `materialize` | `.completed([])` | `.completed` | `.failed`, values beside it | `.failed`, values beside it |
///
/// What is thrown is a `BlockingError`: it carries the values that came before. Each read subscribes
/// anew, on a timeline of its own that runs on the calling thread, and has given the stream up when it
/// returns. Time operators inside use that timeline; one that was given a virtual scheduler waits for a
/// clock that nobody moves, and time is up.
///
/// With a timeout of zero a source that speaks while it is being subscribed to is still heard out. A
/// read keeps at most a million values and then ends with `TooManyElements`, so that a source without an
/// end ends the test too. Only a source that loops for ever without saying anything cannot be stopped.
public struct BlockingObservable<Element> {
    /// How many values a read keeps.
    private static var mostValues: Int { 1_000_000 }

    let source: Observable<Element>
    let timeout: Duration

    // MARK: Reads

    /// All values, once the stream has completed.
    public func toArray() throws(BlockingError<Element>) -> [Element] {
        let read = read()
        if let error = read.error { throw BlockingError(error, after: read.values) }
        return read.values
    }

    /// The first value, as soon as it comes, or nil when the stream completes without one.
    public func first() throws(BlockingError<Element>) -> Element? {
        let read = read { _ in .stop }
        if let error = read.error { throw BlockingError(error, after: read.values) }
        return read.values.first
    }

    /// The last value, once the stream has completed, or nil when there was none.
    public func last() throws(BlockingError<Element>) -> Element? {
        try toArray().last
    }

    /// The one value of a stream that says exactly one.
    public func single() throws(BlockingError<Element>) -> Element {
        try single { _ in true }
    }

    /// The one value that `predicate` holds for. What it throws ends the read.
    public func single(
        where predicate: @escaping (Element) throws -> Bool
    ) throws(BlockingError<Element>) -> Element {
        var match: Element?
        let read = read { element in
            do {
                guard try predicate(element) else { return .goOn }
            } catch {
                return .fail(error)
            }
            guard match == nil else { return .fail(StreamError.moreThanOneElement) }
            match = element
            return .goOn
        }
        if let error = read.error { throw BlockingError(error, after: read.values) }
        guard let match else { throw BlockingError(StreamError.noElements, after: read.values) }
        return match
    }

    /// All values and how the stream ended; throws nothing.
    public func materialize() -> MaterializedSequenceResult<Element> {
        let read = read()
        if let error = read.error { return .failed(elements: read.values, error: error) }
        return .completed(elements: read.values)
    }

    // MARK: Reading

    /// What to do after a value.
    private enum Verdict {
        /// Wait for the next.
        case goOn
        /// The read has what it wants.
        case stop
        /// The read failed.
        case fail(any Error)
    }

    /// Subscribes, runs the timeline until the stream ends, `judge` has seen enough or time is up, and
    /// gives everything up.
    private func read(
        _ judge: @escaping (Element) -> Verdict = { _ in .goOn }
    ) -> (values: [Element], error: (any Error)?) {
        let scheduler = BlockingScheduler()
        let subscription = Subscription()
        var values: [Element] = []
        var error: (any Error)?
        var isOver = false
        func end(_ reason: (any Error)?) {
            isOver = true
            error = reason
            subscription.dispose()
        }
        let sink = Sink<Element>(
            next: { element in
                guard !isOver else { return }
                guard values.count < Self.mostValues else {
                    return end(TooManyElements(limit: Self.mostValues))
                }
                values.append(element)
                switch judge(element) {
                case .goOn: break
                case .stop: end(nil)
                case .fail(let reason): end(reason)
                }
            },
            end: { termination in
                guard !isOver else { return }
                switch termination {
                case .completed: end(nil)
                case .error(let reason): end(reason)
                }
            })
        _ = scheduler.runArrival { source.attach(sink, subscription) }
        scheduler.run(until: { isOver }, timeout: timeout)
        if !isOver { CurrentScheduler.with(scheduler) { end(TimeoutError(dueTime: timeout)) } }
        scheduler.close()
        return (values, error)
    }
}
