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
}
