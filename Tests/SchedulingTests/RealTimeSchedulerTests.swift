// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scheduling

/// What a real timeline does on its own: clock, alarm and passes, with a kernel made of numbers.
@Suite struct RealTimeSchedulerTests {
    private let timeline = RealTimeline()
    private var kernel: RealTimeline.Kernel { timeline.kernel }
    private var scheduler: RealTimeScheduler { timeline.real }

    private func setClock(_ now: Int64) {
        kernel.clock = RealTimeline.Kernel.origin + now
    }

    @Test func `zero is when the timeline opened`() {
        #expect(scheduler.now == .zero)
        setClock(70)
        scheduler.sampleClock()
        #expect(scheduler.now == Instant(nanoseconds: 70))
        #expect(
            scheduler.clockReading(at: Instant(nanoseconds: 70)) == RealTimeline.Kernel.origin + 70)
        #expect(scheduler.clockReading(at: .distantFuture) == .max)
    }

    @Test func `the clock never goes back, whatever the kernel says`() {
        setClock(70)
        scheduler.sampleClock()
        setClock(60)
        scheduler.sampleClock()
        #expect(scheduler.now == Instant(nanoseconds: 70))
    }

    @Test func `the alarm is told of the head, and only when it changes`() {
        #expect(kernel.alarmsTold == 0)
        timeline.at(50) {}
        #expect(kernel.alarm == Instant(nanoseconds: 50))
        timeline.at(60) {}
        #expect(kernel.alarmsTold == 1)
        timeline.at(40) {}
        #expect(kernel.alarm == Instant(nanoseconds: 40) && kernel.alarmsTold == 2)
        setClock(45)
        scheduler.runDue()
        #expect(kernel.alarm == Instant(nanoseconds: 50))
        timeline.removeAll()
        #expect(kernel.alarm == nil)
    }

    @Test func `an alarm that struck early is set again`() {
        timeline.at(50) { Issue.record("ran early") }
        setClock(49)
        kernel.alarm = nil
        #expect(scheduler.runDue() == 0)
        #expect(kernel.alarm == Instant(nanoseconds: 50))
    }

    @Test func `a pass that ends at its limit sets the alarm for the rest`() {
        let log = Log<Int>()
        for number in 0..<5 { timeline.at(50) { log.add(number) } }
        setClock(50)
        for expected in [2, 4, 5] {
            kernel.alarm = nil
            scheduler.runDue(atMost: 2)
            #expect(log.entries.count == expected)
            #expect((kernel.alarm != nil) == (expected < 5))
        }
        #expect(log.entries == [0, 1, 2, 3, 4])
    }

    @Test func `cancelling the head leaves the alarm, whose early strike sets the next`() {
        let head = timeline.at(50) { Issue.record("ran") }
        timeline.at(80) {}
        scheduler.cancel(head)
        setClock(50)
        kernel.alarm = nil
        #expect(scheduler.runDue() == 0)
        #expect(kernel.alarm == Instant(nanoseconds: 80))
    }

    @Test func `everything one pass runs agrees on the time`() {
        let log = Log<Int64>()
        timeline.at(10) { [self] in
            log.add(timeline.now)
            setClock(500)
        }
        timeline.at(20) { [self] in log.add(timeline.now) }
        setClock(100)
        scheduler.runDue()
        #expect(log.entries == [100, 100])
    }

    @Test func `late work keeps the order of its due times, and work it makes comes after`() {
        let log = Log<String>()
        timeline.at(20) { log.add("20") }
        timeline.at(10) { [self] in
            log.add("10")
            timeline.at(15) { log.add("made") }
        }
        timeline.at(100, .arrival) { log.add("100") }
        setClock(100)
        scheduler.runDue()
        #expect(log.entries == ["10", "20", "100", "made"])
    }

    @Test func `work that makes itself again without end leaves the pass at its limit`() {
        var ran = 0
        func again() {
            ran += 1
            timeline.at(0) { again() }
        }
        again()
        #expect(scheduler.runDue(atMost: 1000) == 1000)
        #expect(ran == 1001)
        #expect(timeline.pendingCount == 1)
    }

    @Test func `a pass asked for by its own work does nothing, and the work runs in this one`() {
        let log = Log<String>()
        timeline.at(0) { [self] in
            timeline.at(0) { log.add("made") }
            #expect(scheduler.runDue() == 0)
            log.add("first")
        }
        #expect(scheduler.runDue() == 2)
        #expect(log.entries == ["first", "made"])
    }

    @Test func `a delay asked for outside a pass counts from the clock, not from the last pass`() {
        setClock(1000)
        let log = Log<Int64>()
        scheduler.schedule(after: .nanoseconds(5)) { [self] in log.add(timeline.now) }
        #expect(kernel.alarm == Instant(nanoseconds: 1005))
        setClock(1004)
        #expect(scheduler.runDue() == 0)
        setClock(1005)
        #expect(scheduler.runDue() == 1)
        #expect(log.entries == [1005])
    }

    @Test func `the wall clock is the one it was given`() {
        setClock(3)
        #expect(scheduler.wallNanoseconds == 1_000_000_000 + RealTimeline.Kernel.origin + 3)
    }

    // MARK: Catching up

    @Test func `late work within the catch-up sees its own instants, in the order of virtual time`()
        throws
    {
        func log(of timeline: some Timeline, _ pass: (Int64) throws -> Void) rethrows -> [String] {
            let log = Log<String>()
            func note(_ name: String) {
                log.add("\(name)@\(timeline.now).\(timeline.scheduler.microstep)")
            }
            timeline.at(20) { note("20") }
            timeline.at(10) {
                note("10")
                timeline.at(0) { note("at once") }
                timeline.scheduler.schedule(after: .nanoseconds(5)) {
                    note("made")
                    timeline.scheduler.schedule(after: .nanoseconds(20)) { note("chained") }
                }
            }
            timeline.at(10, .arrival) { note("arrival") }
            try pass(37)
            try pass(100)
            return log.entries
        }
        let virtual = VirtualTimeline()
        let real = RealTimeline(catchUp: .nanoseconds(50))
        let expected = log(of: real) { now in
            real.kernel.clock = RealTimeline.Kernel.origin + now
            real.real.runDue()
            #expect(real.now == now && real.real.lateness == 0)
        }
        #expect(
            expected == [
                "arrival@10.0", "10@10.0", "at once@10.1", "made@15.0", "20@20.0", "chained@35.0",
            ])
        #expect(try log(of: virtual) { try virtual.advance(to: $0) } == expected)
    }

    @Test func `inside a late pass it is said how late it is`() {
        let timeline = RealTimeline(catchUp: .nanoseconds(50))
        let log = Log<Int64>()
        timeline.at(10) { log.add(timeline.real.lateness) }
        timeline.at(25) { log.add(timeline.real.lateness) }
        timeline.kernel.clock += 30
        timeline.real.runDue()
        #expect(log.entries == [20, 5])
    }

    @Test func `who is later than the catch-up jumps, and it is told over what`() {
        let timeline = RealTimeline(catchUp: .nanoseconds(50))
        let log = Log<String>()
        timeline.real.onJump = { log.add("jump to \($0.nanoseconds) over \($1.nanoseconds)") }
        timeline.at(10) { log.add("10@\(timeline.now)") }
        timeline.at(20) { log.add("20@\(timeline.now)") }
        timeline.kernel.clock += 60
        timeline.real.runDue()
        timeline.at(70) { log.add("70@\(timeline.now)") }
        timeline.at(80) { log.add("80@\(timeline.now)") }
        timeline.kernel.clock += 61
        timeline.real.runDue()
        #expect(
            log.entries == [
                "10@10", "20@20", "jump to 121 over 70", "70@121", "80@121",
            ])
    }

    @Test
    func `what arrives while work is overdue arrives when the clock says, and waits its turn`() {
        let timeline = RealTimeline(catchUp: .nanoseconds(50))
        let log = Log<String>()
        timeline.at(10) { log.add("10@\(timeline.now)") }
        timeline.kernel.clock += 30
        #expect(!timeline.real.runArrival { log.add("too early") })
        #expect(timeline.now == 0)
        let arrival = timeline.real.arrivalInstant()
        timeline.real.schedule(at: arrival, phase: .arrival, label: "input") {
            log.add("input@\(timeline.now)")
        }
        timeline.real.runDue()
        #expect(log.entries == ["10@10", "input@30"])
        // An overdue head that is taken back no longer holds the clock.
        let head = timeline.at(40) { log.add("cancelled") }
        timeline.kernel.clock += 20
        #expect(!timeline.real.runArrival {})
        timeline.real.cancel(head)
        #expect(timeline.real.runArrival { log.add("arrival@\(timeline.now)") })
        #expect(log.entries.last == "arrival@50")
    }

    @Test func `what begins does so at one instant, however long it takes`() {
        setClock(5)
        scheduler.runNow {
            setClock(50)
            scheduler.sampleClock()
            #expect(timeline.now == 0 && scheduler.arrivalInstant() == .zero)
            #expect(scheduler.instant(after: .nanoseconds(10)) == Instant(nanoseconds: 10))
            timeline.at(10) {}
        }
        #expect(kernel.alarm == Instant(nanoseconds: 10))
        #expect(scheduler.arrivalInstant() == Instant(nanoseconds: 50))
    }
}
