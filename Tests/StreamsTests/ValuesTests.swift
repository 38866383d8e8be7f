// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Streams in async code and async sequences as streams.
@Suite struct ValuesTests {
    private let scheduler = TestScheduler()

    private final class Notes {
        var lines: [String] = []
    }

    private let notes = Notes()

    private func note(_ text: String) {
        notes.lines.append("\(scheduler.clock) \(text)")
    }

    private func nap(_ ticks: Int) async throws {
        try await scheduler.timeline.clock.sleep(for: .milliseconds(ticks))
    }

    // MARK: A stream in a loop

    @Test func `a loop takes each value in the item that sent it`() {
        let source = scheduler.createHotObservable([.next(10, "a"), .next(20, "b"), .completed(30)])
        scheduler.task {
            for try await value in source.values { note(value) }
            note("end")
        }
        scheduler.start()
        #expect(notes.lines == ["10 a", "20 b", "30 end"])
        #expect(source.subscriptions == [TestSubscription(0, 30)])
    }

    @Test func `what comes while the loop waits is kept, and an error comes after it`() {
        let source = scheduler.createHotObservable([
            .next(10, 1), .next(11, 2), .next(12, 3), .error(13, StreamError.noElements),
        ])
        scheduler.task {
            do {
                for try await value in source.values {
                    note("\(value)")
                    try await nap(20)
                }
            } catch { note("\(error)") }
        }
        scheduler.start()
        #expect(
            notes.lines == ["10 1", "30 2", "50 3", "70 the stream completed without a value"])
    }

    @Test(arguments: [
        (ValueBuffering.newest(1), ["10 1", "30 4"]),
        (.newest(2), ["10 1", "30 3", "50 4"]),
        (.oldest(1), ["10 1", "30 2"]),
        (.oldest(2), ["10 1", "30 2", "50 3"]),
    ])
    func `a bound keeps the newest or the oldest`(buffering: ValueBuffering, expected: [String]) {
        let source = scheduler.createHotObservable([
            .next(10, 1), .next(11, 2), .next(12, 3), .next(13, 4), .completed(14),
        ])
        scheduler.task {
            for try await value in source.values(buffering: buffering) {
                note("\(value)")
                try await nap(20)
            }
        }
        scheduler.start()
        #expect(notes.lines == expected)
        #expect(scheduler.unhandledErrors.isEmpty)
    }

    @Test func `a loop that falls ten thousand behind loses the oldest, and says so once`() {
        let subject = PublishSubject<Int>()
        scheduler.task {
            var count = 0
            for try await value in subject.values {
                if count == 1 { note("\(value)") }
                count += 1
                try await nap(count == 1 ? 10 : 0)
                if count == 2 { break }
            }
        }
        scheduler.scheduleAt(1) { for value in 0...10_005 { subject.onNext(value) } }
        scheduler.start()
        #expect(notes.lines == ["11 7"])
        #expect(scheduler.unhandledErrors.map { $0 as? StreamError } == [.valuesDropped])
    }

    @Test func `leaving the loop gives the subscription up at that instant`() {
        let source = scheduler.createHotObservable([.next(10, 1), .next(20, 2), .next(30, 3)])
        scheduler.task {
            for try await value in source.values where value == 2 { break }
            note("left")
        }
        scheduler.start()
        #expect(notes.lines == ["20 left"])
        #expect(source.subscriptions == [TestSubscription(0, 20)])
    }

    @Test func `cancelling the task ends the loop and gives the subscription up`() {
        let source = scheduler.createHotObservable([.next(10, 1), .next(30, 3)])
        let task = scheduler.task {
            for try await value in source.values { note("\(value)") }
            note("end")
        }
        scheduler.scheduleAt(20) { task.cancel() }
        scheduler.start()
        #expect(notes.lines == ["10 1", "20 end"])
        #expect(source.subscriptions == [TestSubscription(0, 20)])
    }

    @Test func `a source that says everything while it is subscribed is read to its end`() {
        scheduler.task {
            for try await value in Observable.of(1, 2, 3).values { note("\(value)") }
            note("end")
        }
        scheduler.start()
        #expect(notes.lines == ["0 1", "0 2", "0 3", "0 end"])
    }

    @Test func `relays and drivers are read without try`() {
        let publish = PublishRelay<Int>()
        let state = BehaviorRelay(value: 1)
        scheduler.task { for await value in publish.values { note("publish \(value)") } }
        scheduler.task { for await value in state.values { note("state \(value)") } }
        scheduler.task { for await value in state.asDriver().values { note("driver \(value)") } }
        scheduler.scheduleAt(10) {
            publish.accept(5)
            state.accept(2)
        }
        scheduler.start()
        #expect(
            notes.lines == [
                "0 state 1", "0 driver 1", "10 publish 5", "10 state 2", "10 driver 2",
            ])
    }

    @Test func `a single, a maybe and a completable are awaited`() {
        scheduler.task {
            note("\(try await Single.just(1).delay(.milliseconds(5)).value)")
            note("\(try await Maybe<Int>.empty().value == nil)")
            try await Completable.empty().delay(.milliseconds(5)).value
            do {
                _ = try await Single<Int>.error(StreamError.noElements).value
            } catch { note("\(error)") }
        }
        scheduler.start()
        #expect(
            notes.lines == ["5 1", "5 true", "10 the stream completed without a value"])
    }

    @Test func `cancelling a task gives up the question it waits for`() {
        let source = scheduler.createColdObservable([.next(100, 1), .completed(100)])
        let task = scheduler.task {
            do {
                _ = try await source.asSingle().value
            } catch { note("\(error is CancellationError)") }
        }
        scheduler.scheduleAt(10) { task.cancel() }
        scheduler.start()
        #expect(notes.lines == ["10 true"])
        #expect(source.subscriptions == [TestSubscription(0, 10)])
    }

    @Test func `outside any timeline a loop is refused, or ends at once where it cannot fail`()
        async
    {
        let subject = PublishRelay<Int>()
        await Self.elsewhere {
            await #expect(throws: OffTimelineError()) {
                for try await _ in Observable.of(1).values {}
            }
            for await _ in subject.values {}
        }
    }

    /// Runs `body` off the timeline that stands in this test's task.
    private static func elsewhere(_ body: () async -> Void) async {
        await withoutActuallyEscaping(body) { body in
            let body = UncheckedBox(body)
            await Task { await body.value() }.value
        }
    }

    // MARK: A sequence as a stream

    @Test func `an async sequence is a stream with the times of its sleeps`() {
        let observer = scheduler.start(disposed: 1_000) { [self] in
            AsyncStream(unfolding: Counting(scheduler.timeline.clock, until: 3).next).asObservable()
        }
        expectEvents(
            observer.events, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)])
    }

    @Test func `an error of the sequence is the error of the stream`() {
        let observer = scheduler.start {
            Observable.from(
                AsyncThrowingStream<Int, any Error> { feed in
                    feed.yield(1)
                    feed.finish(throwing: StreamError.noElements)
                })
        }
        expectEvents(observer.events, [.next(200, 1), .error(200, StreamError.noElements)])
    }

    @Test func `giving the stream up cancels the task at that instant`() {
        let observer = scheduler.start(disposed: 215) { [self] in
            AsyncStream(unfolding: Counting(scheduler.timeline.clock, until: 9).next).asObservable()
        }
        expectEvents(observer.events, [.next(210, 1)])
        #expect(scheduler.timeline.executor.runningTasks.isEmpty)
    }

    @Test func `a single's work runs for each subscription and is cancelled with it`() {
        let single = Single<Int>.create { [self] in
            defer { note("over") }
            try await nap(50)
            return 7
        }
        let observer = scheduler.start { single.asObservable() }
        expectEvents(observer.events, [.next(250, 7), .completed(250)])
        let second = scheduler.createObserver(Int.self)
        let subscription = single.asObservable().subscribe(second)
        scheduler.scheduleAt(scheduler.clock + 10) { subscription.dispose() }
        scheduler.start()
        expectEvents(second.events, [])
        #expect(notes.lines == ["250 over", "1010 over"])
    }
}

// Safety: opened once, while the test that closed it waits.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Counts up to a number, ten ticks apart.
private actor Counting {
    private let clock: TimelineClock
    private let last: Int
    private var count = 0

    init(_ clock: TimelineClock, until last: Int) {
        self.clock = clock
        self.last = last
    }

    @Sendable func next() async -> Int? {
        do {
            try await clock.sleep(for: .milliseconds(10))
        } catch {
            return nil
        }
        guard count < last else { return nil }
        count += 1
        return count
    }
}
