// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// The state of a merge: how many inner streams run, which wait, whether the outer one is done.
///
/// The number of inner streams that wait is bounded by what the outer stream has emitted.
@usableFromInline
final class Merging<Element> {
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let subscription: Subscription
    @usableFromInline let maxConcurrent: Int
    @usableFromInline var running = 0
    @usableFromInline var waiting = WaitingValues<Observable<Element>>()
    @usableFromInline var isStarting = false
    @usableFromInline var outerIsDone = false
    @usableFromInline var isFinished = false

    @inlinable
    init(sink: Sink<Element>, subscription: Subscription, maxConcurrent: Int = .max) {
        precondition(maxConcurrent > 0, "a merge of \(maxConcurrent) streams at once runs none")
        self.sink = sink
        self.subscription = subscription
        self.maxConcurrent = maxConcurrent
    }

    @inlinable
    func join(_ source: Observable<Element>) {
        guard !isFinished else { return }
        guard maxConcurrent < .max else { return start(source) }
        waiting.append(source)
        startWaiting()
    }

    @inlinable
    func outerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed:
            outerIsDone = true
            finishIfDone()
        }
    }

    @inlinable
    func finish(_ termination: Termination) {
        guard !isFinished else { return }
        isFinished = true
        waiting = WaitingValues()
        sink.end(termination)
    }

    @inlinable
    func start(_ source: Observable<Element>) {
        guard !subscription.isDisposed else { return }
        running += 1
        let inner = subscription.makeChild()
        source.attach(
            Sink(
                next: sink.next,
                end: { termination in
                    guard !inner.isDisposed else { return }
                    inner.dispose()
                    self.innerEnded(termination)
                }),
            inner)
    }

    @inlinable
    func innerEnded(_ termination: Termination) {
        running -= 1
        switch termination {
        case .error: finish(termination)
        case .completed:
            startWaiting()
            finishIfDone()
        }
    }

    /// A loop, not a recursion: a thousand streams that end where they start need one stack frame.
    @inlinable
    func startWaiting() {
        guard !isStarting else { return }
        isStarting = true
        while running < maxConcurrent, !waiting.isEmpty, !isFinished {
            start(waiting.removeFirst())
            if subscription.isDisposed { waiting = WaitingValues() }
        }
        isStarting = false
    }

    @inlinable
    func finishIfDone() {
        if outerIsDone, running == 0, waiting.isEmpty { finish(.completed) }
    }
}

/// The state of a switch: the newest inner stream, and whether the outer one is done.
@usableFromInline
final class Switching<Element> {
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let subscription: Subscription
    @usableFromInline var inner: Subscription?
    @usableFromInline var outerIsDone = false
    @usableFromInline var isFinished = false

    @inlinable
    init(sink: Sink<Element>, subscription: Subscription) {
        self.sink = sink
        self.subscription = subscription
    }

    /// Whether an inner stream runs.
    @inlinable var isBusy: Bool { inner != nil }

    @inlinable
    func switchTo(_ source: Observable<Element>) {
        guard !isFinished, !subscription.isDisposed else { return }
        self.inner?.dispose()
        let inner = subscription.makeChild()
        self.inner = inner
        source.attach(
            Sink(
                next: sink.next,
                end: { termination in
                    guard !inner.isDisposed else { return }
                    inner.dispose()
                    self.inner = nil
                    self.innerEnded(termination)
                }),
            inner)
    }

    @inlinable
    func outerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed:
            outerIsDone = true
            if inner == nil { finish(.completed) }
        }
    }

    @inlinable
    func finish(_ termination: Termination) {
        guard !isFinished else { return }
        isFinished = true
        sink.end(termination)
    }

    @inlinable
    func innerEnded(_ termination: Termination) {
        switch termination {
        case .error: finish(termination)
        case .completed: if outerIsDone { finish(.completed) }
        }
    }
}

/// Runs streams one after the other: what `concat`, `retry` and `catch(sequence:)` have in common.
///
/// A loop, not a recursion: a stream that fails where it starts is retried in one stack frame. After
/// `burst` streams in one go the rest becomes queued work on the timeline, whose limit on microsteps
/// names a succession without end.
@usableFromInline
final class Succession<Element> {
    /// What follows a stream that has ended.
    @usableFromInline
    enum Step {
        /// Another stream.
        case next(Observable<Element>)
        /// The end.
        case end(Termination)
        /// Nothing until `goOn(after:)` is called again.
        case wait
    }

    private let sink: Sink<Element>
    private let subscription: Subscription
    private let burst: Int
    private let following: (Termination) -> Step
    private var isStarting = false
    private var ended: Termination?

    @usableFromInline
    init(
        sink: Sink<Element>, subscription: Subscription, burst: Int = .max,
        following: @escaping (Termination) -> Step
    ) {
        self.sink = sink
        self.subscription = subscription
        self.burst = burst
        self.following = following
    }

    /// Goes on after a stream that ended so; the first is what follows a completion.
    @usableFromInline
    func goOn(after termination: Termination) {
        ended = termination
        guard !isStarting else { return }
        isStarting = true
        var started = 0
        while let last = ended.take(), !subscription.isDisposed {
            if started == burst, let scheduler = CurrentScheduler.scheduler {
                scheduler.schedule(
                    at: scheduler.now, phase: .queued, label: "streams retried without end"
                ) { self.goOn(after: last) }
                break
            }
            started += 1
            switch following(last) {
            case .next(let source): start(source)
            case .end(let termination): sink.end(termination)
            case .wait: break
            }
        }
        isStarting = false
    }

    private func start(_ source: Observable<Element>) {
        let part = subscription.makeChild()
        source.attach(
            Sink(
                next: sink.next,
                end: { termination in
                    guard !part.isDisposed else { return }
                    part.dispose()
                    self.goOn(after: termination)
                }),
            part)
    }
}
