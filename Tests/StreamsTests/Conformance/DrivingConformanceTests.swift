// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 58, 93, 95, 97 to 99 and 104: who drives a timeline, how far, and whose it is.
@Suite struct DrivingConformanceTests {
    // C: there the default is one per process, swapped for the length of a closure. Here a timeline is
    // current for the work that runs on it, on its thread alone; nothing of the process is touched.
    @Test func `row 58 current scheduler: the one before is current again, after a throw too`() {
        func isCurrent(_ scheduler: TestScheduler?) -> Bool {
            CurrentScheduler.scheduler === scheduler?.timeline
        }
        #expect(CurrentScheduler.scheduler == nil)
        do {
            let outer = TestScheduler()
            let inner = VirtualTimeScheduler()
            #expect(isCurrent(outer))
            CurrentScheduler.with(inner) {
                #expect(CurrentScheduler.scheduler === inner)
                CurrentScheduler.with(outer.timeline) { #expect(isCurrent(outer)) }
                #expect(CurrentScheduler.scheduler === inner)
            }
            #expect(isCurrent(outer))
            #expect(throws: Oops.self) {
                try CurrentScheduler.with(inner) { throw Oops() }
            }
            #expect(isCurrent(outer))
        }
        #expect(CurrentScheduler.scheduler == nil)
    }

    @Test func `row 93 endless work: a number of items ends the run, with the culprit's name`() {
        let scheduler = TestScheduler()
        scheduler.limits.items = 5
        Observable<Int>.interval(ticks(1)).subscribe()
        let limit = SchedulingError.limitReached(
            .items(5), at: Instant.zero.advanced(by: ticks(5)), repeating: ["timer"])
        #expect(throws: limit) { try scheduler.timeline.run() }
    }

    @Test func `row 93 horizon: a timer past it is an error, one on it is not`() {
        let scheduler = TestScheduler()
        scheduler.limits.horizon = .zero.advanced(by: ticks(10))
        var ran = 0
        scheduler.schedule(after: ticks(10)) { ran += 1 }
        #expect(throws: Never.self) { try scheduler.timeline.run() }
        #expect(ran == 1)
        scheduler.schedule(after: ticks(1), label: "late") { ran += 1 }
        let end = Instant.zero.advanced(by: ticks(10))
        #expect(
            throws: SchedulingError.limitReached(.horizon(end), at: end, repeating: ["late"])
        ) { try scheduler.timeline.run() }
        #expect(ran == 1)
    }

    // C: there overlapping runs wait for one another and nested ones are refused, since the clock is the
    // process's. Here a timeline knows of no other.
    @Test func `row 95 overlapping and nested runs: independent of one another`() {
        let first = TestScheduler()
        let second = TestScheduler()
        var order: [String] = []
        first.scheduleAt(0) { order.append("first at \(first.clock)") }
        first.scheduleAt(5) {
            order.append("first at \(first.clock)")
            // A whole run inside an item of another timeline.
            second.start()
            order.append("first still at \(first.clock)")
        }
        second.scheduleAt(0) { order.append("second at \(second.clock)") }
        second.scheduleAt(100) { order.append("second at \(second.clock)") }
        first.advanceTo(4)
        second.advanceTo(50)
        first.start()
        #expect(
            order == [
                "first at 0", "second at 0", "first at 5", "second at 100", "first still at 5",
            ])
        #expect(first.clock == 5 && second.clock == 100)
    }

    // C: there the target of an advance is left out. Here it is included, and there is a verb that
    // leaves it out.
    @Test(arguments: Profile.allCases)
    func `row 97 advance by: its target is included, and left out by advance before`(
        _ profile: Profile
    ) throws {
        for isIncluded in [true, false] {
            let timeline = TestScheduler(profile: profile).timeline
            var entered = false
            timeline.schedule(after: ticks(15)) { entered = true }
            if isIncluded {
                try timeline.advance(by: ticks(15))
            } else {
                try timeline.advance(before: .zero.advanced(by: ticks(15)))
                #expect(!entered)
                #expect(timeline.now == .zero.advanced(by: ticks(15)))
                try timeline.runDue()
            }
            #expect(entered)
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 98 negative advance: an error, and the clock stays`(_ profile: Profile) {
        let timeline = TestScheduler(profile: profile).timeline
        #expect(throws: SchedulingError.negativeDuration(ticks(-1))) {
            try timeline.advance(by: ticks(-1))
        }
        #expect(timeline.now == .zero)
    }

    // C: both saturate; there the target instant is left to the next verb, here it is run.
    @Test(arguments: Profile.allCases)
    func `row 98 enormous delays: time ends, wraps nowhere, and its last instant is run`(
        _ profile: Profile
    ) throws {
        let timeline = TestScheduler(profile: profile).timeline
        timeline.limits.horizon = .distantFuture
        try timeline.advance(to: Instant(nanoseconds: 10))
        var seen: [Int64] = []
        timeline.schedule(after: .nanoseconds(Int64.max - 1)) {
            seen.append(timeline.now.nanoseconds)
        }
        timeline.schedule(after: .nanoseconds(Int64.max - 11)) {
            seen.append(timeline.now.nanoseconds)
        }
        try timeline.advance(by: .nanoseconds(Int64.max))
        #expect(seen == [.max - 1, .max])
        #expect(timeline.now == .distantFuture)
    }

    // C: there a driven action may drive on. Here it is refused with an error, so that no item ever runs
    // inside another of its own timeline.
    @Test(arguments: Profile.allCases)
    func `row 99 nested advancing: refused, and the outer run goes on`(_ profile: Profile) throws {
        let timeline = TestScheduler(profile: profile).timeline
        var stage = 1
        timeline.schedule(after: ticks(1)) {
            timeline.schedule(after: ticks(1)) { stage = 3 }
            #expect(throws: SchedulingError.alreadyRunning) { try timeline.advance(by: ticks(1)) }
            #expect(throws: SchedulingError.alreadyRunning) { try timeline.run() }
            stage = 2
        }
        try timeline.advance(by: ticks(1))
        #expect(stage == 2)
        #expect(timeline.now == .zero.advanced(by: ticks(1)))
        try timeline.runDue()
        #expect(stage == 2)
        try timeline.run()
        #expect(stage == 3)
    }

    @Test(arguments: [
        [51_592, 1], [3_141_592, 3_123_456], [1_000, 1_000], [250, 250, 250, 250, 1_500],
    ])
    func `row 104 odd durations: the clock moves by them exactly`(_ steps: [Int64]) throws {
        let timeline = VirtualTimeScheduler()
        var ran: [Int64] = []
        timeline.schedule(after: .milliseconds(1)) { ran.append(timeline.now.nanoseconds) }
        var total: Int64 = 0
        for step in steps {
            try timeline.advance(by: .microseconds(step))
            total += step * 1_000
            #expect(timeline.now.nanoseconds == total)
            // Due to the nanosecond: a timer of one millisecond is never early and never late.
            #expect(ran == (total < 1_000_000 ? [] : [1_000_000]))
        }
        try timeline.advance(by: .nanoseconds(1))
        #expect(timeline.now.nanoseconds == total + 1)
    }
}
