// SPDX-License-Identifier: Apache-2.0

public import Scheduling
public import Streams
public import Testing

/// A virtual timeline for a test: time is whole ticks, and nothing happens until `start()`.
///
/// ```swift
/// let scheduler = TestScheduler()
/// let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .completed(300)])
/// let observer = scheduler.start { source.map { $0 * 2 } }
/// expectEvents(observer.events, [.next(210, 2), .next(220, 4), .completed(300)])
/// #expect(source.subscriptions == [TestSubscription(200, 300)])
/// ```
///
/// Making one makes it the timeline of the test's body: a time operator that is given no scheduler uses
/// it, also outside `start`. That lasts until it goes away, on the thread and in the task that made it,
/// so tests that run in parallel never meet.
///
/// Under the strict profile a subscription sees `[subscribe, dispose)`, for hot and cold streams alike.
/// Under `rxTest` the three steps of `start` are ordered by insertion among everything else, as suites
/// written for RxTest expect: the window of a hot stream is `(subscribe, dispose]`.
public final class TestScheduler: Scheduler {
    /// The ticks that `start` uses when none are given.
    public enum Defaults {
        /// When the stream is made.
        public static let created = 100
        /// When it is subscribed to.
        public static let subscribed = 200
        /// When it is given up.
        public static let disposed = 1000
    }

    /// The timeline itself, for its finer verbs.
    public let timeline: VirtualTimeScheduler
    /// Errors that a stream ended with and nobody took, in order.
    public private(set) var unhandledErrors: [any Error] = []
    /// What it handed out, for the strict end.
    var book = TestBook()

    /// A timeline that stands at `initialClock` with nothing on it.
    ///
    /// - Parameters:
    ///   - initialClock: the tick it stands at.
    ///   - tick: how long one tick is.
    ///   - profile: whose rules of order hold.
    public init(
        initialClock: Int = 0, tick: Duration = .milliseconds(1), profile: Profile = .strict
    ) {
        precondition(initialClock >= 0, "a test cannot start at tick \(initialClock)")
        EscapeWatch.start
        timeline = VirtualTimeScheduler(profile: profile, tick: tick)
        timeline.onUnhandledError = { [weak self] error, _ in self?.unhandledErrors.append(error) }
        do throws(SchedulingError) {
            try timeline.advance(to: timeline.instant(ofTick: initialClock))
        } catch {
            preconditionFailure("an empty timeline cannot stand at tick \(initialClock): \(error)")
        }
        CurrentScheduler.stand(timeline)
    }

    deinit {
        CurrentScheduler.retire(timeline)
        // What still waits may hold the timeline, which holds what waits.
        timeline.close()
    }

    /// The tick that is being run, or was run last.
    public var clock: Int { timeline.tickNow }

    /// How far a run may go before it fails.
    public var limits: SchedulingLimits {
        get { timeline.limits }
        set { timeline.limits = newValue }
    }

    // MARK: Making streams

    /// A stream that speaks at the given ticks, whoever listens.
    public func createHotObservable<Element>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> {
        let stream = TestableObservable(events, isHot: true, on: timeline)
        book.add(stream)
        return stream
    }

    /// A stream that speaks as a marble picture says, whoever listens: `"-1--2|"`.
    ///
    /// - Parameters:
    ///   - marbles: the picture, each name read as a value; see `Array.marbles`.
    ///   - zero: the tick at which it starts, or of its `^`. What lies before tick zero is never said.
    ///   - type: what the names are read as.
    public func createHotObservable<Element: LosslessStringConvertible>(
        _ marbles: String, from zero: Int = 0, of type: Element.Type = String.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> TestableObservable<Element> {
        let events: [Recorded<Event<Element>>] = .marbles(
            marbles, from: zero, tick: timeline.tick, sourceLocation: sourceLocation)
        return createHotObservable(events.filter { $0.time >= 0 })
    }

    /// A stream that speaks to each subscriber the given ticks after its subscription.
    public func createColdObservable<Element>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> {
        let stream = TestableObservable(events, isHot: false, on: timeline)
        book.add(stream)
        return stream
    }

    /// A stream that speaks to each subscriber as a marble picture says, counted from its subscription.
    public func createColdObservable<Element: LosslessStringConvertible>(
        _ marbles: String, of type: Element.Type = String.self,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> TestableObservable<Element> {
        createColdObservable(
            .marbles(marbles, tick: timeline.tick, sourceLocation: sourceLocation))
    }

    /// An observer that writes down what it is sent.
    ///
    /// - Parameter name: its name in pictures and at the end of the test.
    public func createObserver<Element>(
        _ type: Element.Type, named name: String? = nil
    ) -> TestableObserver<Element> {
        // The timeline alone is held: an observer that outlives its test leaves no test behind.
        let observer = TestableObserver<Element>(name ?? book.nextObserverName) { [timeline] in
            timeline.tickNow
        }
        book.add(observer)
        return observer
    }

    // MARK: Scheduling

    /// Runs `action` at `time`.
    ///
    /// - Parameter phase: its place among what happens at that tick; an input unless said otherwise.
    /// - Returns: a disposable that takes it back.
    @discardableResult
    public func scheduleAt(
        _ time: Int, phase: Phase = .arrival, _ action: @escaping () -> Void
    ) -> any Cancelable {
        disposable(
            timeline.schedule(
                at: timeline.instant(ofTick: time), phase: phase, label: "scheduleAt", action))
    }

    // MARK: Driving

    /// Makes, subscribes and gives up a stream at the given ticks, and runs until nothing waits.
    ///
    /// - Returns: an observer with what the subscription saw.
    public func start<Source: ObservableConvertibleType>(
        created: Int = Defaults.created, subscribed: Int = Defaults.subscribed,
        disposed: Int = Defaults.disposed, sourceLocation: SourceLocation = #_sourceLocation,
        _ create: @escaping () -> Source
    ) -> TestableObserver<Source.Element> {
        let observer = createObserver(Source.Element.self)
        var source: Observable<Source.Element>?
        var subscription: (any Disposable)?
        var isOver = false
        scheduleAt(created, phase: .windowOpens) { source = create().asObservable() }
        scheduleAt(subscribed, phase: .windowOpens) {
            guard !isOver else { return }
            subscription = (source ?? create().asObservable()).subscribe(observer)
        }
        scheduleAt(disposed, phase: .windowCloses) {
            isOver = true
            subscription?.dispose()
        }
        start(sourceLocation: sourceLocation)
        return observer
    }

    /// Runs until nothing waits; the clock rests on the last item. A limit that strikes fails the test.
    public func start(sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in try timeline.run() }
    }

    /// Runs everything due up to and including `time`; the clock ends there. A limit that strikes, or a
    /// time in the past, fails the test.
    public func advanceTo(_ time: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in
            try timeline.advance(to: timeline.instant(ofTick: time))
        }
    }

    /// Runs everything due within `ticks` from now; the clock ends there.
    public func advanceBy(_ ticks: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        advanceTo(clock + ticks, sourceLocation: sourceLocation)
    }

    /// Ends the run after the item that asks for it; the clock stays where it is.
    public func stop() { timeline.stop() }

    /// Lets the running action take `ticks`: what falls due meanwhile runs late.
    public func sleep(_ ticks: Int) {
        timeline.busy(for: .nanoseconds(timeline.nanoseconds(ofTicks: ticks)))
    }

    /// Runs `verb`; what it throws fails the test, and nil is returned.
    @discardableResult
    func drive(
        _ sourceLocation: SourceLocation,
        _ verb: () throws(SchedulingError) -> Progress
    ) -> Progress? {
        do {
            return try verb()
        } catch {
            TestFailure.report(error, sourceLocation)
            return nil
        }
    }

    // MARK: Scheduler

    public var now: Instant { timeline.now }
    public var microstep: UInt32 { timeline.microstep }
    public var wallNanoseconds: Int64 { timeline.wallNanoseconds }
    public var executor: TimelineExecutor { timeline.executor }

    @discardableResult
    public func schedule(
        at due: Instant, phase: Phase, label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken {
        timeline.schedule(at: due, phase: phase, label: label, work)
    }

    @discardableResult
    public func cancel(_ token: WorkToken) -> Bool { timeline.cancel(token) }

    public func instant(after delay: Duration) -> Instant { timeline.instant(after: delay) }

    public func unhandledError(_ error: any Error, place: StaticString) {
        timeline.unhandledError(error, place: place)
    }
}
