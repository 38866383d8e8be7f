// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct TestSchedulerTests {
    @Test func `a hot stream is seen from the subscription on and up to the disposal`() {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable([
            .next(199, 1), .next(200, 2), .next(999, 3), .next(1000, 4), .completed(1100),
        ])
        let observer = scheduler.start { source }
        expectEvents(observer.events, [.next(200, 2), .next(999, 3)])
        #expect(source.subscriptions == [TestSubscription(200, 1000)])
    }

    @Test func `under the rxTest profile the window is open at its start and closed at its end`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let source = scheduler.createHotObservable([
            .next(199, 1), .next(200, 2), .next(201, 3), .next(1000, 4), .completed(1100),
        ])
        let observer = scheduler.start { source }
        expectEvents(observer.events, [.next(201, 3), .next(1000, 4)])
        #expect(source.subscriptions == [TestSubscription(200, 1000)])
    }

    @Test(arguments: Profile.allCases)
    func `a cold stream counts from its subscription`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable([
            .next(0, "a"), .next(10, "b"), .next(800, "late"),
        ])
        let observer = scheduler.start { source }
        expectEvents(observer.events, [.next(200, "a"), .next(210, "b")])
    }

    @Test func `two subscribers of a cold stream have timelines of their own`() {
        let scheduler = TestScheduler()
        let source = scheduler.createColdObservable([.next(10, "a"), .completed(20)])
        let first = scheduler.createObserver(String.self)
        let second = scheduler.createObserver(String.self)
        scheduler.scheduleAt(5) { source.subscribe(first) }
        scheduler.scheduleAt(15) { source.subscribe(second) }
        scheduler.start()
        expectEvents(first.events, [.next(15, "a"), .completed(25)])
        expectEvents(second.events, [.next(25, "a"), .completed(35)])
        #expect(source.subscriptions == [TestSubscription(5, 25), TestSubscription(15, 35)])
    }

    @Test func `a time operator in the body of a test needs no scheduler`() {
        let scheduler = TestScheduler()
        let observer = scheduler.createObserver(Int.self)
        Observable.just(1).delay(.milliseconds(5)).subscribe(observer)
        scheduler.start()
        expectEvents(observer.events, [.next(5, 1), .completed(5)])
    }

    @Test func `a scheduler that is gone is not found, and the one before stands again`() {
        let outer = TestScheduler(initialClock: 7)
        do {
            let inner = TestScheduler(initialClock: 3)
            #expect(CurrentScheduler.scheduler?.now == inner.now)
        }
        #expect(CurrentScheduler.scheduler === outer.timeline)
    }

    @Test func `another task never finds it`() async {
        let scheduler = TestScheduler()
        let other = await Task.detached { CurrentScheduler.scheduler == nil }.value
        #expect(other)
        withExtendedLifetime(scheduler) {}
    }

    @Test func `an endless interval fails the test and does not hang it`() {
        let scheduler = TestScheduler()
        scheduler.limits.items = 1_000
        Observable<Int>.interval(.milliseconds(1)).subscribe()
        withKnownIssue {
            scheduler.start()
        } matching: { issue in
            issue.error as? SchedulingError
                == .limitReached(
                    .items(1_000), at: Instant(nanoseconds: 1_000_000_000), repeating: ["timer"])
        }
    }

    @Test func `errors are compared by type and text`() {
        struct Oops: Error {}
        struct Other: Error {}
        #expect(Event<Int>.error(Oops()) == .error(Oops()))
        #expect(Event<Int>.error(Oops()) != .error(Other()))
        #expect(Event<Int>.error(Oops()) != .completed)
    }

    @Test func `a difference is a picture with the first one marked, and a table`() {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2)])
        let observer = scheduler.start { source }
        withKnownIssue {
            expectEvents(observer.events, [.next(210, 1), .next(230, 2), .completed(240)])
        } matching: { issue in
            issue.comments.map(\.rawValue) == [
                """
                events: nothing expected at 220, 2 came

                tick=1ms         0        210       220       230       240
                events expected  -- 208ms 1-------------------2---------|
                events actual    -- 208ms 1---------2--------------------
                                                    ^

                time  port    expected   actual
                220   events  -          2
                230   events  2          -
                240   events  completed  -
                """
            ]
        }
    }
}
