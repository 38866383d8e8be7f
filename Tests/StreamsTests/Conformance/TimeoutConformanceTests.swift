// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 18 to 25: `timeout`.
@Suite struct TimeoutConformanceTests {
    @Test(arguments: Profile.allCases)
    func `row 18 due time simple: gaps below the limit are no timeout`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable([
            .next(10, 42), .next(25, 43), .next(40, 44), .next(50, 45), .completed(60),
        ])
        let observer = scheduler.start { source.timeout(ticks(30)) }
        expectEvents(
            observer.events,
            [
                .next(210, 42), .next(225, 43), .next(240, 44), .next(250, 45), .completed(260),
            ])
        #expect(source.subscriptions == [TestSubscription(200, 260)])
    }

    @Test(arguments: Profile.allCases)
    func `row 19 timeout exact: a value on the very deadline beats the timer`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable([
            .next(10, 42), .next(20, 43), .next(50, 44), .completed(60),
        ])
        let observer = scheduler.start { source.timeout(ticks(30)) }
        expectEvents(
            observer.events,
            [.next(210, 42), .next(220, 43), .next(250, 44), .completed(260)])
        #expect(source.subscriptions == [TestSubscription(200, 260)])
    }

    @Test func `row 19 strictly: however the value and the timer came to be scheduled`() {
        for isHot in [false, true] {
            let scheduler = TestScheduler()
            let source =
                isHot
                ? scheduler.createHotObservable([.next(230, 1), .completed(231)])
                : scheduler.createColdObservable([.next(30, 1), .completed(31)])
            let observer = scheduler.start { source.timeout(ticks(30)) }
            expectEvents(observer.events, [.next(230, 1), .completed(231)])
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 20 timeout: a gap above the limit is an error`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createColdObservable([
            .next(10, 42), .next(20, 43), .next(50, 44), .completed(60),
        ])
        let observer = scheduler.start { source.timeout(ticks(25)) }
        expectEvents(
            observer.events,
            [.next(210, 42), .next(220, 43), .error(245, TimeoutError(dueTime: ticks(25)))])
        #expect(source.subscriptions == [TestSubscription(200, 245)])
    }

    @Test func `row 21 disposed, rxTest: a value at the instant of the disposal is delivered`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let source = scheduler.createHotObservable([.next(370, 42)])
        let observer = scheduler.start(disposed: 370) { source.timeout(ticks(1000)) }
        expectEvents(observer.events, [.next(370, 42)])
        #expect(source.subscriptions == [TestSubscription(200, 370)])
    }

    static func fallingBack(
        _ first: [Recorded<Event<Int>>], _ second: [Recorded<Event<Int>>], _ profile: Profile
    ) -> (
        events: [Recorded<Event<Int>>], first: [TestSubscription], second: [TestSubscription]
    ) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(first)
        let other = scheduler.createColdObservable(second)
        let observer = scheduler.start { source.timeout(ticks(100), other: other) }
        return (observer.events, source.subscriptions, other.subscriptions)
    }

    static let fallback: [Recorded<Event<Int>>] = [
        .next(50, -1), .next(200, -2), .next(310, -3), .completed(320),
    ]

    @Test(arguments: Profile.allCases)
    func `row 22 timeout occurs 1: the other stream is joined at the first deadline`(
        _ profile: Profile
    ) {
        let (events, first, second) = Self.fallingBack(
            [.next(70, 1), .next(130, 2), .next(310, 3), .next(400, 4), .completed(500)],
            Self.fallback, profile)
        expectEvents(
            events, [.next(350, -1), .next(500, -2), .next(610, -3), .completed(620)])
        #expect(first == [TestSubscription(200, 300)])
        #expect(second == [TestSubscription(300, 620)])
    }

    @Test(arguments: Profile.allCases)
    func `row 23 timeout occurs 2: each value sets the limit anew`(_ profile: Profile) {
        let (events, first, second) = Self.fallingBack(
            [
                .next(70, 1), .next(130, 2), .next(240, 3), .next(310, 4), .next(430, 5),
                .completed(500),
            ], Self.fallback, profile)
        expectEvents(
            events,
            [
                .next(240, 3), .next(310, 4), .next(460, -1), .next(610, -2), .next(720, -3),
                .completed(730),
            ])
        #expect(first == [TestSubscription(200, 410)])
        #expect(second == [TestSubscription(410, 730)])
    }

    @Test(arguments: Profile.allCases)
    func `row 24 timeout occurs, late end: the source is no longer heard`(_ profile: Profile) {
        for end in [Recorded<Event<Int>>.completed(500), .error(500, Oops())] {
            let (events, first, second) = Self.fallingBack([end], [.next(100, -1)], profile)
            expectEvents(events, [.next(400, -1)])
            #expect(first == [TestSubscription(200, 300)])
            #expect(second == [TestSubscription(300, 1000)])
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 25 the other stream fails: its error is the end`(_ profile: Profile) {
        let (events, first, second) = Self.fallingBack(
            [.next(500, 42)], [.error(100, Oops())], profile)
        expectEvents(events, [.error(400, Oops())])
        #expect(first == [TestSubscription(200, 300)])
        #expect(second == [TestSubscription(300, 400)])
    }
}
