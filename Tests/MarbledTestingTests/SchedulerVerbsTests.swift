// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct SchedulerVerbsTests {
    private final class Log {
        var lines: [String] = []
    }

    @Test func `work is scheduled absolutely, relatively and again and again, and taken back`() {
        let scheduler = TestScheduler(initialClock: 5)
        let log = Log()
        func note(_ name: String) { log.lines.append("\(scheduler.clock) \(name)") }
        scheduler.scheduleAt(20) { note("at") }
        scheduler.scheduleRelative(10) { note("relative") }
        let dropped = scheduler.scheduleAt(15) { note("dropped") }
        scheduler.scheduleRelative(12) {
            note("dropping")
            dropped.dispose()
        }
        let gone = scheduler.scheduleRelative(1) { note("gone") }
        gone.dispose()
        let periodic = scheduler.schedulePeriodic(from: 6, every: 4) { note("tick \($0.number)") }
        scheduler.scheduleAt(17) { periodic.dispose() }
        scheduler.start()
        #expect(
            log.lines == [
                "6 tick 0", "10 tick 1", "14 tick 2", "15 dropped", "15 relative", "17 dropping",
                "20 at",
            ])
        scheduler.finish()
    }

    @Test(arguments: [(Profile.strict, "5 0"), (.rxTest, "6 1")])
    func `relatively nothing is now, and a tick later under the rxTest profile`(
        _ profile: Profile, _ expected: String
    ) {
        let scheduler = TestScheduler(initialClock: 5, profile: profile)
        var ran = ""
        scheduler.scheduleRelative(0) { ran = "\(scheduler.clock) \(scheduler.clock - 5)" }
        scheduler.start()
        #expect(ran == expected)
    }

    @Test func `a state is handed to scheduled work, and what it returns is given up with it`() {
        let scheduler = TestScheduler()
        let log = Log()
        let absolute = scheduler.scheduleAbsoluteVirtual("a", time: 10) { state in
            log.lines.append("\(scheduler.clock) \(state)")
            return Disposables.create { log.lines.append("\(scheduler.clock) given up") }
        }
        let relative = scheduler.scheduleRelativeVirtual(7, dueTime: 12) { state in
            log.lines.append("\(scheduler.clock) \(state)")
            return Disposables.create()
        }
        scheduler.scheduleAt(11) {
            absolute.dispose()
            relative.dispose()
        }
        scheduler.start()
        #expect(log.lines == ["10 a", "11 given up"])
    }

    @Test func `one item at a time`() {
        let scheduler = TestScheduler()
        let log = Log()
        for time in [3, 1, 3] {
            scheduler.scheduleAt(time) { log.lines.append("\(scheduler.clock)") }
        }
        #expect(scheduler.step() && log.lines == ["1"] && scheduler.clock == 1)
        #expect(scheduler.step() && scheduler.step() && log.lines == ["1", "3", "3"])
        #expect(!scheduler.step() && scheduler.clock == 3)
    }

    @Test func `a run ends when its condition holds, else it fails the test`() throws {
        let scheduler = TestScheduler()
        for time in 1...9 { scheduler.scheduleAt(time) {} }
        scheduler.run(until: { scheduler.clock == 4 })
        #expect(scheduler.clock == 4)
        scheduler.run(until: { true })
        #expect(scheduler.clock == 4)
        #expect(
            try issues { scheduler.run(until: { false }, limit: 2) }[0].hasPrefix("2 items ran"))
        #expect(
            try issues { scheduler.run(until: { false }) }
                == ["the condition does not hold and nothing waits any more at tick 9"])
    }

    @Test func `a run ends before its target, at it, where it is stopped`() throws {
        let scheduler = TestScheduler()
        let log = Log()
        for time in [5, 10, 15, 20] {
            scheduler.scheduleAt(time) {
                log.lines.append("\(scheduler.clock)")
                if time == 15 { scheduler.stop() }
            }
        }
        scheduler.advance(before: 10)
        #expect(log.lines == ["5"] && scheduler.clock == 10)
        scheduler.runDue()
        #expect(log.lines == ["5", "10"])
        scheduler.start()
        #expect(log.lines == ["5", "10", "15"] && scheduler.clock == 15)
        scheduler.advanceTo(20)
        #expect(log.lines.last == "20")
        _ = try issues { scheduler.advanceTo(19) }
        _ = try issues { scheduler.advance(before: 3) }
    }

    @Test func `a sleeping action makes what falls due meanwhile late`() {
        let scheduler = TestScheduler()
        let log = Log()
        scheduler.scheduleAt(1) { scheduler.sleep(10) }
        scheduler.scheduleAt(5) { log.lines.append("\(scheduler.clock)") }
        scheduler.start()
        #expect(log.lines == ["11"])
    }
}
