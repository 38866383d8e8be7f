// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 10 to 17: `delay` and `delaySubscription`.
@Suite struct DelayConformanceTests {
    static let values: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(250, 2), .next(350, 3), .next(450, 4),
    ]

    static func delayed(
        _ events: [Recorded<Event<Int>>], by count: Int, _ profile: Profile
    ) -> (events: [Recorded<Event<Int>>], subscriptions: [TestSubscription]) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(events)
        let observer = scheduler.start { source.delay(ticks(count)) }
        return (observer.events, source.subscriptions)
    }

    @Test(arguments: Profile.allCases, [100, 50, 150])
    func `row 10 delay simple: all comes later, the source is given up at its own end`(
        _ profile: Profile, _ count: Int
    ) {
        let (events, subscriptions) = Self.delayed(
            Self.values + [.completed(550)], by: count, profile)
        expectEvents(
            events,
            [
                .next(250 + count, 2), .next(350 + count, 3), .next(450 + count, 4),
                .completed(550 + count),
            ])
        #expect(subscriptions == [TestSubscription(200, 550)])
    }

    @Test(arguments: Profile.allCases)
    func `row 11 delay error: an error is not delayed`(_ profile: Profile) {
        let (events, subscriptions) = Self.delayed(
            [.next(150, 1), .error(250, Oops())], by: 50, profile)
        expectEvents(events, [.error(250, Oops())])
        #expect(subscriptions == [TestSubscription(200, 250)])
    }

    @Test(arguments: Profile.allCases)
    func `row 12 delay completed: an end without values comes later too`(_ profile: Profile) {
        let (events, subscriptions) = Self.delayed(
            [.next(150, 1), .completed(250)], by: 150, profile)
        expectEvents(events, [.completed(400)])
        #expect(subscriptions == [TestSubscription(200, 250)])
    }

    @Test(arguments: Profile.allCases)
    func `row 13 delay error 1: values are out before a late error`(_ profile: Profile) {
        let (events, _) = Self.delayed(Self.values + [.error(550, Oops())], by: 50, profile)
        expectEvents(
            events, [.next(300, 2), .next(400, 3), .next(500, 4), .error(550, Oops())])
    }

    @Test(arguments: Profile.allCases)
    func `row 14 delay error 2: a value that waits is lost to the error`(_ profile: Profile) {
        let (events, _) = Self.delayed(Self.values + [.error(550, Oops())], by: 150, profile)
        expectEvents(events, [.next(400, 2), .next(500, 3), .error(550, Oops())])
    }

    @Test(arguments: Profile.allCases)
    func `row 15 delay positive: the whole record moves by 42`(_ profile: Profile) {
        let all = Self.values + [.completed(550)]
        let (events, subscriptions) = Self.delayed(all, by: 42, profile)
        expectEvents(
            events,
            all.filter { $0.time > 200 }.map { Recorded(time: $0.time + 42, value: $0.value) })
        #expect(subscriptions == [TestSubscription(200, 550)])
    }

    @Test(arguments: Profile.allCases)
    func `row 16 delaySubscription: subscribed 30 later, ends as the source does`(
        _ profile: Profile
    ) {
        for isError in [false, true] {
            let scheduler = TestScheduler(profile: profile)
            let end: [Recorded<Event<Int>>] = [isError ? .error(70, Oops()) : .completed(70)]
            let source = scheduler.createColdObservable([.next(50, 42), .next(60, 43)] + end)
            let observer = scheduler.start { source.delaySubscription(ticks(30)) }
            expectEvents(
                observer.events,
                [
                    .next(280, 42), .next(290, 43),
                    isError ? .error(300, Oops()) : .completed(300),
                ])
            #expect(source.subscriptions == [TestSubscription(230, 300)])
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 17 delaySubscription dispose: the log closes at the disposal`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable(
            [.next(50, 42), .next(60, 43), .completed(70)])
        let observer = scheduler.start(disposed: 291) { source.delaySubscription(ticks(30)) }
        expectEvents(observer.events, [.next(280, 42), .next(290, 43)])
        #expect(source.subscriptions == [TestSubscription(230, 291)])
    }
}
