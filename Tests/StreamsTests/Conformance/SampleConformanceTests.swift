// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 53 to 57: `sample` and `retry(when:)`.
@Suite struct SampleConformanceTests {
    static let sampler: [Recorded<Event<String>>] = [
        .next(150, "a"), .next(210, "b"), .next(250, "c"), .next(260, "d"), .next(320, "e"),
        .completed(500),
    ]
    static let values: [Recorded<Event<Int>>] = [
        .next(150, 1), .next(220, 2), .next(240, 3), .next(290, 4), .next(300, 5),
        .next(310, 6),
    ]

    static func sampled(
        _ events: [Recorded<Event<Int>>], defaultValue: Int? = nil, _ profile: Profile
    ) -> (
        events: [Recorded<Event<Int>>], source: [TestSubscription], sampler: [TestSubscription]
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(events)
        let samples = scheduler.createHotObservable(Self.sampler)
        let observer = scheduler.start { source.sample(samples, defaultValue: defaultValue) }
        return (observer.events, source.subscriptions, samples.subscriptions)
    }

    @Test(arguments: Profile.allCases)
    func `row 53 sampler simple 1: the end comes with the sampler's`(_ profile: Profile) {
        let (events, source, sampler) = Self.sampled(Self.values + [.completed(400)], profile)
        expectEvents(events, [.next(250, 3), .next(320, 6), .completed(500)])
        #expect(source == [TestSubscription(200, 400)])
        #expect(sampler == [TestSubscription(200, 500)])
    }

    @Test(arguments: Profile.allCases)
    func `row 54 sampler simple 2: a value that waits leaves with the sampler's end`(
        _ profile: Profile
    ) {
        let (events, _, _) = Self.sampled(
            Self.values + [.next(360, 7), .completed(400)], profile)
        expectEvents(
            events, [.next(250, 3), .next(320, 6), .next(500, 7), .completed(500)])
    }

    @Test(arguments: Profile.allCases)
    func `row 55 sampler simple 3: after the source's end the next sample is the last`(
        _ profile: Profile
    ) {
        let (events, source, sampler) = Self.sampled(
            Self.values.prefix(4) + [.completed(300)], profile)
        expectEvents(events, [.next(250, 3), .next(320, 4), .completed(320)])
        #expect(source == [TestSubscription(200, 300)])
        #expect(sampler == [TestSubscription(200, 320)])
    }

    @Test(arguments: Profile.allCases)
    func `row 56 sampler default value: a sample without a value gives the default`(
        _ profile: Profile
    ) {
        let (events, _, _) = Self.sampled(
            Self.values + [.completed(400)], defaultValue: 0, profile)
        expectEvents(
            events,
            [
                .next(210, 0), .next(250, 3), .next(260, 0), .next(320, 6), .next(500, 0),
                .completed(500),
            ])
    }

    @Test(arguments: Profile.allCases)
    func `row 57 retry when, growing pauses: four attempts, then the error`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable([.next(5, 1), .error(10, Oops())])
        let observer = scheduler.start {
            source.retry(when: { errors in
                errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                    attempt == 3 ? .error(error) : .timer(ticks(50 * (attempt + 1)))
                }
            })
        }
        expectEvents(
            observer.events,
            [
                .next(205, 1), .next(265, 1), .next(375, 1), .next(535, 1), .error(540, Oops()),
            ])
        #expect(
            source.subscriptions == [
                TestSubscription(200, 210), TestSubscription(260, 270),
                TestSubscription(370, 380), TestSubscription(530, 540),
            ])
    }
}
