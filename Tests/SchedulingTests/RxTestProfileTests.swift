// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scheduling

/// The rules of order that suites written for RxTest count on.
@Suite struct RxTestProfileTests {
    private let scheduler = VirtualTimeScheduler(profile: .rxTest, tick: .nanoseconds(1))
    private let log = Log<String>()

    private func at(
        _ due: Int64, phase: Phase = .timer, _ name: String, _ work: @escaping () -> Void = {}
    ) {
        scheduler.schedule(at: Instant(nanoseconds: due), phase: phase, label: "work") {
            [scheduler, log] in
            log.add("\(name)@\(scheduler.now.nanoseconds)")
            work()
        }
    }

    @Test func `equal times run in the order of insertion, whatever their phase`() throws {
        at(10, phase: .check, "check")
        at(10, phase: .timer, "timer") { at(10, phase: .windowCloses, "made") }
        at(10, phase: .arrival, "arrival")
        try scheduler.run()
        #expect(log.entries == ["check@10", "timer@10", "arrival@10", "made@10"])
        #expect(scheduler.microstep == 0)
    }

    @Test(arguments: [Duration.zero, .nanoseconds(-5)])
    func `a delay of zero or less lands one tick later`(delay: Duration) throws {
        at(10, "a") { [scheduler, log] in
            scheduler.schedule(after: delay) { log.add("b@\(scheduler.now.nanoseconds)") }
            scheduler.schedule(after: .nanoseconds(1)) { log.add("c@\(scheduler.now.nanoseconds)") }
        }
        try scheduler.run()
        #expect(log.entries == ["a@10", "b@11", "c@11"])
    }

    @Test func `a time in the past means now`() throws {
        at(10, "a") { at(3, "past") }
        try scheduler.run()
        #expect(log.entries == ["a@10", "past@10"])
    }

    @Test func `ten busy ticks move the rest to 11 and 13`() throws {
        at(1, "a") { [scheduler] in
            scheduler.busy(for: .nanoseconds(10))
            at(scheduler.now.nanoseconds, "b")
            at(scheduler.now.nanoseconds + 2, "c")
        }
        try scheduler.run()
        #expect(log.entries == ["a@1", "b@11", "c@13"])
    }
}
