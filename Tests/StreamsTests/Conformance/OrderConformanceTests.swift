// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 80 to 84, 88, 89, 92 and 103: what runs first, what is late, and what ends a run.
@Suite struct OrderConformanceTests {
    /// Schedules numbers from 1 on, each after its delay, and runs them all.
    private static func order(_ delays: [Int], _ profile: Profile) -> [Int] {
        let scheduler = TestScheduler(profile: profile)
        var invoked: [Int] = []
        for (index, delay) in delays.enumerated() {
            scheduler.schedule(after: ticks(delay)) { invoked.append(index + 1) }
        }
        scheduler.start()
        return invoked
    }

    @Test(arguments: Profile.allCases)
    func `row 80 at one time: five leave in the order they came`(_ profile: Profile) {
        #expect(Self.order([0, 0, 0, 0, 0], profile) == [1, 2, 3, 4, 5])
    }

    @Test(arguments: Profile.allCases)
    func `row 81 at random times: by time, and then as they came`(_ profile: Profile) {
        #expect(Self.order([0, 100, 0, 500, 0, 100], profile) == [1, 3, 5, 2, 6, 4])
    }

    // C: elsewhere a negative delay overtakes what is due now (6, 4, 1, 3, 5, 2). Here the past means
    // now, and now is first come, first served.
    @Test(arguments: Profile.allCases)
    func `row 82 negative delays: they mean now, and overtake nothing`(_ profile: Profile) {
        #expect(Self.order([0, 100, 0, -2, 0, -10], profile) == [1, 3, 4, 5, 6, 2])
    }

    @Test(arguments: Profile.allCases)
    func `row 83 recursive: work may schedule itself, and ends when it does not`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        var clocks: [Int] = []
        func again() {
            clocks.append(scheduler.clock)
            if clocks.count < 3 { scheduler.schedule(after: ticks(100), again) }
        }
        scheduler.schedule(after: ticks(100), again)
        scheduler.start()
        #expect(clocks == [100, 200, 300])
    }

    @Test(arguments: Profile.allCases)
    func `row 83 rescheduled before the run: only the last schedule runs`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        var messages: [String] = []
        let first = scheduler.schedule(after: ticks(10)) { messages.append("first") }
        #expect(scheduler.cancel(first))
        scheduler.schedule(after: ticks(10)) { messages.append("second") }
        scheduler.start()
        #expect(messages == ["second"])
    }

    @Test(arguments: Profile.allCases)
    func `row 84 horizon: the limit is included, and what lies past it can be run later`(
        _ profile: Profile
    ) throws {
        let scheduler = TestScheduler(profile: profile)
        scheduler.limits.horizon = .zero.advanced(by: ticks(100))
        var clocks: [Int] = []
        for time in [99, 100, 101] { scheduler.scheduleAt(time) { clocks.append(time) } }
        #expect(throws: SchedulingError.self) { try scheduler.timeline.run() }
        #expect(clocks == [99, 100])
        #expect(scheduler.clock == 100)
        scheduler.limits.horizon = .zero.advanced(by: ticks(101))
        try scheduler.timeline.run()
        #expect(clocks == [99, 100, 101])
    }

    @Test func `row 88 kinds of work: what was put off comes before ticks and timeouts`() throws {
        let scheduler = TestScheduler()
        var values: [String] = []
        let interval = try PeriodicWork(on: scheduler, every: ticks(1)) { _ in values.append("a") }
        scheduler.schedule(after: ticks(1)) {
            values.append("b")
            interval.cancel()
        }
        scheduler.schedule(after: ticks(1), phase: .queued) { values.append("c") }
        #expect(values == [])
        scheduler.start()
        #expect(values == ["c", "a", "b"])
    }

    // C: elsewhere the ticks pile up inside one frame. Here a period of zero is refused, for time could
    // never pass; under the rxTest profile it becomes one tick (row 33).
    @Test func `row 89 interval of zero: refused`() async {
        let scheduler = TestScheduler()
        #expect(throws: SchedulingError.zeroPeriod) {
            _ = try PeriodicWork(on: scheduler, every: .zero) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            let scheduler = TestScheduler()
            Observable<Int>.interval(.zero, scheduler: scheduler).subscribe()
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 92 follow-up work: settled after each item, before the next timer`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(profile: profile)
        var events: [String] = []
        scheduler.schedule(after: .zero) {
            events.append("timer 1")
            scheduler.task {
                events.append("follow-up")
                await Task.yield()
                events.append("and what it left for later")
            }
        }
        scheduler.schedule(after: .zero) { events.append("timer 2") }
        scheduler.start()
        #expect(events == ["timer 1", "follow-up", "and what it left for later", "timer 2"])
    }

    @Test(arguments: Profile.allCases)
    func `row 103 late interval: two overdue ticks come with their own due times`(
        _ profile: Profile
    ) throws {
        let scheduler = TestScheduler(profile: profile)
        scheduler.advanceTo(1)
        var seen: [[Int64]] = []
        let tick = scheduler.timeline.tick.wholeNanoseconds
        let interval = try PeriodicWork(on: scheduler, every: ticks(300), from: .zero) {
            seen.append([Int64(scheduler.clock), $0.due.nanoseconds / tick])
        }
        scheduler.advanceBy(0)
        scheduler.advanceBy(100)
        #expect(seen == [[1, 0]])
        scheduler.advanceBy(200)
        scheduler.advanceBy(400)
        #expect(seen == [[1, 0], [300, 300], [600, 600]])
        // To be late takes an action that is busy: an advance alone steps from tick to tick.
        scheduler.scheduleAt(701) { scheduler.sleep(500) }
        scheduler.advanceTo(1_201)
        #expect(seen.suffix(2) == [[1_201, 900], [1_201, 1_200]])
        #expect(seen.count == 5)
        interval.cancel()
    }
}
