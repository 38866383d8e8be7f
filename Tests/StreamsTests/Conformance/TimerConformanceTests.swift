// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 31 to 34 and 39 to 44: streams that a timeline makes.
@Suite struct TimerConformanceTests {
    @Test(arguments: Profile.allCases)
    func `row 31 timer: value and end at one instant`(_ profile: Profile) {
        let observer = TestScheduler(profile: profile).start {
            Observable<Int>.timer(ticks(100))
        }
        expectEvents(observer.events, [.next(300, 0), .completed(300)])
    }

    @Test(arguments: Profile.allCases)
    func `row 32 interval: the tick at the instant of the disposal is not seen`(
        _ profile: Profile
    ) {
        let observer = TestScheduler(profile: profile).start {
            Observable<Int>.interval(ticks(100))
        }
        expectEvents(observer.events, (0..<7).map { .next(300 + 100 * $0, $0) })
    }

    @Test func `row 33 interval of zero, rxTest: one value per tick`() {
        let observer = TestScheduler(profile: .rxTest).start(disposed: 210) {
            Observable<Int>.interval(.zero)
        }
        expectEvents(observer.events, (0..<9).map { .next(201 + $0, $0) })
    }

    @Test(arguments: Profile.allCases)
    func `row 34 interval disposed: a first tick after the disposal is not seen`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        let observer = scheduler.start { Observable<Int>.interval(ticks(1000)) }
        expectEvents(observer.events, [])
        #expect(scheduler.clock == 1000)
    }

    @Test func `row 39 subscribe on, rxTest: subscribed one tick later, released one tick later`() {
        let scheduler = TestScheduler(profile: .rxTest)
        var clocks: [Int] = []
        let source = Observable<Int>.create { _ in
            clocks.append(scheduler.clock)
            return Disposables.create { clocks.append(scheduler.clock) }
        }
        let observer = scheduler.start { source.subscribe(on: scheduler) }
        expectEvents(observer.events, [])
        #expect(clocks == [201, 1001])
    }

    @Test func `row 40 subscribe on completed, rxTest: the end at once, the release a tick later`()
    {
        let scheduler = TestScheduler(profile: .rxTest)
        let source = scheduler.createHotObservable([Recorded<Event<Int>>.completed(300)])
        let observer = scheduler.start { source.subscribe(on: scheduler) }
        expectEvents(observer.events, [.completed(300)])
        #expect(source.subscriptions == [TestSubscription(201, 301)])
    }

    @Test func `rows 39 and 40 strictly: both at the same instant`() {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable([Recorded<Event<Int>>.completed(300)])
        let observer = scheduler.start { source.subscribe(on: scheduler) }
        expectEvents(observer.events, [.completed(300)])
        #expect(source.subscriptions == [TestSubscription(200, 300)])
    }

    static func generated(
        _ scheduler: TestScheduler, condition: @escaping (Int) throws -> Bool
    ) -> Observable<Int> {
        .generate(initialState: 0, condition: condition, scheduler: scheduler) { $0 + 1 }
    }

    @Test func `row 41 generate finite, rxTest: one value per tick, then the end`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let observer = scheduler.start { Self.generated(scheduler) { $0 <= 3 } }
        expectEvents(
            observer.events,
            [.next(201, 0), .next(202, 1), .next(203, 2), .next(204, 3), .completed(205)])
    }

    @Test func `row 42 generate, the condition throws, rxTest: an error after one tick`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let observer = scheduler.start { Self.generated(scheduler) { _ in throw Oops() } }
        expectEvents(observer.events, [.error(201, Oops())])
    }

    @Test func `row 43 generate disposed, rxTest: what is due at the disposal is not seen`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let observer = scheduler.start(disposed: 203) { Self.generated(scheduler) { _ in true } }
        expectEvents(observer.events, [.next(201, 0), .next(202, 1)])
    }

    @Test func `row 44 repeat element, rxTest: one per tick until the disposal`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let observer = scheduler.start(disposed: 207) {
            Observable.repeatElement(42, scheduler: scheduler)
        }
        expectEvents(observer.events, (201...206).map { .next($0, 42) })
    }
}
