// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Testing

/// Rows 1 to 9: what suites for virtual schedulers of the Rx family agree on.
@Suite struct TimelineConformanceTests {
    /// An action at `start` that puts off work by nothing and by two ticks, busy for a while first.
    static func clocks(
        _ scheduler: TestScheduler, at start: Int, busy: Int = 0, after: Int = 2,
        drive: (TestScheduler) -> Void
    ) -> [Int] {
        var clocks: [Int] = []
        scheduler.scheduleAt(start) {
            clocks.append(scheduler.clock)
            scheduler.sleep(busy)
            scheduler.schedule(after: .zero) { clocks.append(scheduler.clock) }
            scheduler.schedule(after: scheduler.timeline.tick * after) {
                clocks.append(scheduler.clock)
            }
        }
        drive(scheduler)
        return clocks
    }

    @Test func `row 1 initial clock: ten ticks of ten seconds are a hundred seconds`() {
        let scheduler = TestScheduler(initialClock: 10, tick: .seconds(10))
        #expect(scheduler.clock == 10)
        #expect(
            scheduler.wallNanoseconds - VirtualTimeScheduler.defaultWallOrigin
                == 100_000_000_000)
    }

    @Test func `row 2 start: work for now and for later is seen at 1, 1 and 3`() {
        let scheduler = TestScheduler()
        #expect(Self.clocks(scheduler, at: 1) { $0.start() } == [1, 1, 3])
        #expect(scheduler.clock == 3)
    }

    @Test(arguments: Profile.allCases)
    func `row 3 dispose: what the action that made it cancels never runs`(_ profile: Profile) {
        for isDrivenTo in [false, true] {
            let scheduler = TestScheduler(profile: profile)
            var ran = 0
            scheduler.scheduleAt(1) {
                let token = scheduler.schedule(after: ticks(0)) { ran += 1 }
                let later = scheduler.schedule(after: ticks(2)) { ran += 1 }
                scheduler.cancel(token)
                scheduler.cancel(later)
            }
            if isDrivenTo { scheduler.advanceTo(10) } else { scheduler.start() }
            #expect(ran == 0)
        }
    }

    @Test func `row 4 advance past the work: 1, 1 and 3, and the clock stands at the target`() {
        let scheduler = TestScheduler()
        #expect(Self.clocks(scheduler, at: 1) { $0.advanceTo(10) } == [1, 1, 3])
        #expect(scheduler.clock == 10)
    }

    @Test func `row 5 advance onto the work: the target is included, also for work made there`() {
        let scheduler = TestScheduler()
        #expect(Self.clocks(scheduler, at: 1) { $0.advanceTo(1) } == [1, 1])
    }

    @Test func `row 6 stop: the rest stays queued and the clock stays`() {
        let scheduler = TestScheduler()
        var clocks: [Int] = []
        scheduler.scheduleAt(1) {
            clocks.append(scheduler.clock)
            scheduler.stop()
        }
        scheduler.scheduleAt(3) { clocks.append(scheduler.clock) }
        scheduler.advanceTo(10)
        #expect(clocks == [1])
        #expect(scheduler.clock == 1)
        scheduler.start()
        #expect(clocks == [1, 3])
    }

    @Test func `row 7 sleep: ten busy ticks move the rest to 11 and 13`() {
        let scheduler = TestScheduler()
        #expect(Self.clocks(scheduler, at: 1, busy: 10) { $0.start() } == [1, 11, 13])
    }

    @Test(arguments: Profile.allCases)
    func `row 8 stress: twenty thousand due times come out in order`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        // Knuth's MMIX generator: the same times in every run.
        var state: UInt64 = 1
        let times = (0..<20_000).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % 1_000
        }
        var seen: [Int] = []
        for time in times { scheduler.scheduleAt(time) { seen.append(scheduler.clock) } }
        scheduler.start()
        #expect(seen == times.sorted())
    }

    @Test func `row 9 on date time: the same with ticks of ten seconds`() {
        let scheduler = TestScheduler(tick: .seconds(10))
        #expect(Self.clocks(scheduler, at: 1) { $0.start() } == [1, 1, 3])
        #expect(scheduler.now == Instant(nanoseconds: 30_000_000_000))
        let sleepy = TestScheduler(tick: .seconds(10))
        #expect(Self.clocks(sleepy, at: 1, busy: 10) { $0.start() } == [1, 11, 13])
        #expect(sleepy.now == Instant(nanoseconds: 130_000_000_000))
    }
}
