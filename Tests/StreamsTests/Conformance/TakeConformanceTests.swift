// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 45 to 52: taking and skipping by time and by another stream.
@Suite struct TakeConformanceTests {
    static let short: [Recorded<Event<Int>>] = [.next(210, 1), .next(220, 2), .completed(230)]

    static func run(
        _ events: [Recorded<Event<Int>>], _ profile: Profile,
        _ make: @escaping (Observable<Int>) -> Observable<Int>
    ) -> (events: [Recorded<Event<Int>>], subscriptions: [TestSubscription]) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(events)
        let observer = scheduler.start { make(source) }
        return (observer.events, source.subscriptions)
    }

    @Test func `row 45 take for no time, rxTest: the end one tick later`() {
        let (events, subscriptions) = Self.run(Self.short, .rxTest) { $0.take(for: .zero) }
        expectEvents(events, [.completed(201)])
        #expect(subscriptions == [TestSubscription(200, 201)])
    }

    @Test func `row 45 strictly: the end at the same instant`() {
        let (events, subscriptions) = Self.run(Self.short, .strict) { $0.take(for: .zero) }
        expectEvents(events, [.completed(200)])
        #expect(subscriptions == [TestSubscription(200, 200)])
    }

    @Test(arguments: Profile.allCases)
    func `row 46 take some: the timer ends it`(_ profile: Profile) {
        let (events, subscriptions) = Self.run(
            [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)], profile
        ) { $0.take(for: ticks(25)) }
        expectEvents(events, [.next(210, 1), .next(220, 2), .completed(225)])
        #expect(subscriptions == [TestSubscription(200, 225)])
    }

    @Test(arguments: Profile.allCases)
    func `row 47 take late, error, never: the source's own end wins`(_ profile: Profile) {
        let late = Self.run(Self.short, profile) { $0.take(for: ticks(50)) }
        expectEvents(late.events, Self.short)
        #expect(late.subscriptions == [TestSubscription(200, 230)])
        let failed = Self.run([.error(210, Oops())], profile) { $0.take(for: ticks(50)) }
        expectEvents(failed.events, [.error(210, Oops())])
        #expect(failed.subscriptions == [TestSubscription(200, 210)])
        let silent = Self.run([.next(150, 1)], profile) { $0.take(for: ticks(50)) }
        expectEvents(silent.events, [.completed(250)])
        #expect(silent.subscriptions == [TestSubscription(200, 250)])
    }

    @Test(arguments: Profile.allCases)
    func `row 48 take twice: of two limits the shorter ends it`(_ profile: Profile) {
        let (events, subscriptions) = Self.run(
            (1...6).map { .next(200 + 10 * $0, $0) } + [.completed(270)], profile
        ) { $0.take(for: ticks(55)).take(for: ticks(35)) }
        expectEvents(events, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(235)])
        #expect(subscriptions == [TestSubscription(200, 235)])
    }

    @Test(arguments: Profile.allCases)
    func `row 49 skip for no time, some, all of it: the end is never skipped`(
        _ profile: Profile
    ) {
        expectEvents(Self.run(Self.short, profile) { $0.skip(for: .zero) }.events, Self.short)
        let some = Self.run(Self.short, profile) { $0.skip(for: ticks(15)) }
        expectEvents(some.events, [.next(220, 2), .completed(230)])
        #expect(some.subscriptions == [TestSubscription(200, 230)])
        expectEvents(
            Self.run(Self.short, profile) { $0.skip(for: ticks(50)) }.events, [.completed(230)])
    }

    @Test(arguments: Profile.allCases)
    func `row 50 take until, the other emits: the end, and both are given up`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable([.next(150, 1)])
        let other = scheduler.createHotObservable([
            .next(150, 1), .next(225, 2), .completed(250),
        ])
        let observer = scheduler.start { source.take(until: other) }
        expectEvents(observer.events, [.completed(225)])
        #expect(source.subscriptions == [TestSubscription(200, 225)])
        #expect(other.subscriptions == [TestSubscription(200, 225)])
    }

    @Test(arguments: Profile.allCases)
    func `row 51 take until, the other only ends: that ends nothing`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable([.next(150, 1)])
        let other = scheduler.createHotObservable([.next(150, 1), .completed(225)])
        let observer = scheduler.start { source.take(until: other) }
        expectEvents(observer.events, [])
        #expect(source.subscriptions == [TestSubscription(200, 1000)])
        #expect(other.subscriptions == [TestSubscription(200, 225)])
    }

    @Test(arguments: Profile.allCases)
    func `row 52 take until, before the first value: the source has no effect any more`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable([
            .next(150, 1), .next(215, 2), .error(220, Oops()),
        ])
        let other = scheduler.createHotObservable([
            .next(150, 1), .next(210, 2), .completed(220),
        ])
        var effects = 0
        let observer = scheduler.start {
            source.do(onNext: { _ in effects += 1 }, onError: { _ in effects += 1 })
                .take(until: other)
        }
        expectEvents(observer.events, [.completed(210)])
        #expect(source.subscriptions == [TestSubscription(200, 210)])
        #expect(effects == 0)
    }
}
