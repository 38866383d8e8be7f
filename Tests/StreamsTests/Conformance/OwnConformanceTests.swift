// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Own tests 1 to 3, which no peer has. The others need features: two ports, and other ways to run.
@Suite struct OwnConformanceTests {
    @Test(arguments: Profile.allCases)
    func `own 1 advance, then stop: the clock keeps the instant it was stopped at`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        var clocks: [Int] = []
        func note() { clocks.append(scheduler.clock) }
        scheduler.scheduleAt(10) {
            note()
            scheduler.stop()
        }
        scheduler.scheduleAt(10) { note() }
        scheduler.scheduleAt(20) { note() }
        scheduler.advanceTo(100)
        #expect(scheduler.clock == 10)
        #expect(clocks == [10])
        // What was stopped is neither lost nor late.
        scheduler.advanceTo(100)
        #expect(clocks == [10, 10, 20])
        #expect(scheduler.clock == 100)
    }

    @Test(arguments: Profile.allCases)
    func `own 2 an absolute time in the past: run now, and time never moves back`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        var seen: [String] = []
        func note(_ name: String) { seen.append("\(name) at \(scheduler.clock)") }
        scheduler.scheduleAt(10) {
            note("first")
            scheduler.scheduleAt(3) { note("past") }
            scheduler.scheduleAt(-1) { note("before zero") }
        }
        // The past means now, and overtakes nothing that is due now.
        scheduler.scheduleAt(10) { note("second") }
        scheduler.scheduleAt(11) { note("last") }
        scheduler.start()
        scheduler.scheduleAt(0) { note("from outside") }
        scheduler.start()
        #expect(
            seen == [
                "first at 10", "second at 10", "past at 10", "before zero at 10", "last at 11",
                "from outside at 11",
            ])
    }

    @Test func `own 3 three thirds of a second: a nanosecond short of one, and no more`() {
        let scheduler = TestScheduler(tick: .nanoseconds(1))
        let third = Duration.seconds(1) / 3
        let end = 1_000_000_000_000
        let observer = scheduler.start(created: 0, subscribed: 0, disposed: end) {
            Observable.just(0).delay(third).flatMap { Observable.just($0).delay(third) }
                .flatMap { Observable.just($0).delay(third) }
        }
        #expect(observer.events.map(\.time) == [999_999_999, 999_999_999])
        // Ticks are computed from the start and drift no further than the period's own fraction.
        let interval = TestScheduler(tick: .nanoseconds(1))
        let counted = interval.start(created: 0, subscribed: 0, disposed: end) {
            Observable<Int>.interval(third).take(3_000)
        }
        #expect(counted.events.last?.time == 333_333_333 * 3_000)
    }
}
