// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scheduling

/// What every timeline does, virtual or real: the same tests for both.
@Suite struct ConformanceTests {
    // MARK: Order

    @Test(arguments: TimelineKind.allCases)
    func `equal instants run by phase, in whatever order they were scheduled`(
        kind: TimelineKind
    ) throws {
        for seed in 0..<50 {
            var random = SeededRandom(seed: UInt64(seed))
            let timeline = kind.make()
            let log = Log<Phase>()
            for phase in Phase.allCases.shuffled(using: &random) {
                timeline.at(10, phase) { log.add(phase) }
            }
            try timeline.advance(to: 10)
            #expect(
                log.entries == [.windowCloses, .windowOpens, .arrival, .queued, .timer, .check])
        }
    }

    @Test(arguments: TimelineKind.allCases, [true, false])
    func `a value on the deadline beats the timer`(kind: TimelineKind, timerFirst: Bool) throws {
        let timeline = kind.make()
        let log = Log<String>()
        var deadline = WorkToken.none
        if timerFirst { deadline = timeline.at(30) { log.add("timeout") } }
        timeline.at(30, .arrival) {
            log.add("value")
            timeline.scheduler.cancel(deadline)
        }
        if !timerFirst { deadline = timeline.at(30) { log.add("timeout") } }
        try timeline.advance(to: 100)
        #expect(log.entries == ["value"])
    }

    @Test(arguments: TimelineKind.allCases)
    func `equal keys leave in the order they came`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int>()
        for number in 0..<1000 { timeline.at(10) { log.add(number) } }
        try timeline.advance(to: 10)
        #expect(log.entries == Array(0..<1000))
    }

    @Test(arguments: TimelineKind.allCases)
    func `work made for the running instant goes to its next microstep, whatever its phase`(
        kind: TimelineKind
    ) throws {
        let timeline = kind.make()
        let log = Log<String>()
        func note(_ name: String) {
            log.add("\(name) \(timeline.now).\(timeline.scheduler.microstep)")
        }
        timeline.at(10, .timer) {
            note("timer")
            timeline.at(10, .check) { note("made check") }
            timeline.at(10, .windowCloses) {
                note("made close")
                timeline.at(10, .arrival) { note("made again") }
            }
        }
        timeline.at(10, .check) { note("check") }
        timeline.at(11) { note("later") }
        try timeline.advance(to: 20)
        #expect(
            log.entries == [
                "timer 10.0", "check 10.0", "made close 10.1", "made check 10.1", "made again 10.2",
                "later 11.0",
            ])
    }

    @Test(arguments: TimelineKind.allCases)
    func `twenty thousand random due times come out sorted, ties as they came`(
        kind: TimelineKind
    ) throws {
        var random = SeededRandom(seed: 7)
        let timeline = kind.make()
        let log = Log<(time: Int64, number: Int)>()
        for number in 0..<20_000 {
            let due = Int64.random(in: 0..<5_000, using: &random)
            timeline.at(due) { log.add((due, number)) }
        }
        timeline.checkInvariants()
        try timeline.advance(to: 5_000)
        #expect(log.entries.count == 20_000)
        for (earlier, later) in zip(log.entries, log.entries.dropFirst()) {
            guard (earlier.time, earlier.number) < (later.time, later.number) else {
                Issue.record("\(earlier) ran before \(later)")
                break
            }
        }
    }

    @Test(arguments: TimelineKind.allCases)
    func `out of order in, in order out`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int>()
        for (due, number) in [(0, 1), (100, 2), (0, 3), (500, 4), (0, 5), (100, 6)] {
            timeline.at(Int64(due)) { log.add(number) }
        }
        try timeline.advance(to: 500)
        #expect(log.entries == [1, 3, 5, 2, 6, 4])
    }

    // MARK: Past and future

    @Test(arguments: TimelineKind.allCases)
    func `a time in the past means now, and the clock never goes back`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<String>()
        timeline.at(10) {
            timeline.at(3) { log.add("past at \(timeline.now)") }
            timeline.at(-5) { log.add("before zero at \(timeline.now)") }
            timeline.at(10) { log.add("now at \(timeline.now)") }
        }
        try timeline.advance(to: 20)
        timeline.at(1) { log.add("from outside at \(timeline.now)") }
        try timeline.advance(to: 20)
        #expect(
            log.entries == [
                "past at 10", "before zero at 10", "now at 10", "from outside at 20",
            ])
    }

    @Test(arguments: TimelineKind.allCases)
    func `the target of an advance is included, and what is made for it`(kind: TimelineKind) throws
    {
        let timeline = kind.make()
        let log = Log<Int64>()
        timeline.at(1) {
            log.add(timeline.now)
            timeline.at(1) { log.add(timeline.now) }
            timeline.scheduler.schedule(after: .nanoseconds(2)) { log.add(timeline.now) }
        }
        try timeline.advance(to: 1)
        #expect(log.entries == [1, 1] && timeline.now == 1)
        try timeline.advance(to: 2)
        #expect(log.entries == [1, 1])
        try timeline.advance(to: 3)
        #expect(log.entries == [1, 1, 3] && timeline.now == 3)
    }

    @Test(arguments: TimelineKind.allCases)
    func `a chain of delays is run by one advance, to the nanosecond`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int64>()
        func link(_ left: Int) {
            timeline.scheduler.schedule(after: .seconds(1) / 3) {
                log.add(timeline.now)
                if left > 1 { link(left - 1) }
            }
        }
        link(3)
        try timeline.advance(to: 1_000_000_000)
        #expect(log.entries == [333_333_333, 666_666_666, 999_999_999])
    }

    @Test(arguments: TimelineKind.allCases)
    func `a delay below zero counts as zero`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int64>()
        timeline.at(5) {
            timeline.scheduler.schedule(after: .nanoseconds(-3)) { log.add(timeline.now) }
        }
        try timeline.advance(to: 5)
        #expect(log.entries == [5])
    }

    @Test(arguments: TimelineKind.allCases)
    func `an endless delay saturates and is not the past`(kind: TimelineKind) throws {
        let timeline = kind.make()
        try timeline.advance(to: 100)
        timeline.scheduler.schedule(after: .seconds(Int64.max)) { Issue.record("ran") }
        #expect(timeline.nextDue == .distantFuture)
        try timeline.advance(to: 1_000_000_000_000)
        #expect(timeline.pendingCount == 1)
    }

    // MARK: Cancelling

    @Test(arguments: TimelineKind.allCases)
    func `an item cancelled by an earlier one of its instant does not run`(
        kind: TimelineKind
    ) throws {
        let timeline = kind.make()
        let log = Log<String>()
        var twin = WorkToken.none
        timeline.at(10) {
            log.add("first")
            #expect(timeline.scheduler.cancel(twin))
        }
        twin = timeline.at(10) { log.add("twin") }
        timeline.at(10) { log.add("last") }
        try timeline.advance(to: 10)
        #expect(log.entries == ["first", "last"])
    }

    @Test(arguments: TimelineKind.allCases)
    func `cancelling says whether it took anything back`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let scheduler = timeline.scheduler
        let taken = timeline.at(10) { Issue.record("ran") }
        #expect(taken != .none)
        #expect(scheduler.cancel(taken))
        #expect(!scheduler.cancel(taken))
        #expect(!scheduler.cancel(.none))
        var own = WorkToken.none
        own = timeline.at(20) { #expect(!scheduler.cancel(own), "it runs already") }
        // The slot of `taken` is in use again; its old token still names nothing.
        #expect(!scheduler.cancel(taken))
        try timeline.advance(to: 20)
        #expect(!scheduler.cancel(own))
        #expect(!scheduler.cancel(WorkToken(rawValue: .max)))
        #expect(timeline.pendingCount == 0)
    }

    @Test(arguments: TimelineKind.allCases)
    func `a debounce that starts over again and again keeps one item`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<Int64>()
        var token = WorkToken.none
        for round in 1...100_000 {
            timeline.scheduler.cancel(token)
            token = timeline.at(Int64(round)) { log.add(timeline.now) }
        }
        #expect(timeline.pendingCount == 1)
        timeline.checkInvariants()
        try timeline.advance(to: 200_000)
        #expect(log.entries == [100_000])
    }

    // MARK: Closures

    @Test(arguments: TimelineKind.allCases)
    func `a closure is let go when its work ran, was cancelled or removed, or the timeline ends`(
        kind: TimelineKind
    ) throws {
        let log = Log<String>()
        var timeline: (any Timeline)? = kind.make()
        func put(_ name: String, at due: Int64) -> WorkToken {
            let witness = Witness { log.add(name) }
            return timeline?.at(due) { witness.touch() } ?? .none
        }
        _ = put("ran", at: 1)
        try timeline?.advance(to: 1)
        #expect(log.entries == ["ran"])
        timeline?.scheduler.cancel(put("cancelled", at: 2))
        #expect(log.entries == ["ran", "cancelled"])
        _ = put("removed", at: 3)
        timeline?.removeAll()
        #expect(log.entries == ["ran", "cancelled", "removed"])
        _ = put("ended", at: 4)
        timeline = nil
        #expect(log.entries == ["ran", "cancelled", "removed", "ended"])
    }

    @Test(arguments: TimelineKind.allCases)
    func `what a closure lets go of may schedule and cancel`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<String>()
        func put(_ name: String, at due: Int64) -> WorkToken {
            let other = timeline.at(1000) { Issue.record("ran") }
            let witness = Witness {
                #expect(timeline.scheduler.cancel(other))
                timeline.at(50) { log.add(name) }
            }
            return timeline.at(due) { witness.touch() }
        }
        _ = put("ran", at: 1)
        try timeline.advance(to: 1)
        timeline.scheduler.cancel(put("cancelled", at: 2))
        try timeline.advance(to: 60)
        #expect(log.entries == ["ran", "cancelled"])

        let witness = Witness { timeline.at(70) { log.add("removed") } }
        timeline.at(65) { witness.touch() }
        _ = consume witness
        timeline.removeAll()
        timeline.checkInvariants()
        try timeline.advance(to: 100)
        #expect(log.entries == ["ran", "cancelled", "removed"])
    }

    // MARK: Being driven

    @Test(arguments: TimelineKind.allCases)
    func `inside its work a timeline is the current one, nested timelines included`(
        kind: TimelineKind
    ) throws {
        let outer = kind.make()
        let inner = TimelineKind.virtual.make()
        outer.at(1) {
            #expect(CurrentScheduler.scheduler === outer.scheduler)
            inner.at(1) { #expect(CurrentScheduler.scheduler === inner.scheduler) }
            #expect(throws: Never.self) { try inner.advance(to: 1) }
            #expect(inner.pendingCount == 0)
            #expect(CurrentScheduler.scheduler === outer.scheduler)
        }
        #expect(CurrentScheduler.scheduler == nil)
        try outer.advance(to: 1)
        #expect(outer.pendingCount == 0)
        #expect(CurrentScheduler.scheduler == nil)
    }

    @Test(arguments: TimelineKind.allCases)
    func `what waits is told in the order it would run`(kind: TimelineKind) {
        let timeline = kind.make()
        timeline.at(20, label: "third") {}
        timeline.at(10, .timer, label: "second") {}
        let gone = timeline.at(5, label: "cancelled") {}
        timeline.at(10, .arrival, label: "first") {}
        timeline.scheduler.cancel(gone)
        #expect(timeline.pending().map(\.label.description) == ["first", "second", "third"])
        #expect(timeline.pending().map(\.due.nanoseconds) == [10, 10, 20])
        #expect(timeline.nextDue == Instant(nanoseconds: 10))
        #expect(timeline.pendingCount == 3)
    }

    @Test(arguments: TimelineKind.allCases)
    func `a client may send to one instant for as long as it likes`(kind: TimelineKind) throws {
        let timeline = kind.make()
        let log = Log<UInt32>()
        for _ in 0..<100_000 {
            timeline.at(0, .arrival) { log.add(timeline.scheduler.microstep) }
            try timeline.advance(to: 0)
        }
        #expect(log.entries == Array(0..<100_000))
    }

    /// A random program: items that make items and cancel others, each writing down where it ran.
    private func play(seed: UInt64, on timeline: any Timeline) throws -> [String] {
        let log = Log<String>()
        var random = SeededRandom(seed: seed)
        var tokens: [WorkToken] = []
        func put(_ name: String, depth: Int) {
            let due = timeline.now + Int64.random(in: -2...6, using: &random)
            let phase = Phase.allCases.randomElement(using: &random) ?? .timer
            tokens.append(
                timeline.at(due, phase) {
                    log.add("\(name)@\(timeline.now).\(timeline.scheduler.microstep)")
                    guard depth < 5 else { return }
                    for child in 0..<Int.random(in: 0...2, using: &random) {
                        put("\(name)\(child)", depth: depth + 1)
                    }
                    if Bool.random(using: &random), let token = tokens.randomElement(using: &random)
                    {
                        log.add("\(timeline.scheduler.cancel(token))")
                    }
                })
        }
        for round in 0..<10 {
            for item in 0..<10 { put("\(round)\(item)-", depth: 0) }
            try timeline.advance(to: Int64(round * 4))
            timeline.checkInvariants()
        }
        try timeline.advance(to: 1000)
        #expect(timeline.pendingCount == 0)
        return log.entries
    }

    @Test(arguments: 0..<15 as Range<UInt64>)
    func `a program runs alike in virtual and real time, in one go and in slices`(
        seed: UInt64
    ) throws {
        let expected = try play(seed: seed, on: VirtualTimeline())
        #expect(expected.count > 100)
        for slice in [1, 2, 7] {
            #expect(try play(seed: seed, on: VirtualTimeline(slice: slice)) == expected)
            #expect(try play(seed: seed, on: RealTimeline(pass: slice)) == expected)
        }
        #expect(try play(seed: seed, on: RealTimeline()) == expected)
    }
}
