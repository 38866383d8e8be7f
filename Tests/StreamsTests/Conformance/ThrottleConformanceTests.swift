// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 26 to 30: `throttle`, with and without the latest value.
@Suite struct ThrottleConformanceTests {
    static let values: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(210, 2), .next(250, 3), .next(310, 4), .next(350, 5),
        .next(410, 6), .next(450, 7),
    ]

    static func throttled(
        _ events: [Recorded<Event<Int>>], latest: Bool = true, _ profile: Profile
    ) -> (events: [Recorded<Event<Int>>], subscriptions: [TestSubscription]) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(events)
        let observer = scheduler.start { source.throttle(ticks(200), latest: latest) }
        return (observer.events, source.subscriptions)
    }

    @Test(arguments: Profile.allCases)
    func `row 26 throttle without latest, completed: nothing trails`(_ profile: Profile) {
        let (events, subscriptions) = Self.throttled(
            Self.values + [.completed(500)], latest: false, profile)
        expectEvents(events, [.next(210, 2), .next(410, 6), .completed(500)])
        #expect(subscriptions == [TestSubscription(200, 500)])
    }

    @Test(arguments: Profile.allCases)
    func `row 27 throttle completed: a trailing value holds the end back`(_ profile: Profile) {
        let (events, subscriptions) = Self.throttled(Self.values + [.completed(500)], profile)
        expectEvents(
            events, [.next(210, 2), .next(410, 6), .next(610, 7), .completed(610)])
        #expect(subscriptions == [TestSubscription(200, 500)])
    }

    @Test(arguments: Profile.allCases)
    func `row 28 throttle completed after due time: the end stays where it was`(
        _ profile: Profile
    ) {
        let (events, subscriptions) = Self.throttled(Self.values + [.completed(900)], profile)
        expectEvents(
            events, [.next(210, 2), .next(410, 6), .next(610, 7), .completed(900)])
        #expect(subscriptions == [TestSubscription(200, 900)])
    }

    @Test(arguments: Profile.allCases, [true, false])
    func `row 29 throttle error: it comes at once and what trails is dropped`(
        _ profile: Profile, _ latest: Bool
    ) {
        let (events, subscriptions) = Self.throttled(
            Self.values.prefix(5) + [.error(410, Oops())], latest: latest, profile)
        expectEvents(events, [.next(210, 2), .error(410, Oops())])
        #expect(subscriptions == [TestSubscription(200, 410)])
    }

    @Test(arguments: Profile.allCases)
    func `row 30 throttle without end, never, empty: nothing is invented`(_ profile: Profile) {
        expectEvents(
            Self.throttled(Self.values, profile).events,
            [.next(210, 2), .next(410, 6), .next(610, 7)])
        expectEvents(Self.throttled([.next(150, 1)], profile).events, [])
        expectEvents(
            Self.throttled([.next(150, 1), .completed(500)], profile).events, [.completed(500)])
    }
}
