// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scheduling

@Suite struct PeriodicWorkTests {
    @Test(arguments: TimelineKind.allCases)
    func `ticks come at start plus whole periods, without drift`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<PeriodicWork.Tick>()
        let work = try PeriodicWork(
            on: timeline.scheduler, every: .seconds(1) / 3, from: Instant(nanoseconds: 10)
        ) { tick in
            #expect(timeline.scheduler.now == tick.due)
            log.add(tick)
        }
        try timeline.advance(to: 3_000_000_000)
        #expect(log.entries.map(\.number) == Array(0...8))
        #expect(log.entries.map(\.due.nanoseconds) == (0...8).map { 10 + $0 * 333_333_333 })
        work.cancel()
    }

    @Test(arguments: TimelineKind.allCases)
    func `without a start the first tick is one period away`(kind: TimelineKind) throws {
        let timeline = kind.make()
        try timeline.advance(to: 100)
        let log = Log<Int64>()
        let work = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(30)) {
            log.add($0.due.nanoseconds)
        }
        try timeline.advance(to: 200)
        #expect(log.entries == [130, 160, 190])
        work.cancel()
        #expect(timeline.pendingCount == 0)
    }

    @Test(arguments: TimelineKind.allCases)
    func `a period of zero or less is refused`(kind: TimelineKind) {
        let timeline = kind.make()
        for period in [Duration.zero, .nanoseconds(1) / 2] {
            #expect(throws: SchedulingError.zeroPeriod) {
                _ = try PeriodicWork(on: timeline.scheduler, every: period) { _ in }
            }
        }
        #expect(throws: SchedulingError.negativeDuration(.nanoseconds(-1))) {
            _ = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(-1)) { _ in }
        }
        #expect(timeline.pendingCount == 0)
    }

    @Test(arguments: TimelineKind.allCases)
    func `two series at one instant run in the order their ticks were made`(
        kind: TimelineKind
    ) throws {
        let timeline = kind.make()
        let log = Log<Int>()
        let two = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(2), from: .zero) {
            _ in log.add(1)
        }
        let one = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(1), from: .zero) {
            _ in log.add(42)
        }
        try timeline.advance(to: 2)
        #expect(log.entries == [1, 42, 42, 1, 42])
        two.cancel()
        one.cancel()
    }

    @Test(arguments: TimelineKind.allCases)
    func `a tick comes before what its predecessor's work put on the same instant`(
        kind: TimelineKind
    ) throws {
        let timeline = kind.make()
        let log = Log<String>()
        let work = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(10)) { tick in
            log.add("tick \(tick.number)")
            timeline.scheduler.schedule(after: .nanoseconds(10)) { log.add("timer") }
        }
        try timeline.advance(to: 20)
        #expect(log.entries == ["tick 0", "tick 1", "timer"])
        work.cancel()
    }

    @Test(arguments: [
        (PeriodicWork.Overdue.burst, [(0, 10), (1, 35), (2, 35), (3, 40), (4, 50), (5, 60)]),
        (.skip, [(0, 10), (1, 35), (3, 40), (4, 50), (5, 60)]),
        (.delay, [(0, 10), (1, 35), (2, 45), (3, 55)]),
    ])
    func `what is overdue is made up for, left out, or moves the series`(
        overdue: PeriodicWork.Overdue, expected: [(Int64, Int64)]
    ) throws {
        let scheduler = VirtualTimeScheduler()
        let log = Log<(Int64, Int64)>()
        let work = try PeriodicWork(on: scheduler, every: .nanoseconds(10), overdue: overdue) {
            log.add(($0.number, scheduler.now.nanoseconds))
            if $0.number == 0 { scheduler.busy(for: .nanoseconds(25)) }
        }
        try scheduler.advance(to: Instant(nanoseconds: 60))
        #expect(log.entries.elementsEqual(expected, by: ==), "\(log.entries)")
        work.cancel()
    }

    @Test func `overdue ticks come with their own due times`() throws {
        let timeline = RealTimeline()
        let log = Log<Int64>()
        let work = try PeriodicWork(on: timeline.real, every: .nanoseconds(10)) {
            log.add($0.due.nanoseconds)
        }
        timeline.kernel.clock += 35
        timeline.real.runDue()
        #expect(log.entries == [10, 20, 30])
        work.cancel()
    }

    @Test func `a tick that lies on now is on time and not skipped`() throws {
        let timeline = RealTimeline()
        let log = Log<Int64>()
        let work = try PeriodicWork(on: timeline.real, every: .nanoseconds(10), overdue: .skip) {
            log.add($0.due.nanoseconds)
        }
        timeline.kernel.clock += 40
        timeline.real.runDue()
        // Tick 10 was late, and of the rest only what is yet to come counts: 50.
        #expect(log.entries == [10])
        #expect(timeline.nextDue == Instant(nanoseconds: 50))
        timeline.kernel.clock += 10
        timeline.real.runDue()
        #expect(log.entries == [10, 50])
        work.cancel()
    }

    @Test(arguments: TimelineKind.allCases)
    func `cancelled work comes no more, also from inside a tick`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int64>()
        var work: PeriodicWork?
        work = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(10)) {
            log.add($0.number)
            if $0.number == 2 { work?.cancel() }
        }
        try timeline.advance(to: 100)
        #expect(log.entries == [0, 1, 2])
        #expect(timeline.pendingCount == 0)
        work?.cancel()
        work = nil
    }

    @Test(arguments: TimelineKind.allCases)
    func `letting it go cancels it, also from inside a tick`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int64>()
        var work: PeriodicWork?
        let witness = Witness { log.add(-1) }
        work = try PeriodicWork(on: timeline.scheduler, every: .nanoseconds(10)) {
            witness.touch()
            log.add($0.number)
            if $0.number == 1 { work = nil }
        }
        _ = consume witness
        try timeline.advance(to: 100)
        #expect(log.entries == [0, 1, -1])
        #expect(timeline.pendingCount == 0)
        #expect(work == nil)
    }

    @Test func `a series ends where time ends`() throws {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(horizon: .distantFuture))
        let log = Log<Int64>()
        let start = Instant(nanoseconds: .max - 25)
        let work = try PeriodicWork(on: scheduler, every: .nanoseconds(10), from: start) {
            log.add($0.number)
        }
        #expect(try scheduler.run().isIdle)
        #expect(log.entries == [0, 1, 2])
        work.cancel()
    }

    @Test func `a virtual day of seconds is told with its name when a limit strikes`() throws {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: 100_000))
        let log = Log<Int64>()
        let work = try PeriodicWork(on: scheduler, every: .seconds(1), label: "heartbeat") {
            log.add($0.number)
        }
        try scheduler.advance(by: .seconds(86_400))
        #expect(log.entries.count == 86_400)
        let error = #expect(throws: SchedulingError.self) { try scheduler.run() }
        #expect(error?.description.hasSuffix("repeating: heartbeat") == true)
        work.cancel()
    }
}
