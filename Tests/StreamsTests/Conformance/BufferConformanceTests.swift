// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 35 to 38: `buffer` and `window`, 70 ticks or three values.
@Suite struct BufferConformanceTests {
    static let values: [Recorded<Event<Int>>] = [
        .next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .next(320, 5),
        .next(350, 6), .next(370, 7), .next(420, 8), .next(470, 9),
    ]
    static let buffers: [Recorded<Event<[Int]>>] = [
        .next(240, [1, 2, 3]), .next(310, [4]), .next(370, [5, 6, 7]), .next(440, [8]),
        .next(510, [9]), .next(580, []),
    ]

    @Test(arguments: Profile.allCases)
    func `row 35 buffer: closes by count or by time, whichever is first`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(Self.values + [.completed(600)])
        let observer = scheduler.start { source.buffer(timeSpan: ticks(70), count: 3) }
        expectEvents(observer.events, Self.buffers + [.next(600, []), .completed(600)])
        #expect(source.subscriptions == [TestSubscription(200, 600)])
    }

    @Test(arguments: Profile.allCases)
    func `row 36 buffer error: the open buffer is dropped`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(
            Self.values + [.next(590, 10), .error(600, Oops())])
        let observer = scheduler.start { source.buffer(timeSpan: ticks(70), count: 3) }
        expectEvents(observer.events, Self.buffers + [.error(600, Oops())])
        #expect(source.subscriptions == [TestSubscription(200, 600)])
    }

    @Test func `row 37 buffer disposed, rxTest: one filled at the disposal is delivered`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let source = scheduler.createHotObservable(Self.values + [.completed(600)])
        let observer = scheduler.start(disposed: 370) {
            source.buffer(timeSpan: ticks(70), count: 3)
        }
        expectEvents(observer.events, Array(Self.buffers.prefix(3)))
        #expect(source.subscriptions == [TestSubscription(200, 370)])
    }

    @Test(arguments: Profile.allCases)
    func `row 38 window: the window changes where a buffer would close`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let source = scheduler.createHotObservable(Self.values + [.completed(600)])
        let observer = scheduler.start {
            source.window(timeSpan: ticks(70), count: 3).enumerated().flatMap { index, window in
                window.map { "\(index) \($0)" }
            }
        }
        expectEvents(
            observer.events,
            [
                .next(205, "0 1"), .next(210, "0 2"), .next(240, "0 3"), .next(280, "1 4"),
                .next(320, "2 5"), .next(350, "2 6"), .next(370, "2 7"), .next(420, "3 8"),
                .next(470, "4 9"), .completed(600),
            ])
        #expect(source.subscriptions == [TestSubscription(200, 600)])
    }
}
