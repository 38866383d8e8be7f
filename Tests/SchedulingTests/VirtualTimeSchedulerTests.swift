// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scheduling

/// The verbs, limits and holds of virtual time; what it shares with real time is in `ConformanceTests`.
@Suite struct VirtualTimeSchedulerTests {
    private let scheduler = VirtualTimeScheduler()
    private let log = Log<String>()

    private func at(
        _ due: Int64, phase: Phase = .timer, label: WorkLabel = "work", _ name: String,
        _ work: @escaping () -> Void = {}
    ) {
        scheduler.schedule(at: Instant(nanoseconds: due), phase: phase, label: label) {
            [scheduler, log] in
            log.add("\(name)@\(scheduler.now.nanoseconds)")
            work()
        }
    }

    private func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    // MARK: Verbs

    @Test func `advancing to an instant runs it and ends there`() throws {
        at(10, "a")
        at(20, "b")
        at(21, "c")
        let progress = try scheduler.advance(to: instant(20))
        #expect(log.entries == ["a@10", "b@20"])
        #expect(
            progress
                == Progress(now: instant(20), step: 0, ran: 2, isIdle: false, blockedBy: []))
        #expect(try scheduler.advance(to: instant(30)).isIdle)
        #expect(scheduler.now == instant(30))
    }

    @Test func `advancing by a duration includes its end, and by zero runs what is due`() throws {
        at(0, "a")
        at(5, "b")
        #expect(try scheduler.advance(by: .zero).ran == 1)
        #expect(scheduler.now == .zero)
        #expect(try scheduler.advance(by: .nanoseconds(5)).ran == 1)
        #expect(try scheduler.advance(by: .seconds(Int64.max)).now == .distantFuture)
    }

    @Test func `advancing to before an instant leaves it waiting, and the clock stands there`()
        throws
    {
        at(10, "a")
        at(20, "b")
        try scheduler.advance(before: instant(20))
        #expect(log.entries == ["a@10"])
        #expect(scheduler.now == instant(20))
        try scheduler.runDue()
        #expect(log.entries == ["a@10", "b@20"])
    }

    @Test func `a duration below zero is an error`() {
        #expect(throws: SchedulingError.negativeDuration(.nanoseconds(-1))) {
            try scheduler.advance(by: .nanoseconds(-1))
        }
    }

    @Test func `a target in the past is an error`() throws {
        try scheduler.advance(to: instant(10))
        let error = SchedulingError.targetInThePast(target: instant(9), now: instant(10))
        #expect(throws: error) { try scheduler.advance(to: instant(9)) }
        #expect(throws: error) { try scheduler.advance(before: instant(9)) }
        #expect(scheduler.now == instant(10))
    }

    @Test func `a step runs one item and moves the clock to it`() throws {
        at(10, "a")
        at(10, "b")
        at(30, "c")
        #expect(
            try scheduler.step()
                == Progress(now: instant(10), step: 0, ran: 1, isIdle: false, blockedBy: []))
        #expect(log.entries == ["a@10"])
        try scheduler.step()
        #expect(
            try scheduler.step()
                == Progress(now: instant(30), step: 0, ran: 1, isIdle: true, blockedBy: []))
        #expect(try scheduler.step().ran == 0)
        #expect(log.entries == ["a@10", "b@10", "c@30"])
    }

    @Test func `running what is due moves no clock`() throws {
        at(0, "a") { at(0, "made") }
        at(1, "b")
        let progress = try scheduler.runDue()
        #expect(log.entries == ["a@0", "made@0"])
        #expect(progress.ran == 2 && progress.step == 1 && !progress.isIdle)
        #expect(scheduler.now == .zero)
    }

    @Test func `a run ends when nothing waits, on its last item`() throws {
        at(10, "a") { at(1_000_000_000_000, "far") }
        let progress = try scheduler.run()
        #expect(log.entries == ["a@10", "far@1000000000000"])
        #expect(progress.isIdle && progress.ran == 2)
        #expect(scheduler.now == instant(1_000_000_000_000))
    }

    @Test func `a run until a condition ends after the item that makes it true`() throws {
        for due in 1...10 { at(Int64(due), "a") }
        let progress = try scheduler.run(until: { log.entries.count == 3 })
        #expect(
            progress
                == Progress(now: instant(3), step: 0, ran: 3, isIdle: false, blockedBy: []))
        let already = try scheduler.run(until: { true })
        #expect(
            already == Progress(now: instant(3), step: 0, ran: 0, isIdle: false, blockedBy: []))
        let idle = try scheduler.run(until: { false })
        #expect(idle.isIdle && idle.ran == 7)
    }

    @Test func `a run until a condition has a limit of its own`() throws {
        for due in 1...10 { at(Int64(due), label: "tick", "a") }
        #expect(
            throws: SchedulingError.limitReached(.items(4), at: instant(4), repeating: ["tick"])
        ) {
            try scheduler.run(until: { false }, limit: 4)
        }
        #expect(scheduler.now == instant(4) && scheduler.pendingCount == 6)
    }

    @Test func `stop ends the run after the item that asks, and the clock stays`() throws {
        at(10, "a") { [scheduler] in scheduler.stop() }
        at(10, "b")
        at(20, "c")
        let progress = try scheduler.advance(to: instant(100))
        #expect(log.entries == ["a@10"])
        #expect(progress.now == instant(10) && progress.ran == 1 && !progress.isIdle)
        #expect(scheduler.now == instant(10) && scheduler.pendingCount == 2)
        try scheduler.run()
        #expect(log.entries == ["a@10", "b@10", "c@20"])
    }

    @Test func `a stop asked for between runs ends none`() throws {
        at(10, "a")
        scheduler.stop()
        #expect(try scheduler.run().ran == 1)
    }

    @Test func `stop ends a run until a condition too`() throws {
        at(10, "a") { [scheduler] in scheduler.stop() }
        at(20, "b")
        try scheduler.run(until: { false })
        #expect(log.entries == ["a@10"])
    }

    @Test func `a driven action cannot drive`() throws {
        at(10, "a") { [scheduler, log] in
            let verbs: [(String, () throws -> Progress)] = [
                ("to", { try scheduler.advance(to: .distantFuture) }),
                ("by", { try scheduler.advance(by: .seconds(1)) }),
                ("before", { try scheduler.advance(before: .distantFuture) }),
                ("runDue", { try scheduler.runDue() }),
                ("step", { try scheduler.step() }),
                ("run", { try scheduler.run() }),
                ("until", { try scheduler.run(until: { false }) }),
            ]
            for (name, verb) in verbs {
                #expect(throws: SchedulingError.alreadyRunning) { try verb() }
                log.add(name)
            }
        }
        at(20, "b")
        try scheduler.run()
        #expect(
            log.entries
                == ["a@10", "to", "by", "before", "runDue", "step", "run", "until", "b@20"])
    }

    @Test func `a run begun before an action cannot be carried on inside it`() throws {
        var begun = try scheduler.beginRun(.idle)
        at(10, "a") { [scheduler] in
            #expect(throws: SchedulingError.alreadyRunning) {
                try scheduler.resume(&begun, atMost: 1)
            }
        }
        at(20, "b")
        try scheduler.run()
    }

    // MARK: Busy

    @Test func `what falls due while an action is busy runs late, at the new now`() throws {
        at(1, "a") { [scheduler] in
            scheduler.busy(for: .nanoseconds(10))
            at(scheduler.now.nanoseconds, "queued")
            at(scheduler.now.nanoseconds + 2, "later")
        }
        at(5, "overdue")
        at(11, "on time")
        try scheduler.run()
        #expect(
            log.entries == ["a@1", "overdue@11", "on time@11", "queued@11", "later@13"])
    }

    @Test func `a microstep never goes back within an instant`() throws {
        let steps = Log<UInt32>()
        func note() { steps.add(scheduler.microstep) }
        at(1, "a") { [scheduler] in
            scheduler.busy(for: .nanoseconds(10))
            at(11, "made") { note() }
            note()
        }
        at(5, "overdue") {
            note()
            at(11, "made by overdue") { note() }
        }
        at(6, "overdue too") { note() }
        at(11, "on time") { note() }
        try scheduler.run()
        #expect(steps.entries == [0, 0, 0, 0, 1, 1])
        #expect(log.entries.suffix(2) == ["made@11", "made by overdue@11"])
    }

    @Test func `being busy past the target does not run what lies after it`() throws {
        at(1, "a") { [scheduler] in scheduler.busy(for: .nanoseconds(100)) }
        at(50, "b")
        try scheduler.advance(to: instant(10))
        #expect(log.entries == ["a@1"])
        #expect(scheduler.now == instant(101))
        try scheduler.runDue()
        #expect(log.entries == ["a@1", "b@101"])
    }

    // MARK: Limits

    @Test func `work without a delay that makes itself again meets the limit on microsteps`() throws
    {
        func again() { scheduler.schedule(at: .zero, phase: .queued, label: "poll", again) }
        again()
        scheduler.schedule(at: instant(5), phase: .timer, label: "innocent") {}
        #expect(
            throws: SchedulingError.limitReached(
                .microsteps(10_000), at: .zero, repeating: ["poll"])
        ) {
            try scheduler.run()
        }
        #expect(scheduler.now == .zero && scheduler.pendingCount == 2)
        // Still there, and still an error: nothing hangs.
        #expect(throws: SchedulingError.self) { try scheduler.step() }
    }

    @Test func `the limit on microsteps counts what makes itself, not what came before`() throws {
        for _ in 0..<20 {
            at(0, "a")
            try scheduler.runDue()
        }
        scheduler.limits.microsteps = 10
        var left = 9
        func again() {
            left -= 1
            if left > 0 { scheduler.schedule(at: .zero, phase: .queued, label: "poll", again) }
        }
        scheduler.schedule(at: .zero, phase: .queued, label: "poll", again)
        #expect(try scheduler.runDue().ran == 9)
    }

    @Test func `too many items end a run, and it names what repeats most`() throws {
        scheduler.limits.items = 1000
        func tick() { scheduler.schedule(after: .nanoseconds(1), label: "tick", tick) }
        func slow() { scheduler.schedule(after: .nanoseconds(10), label: "slow", slow) }
        tick()
        slow()
        let error = #expect(throws: SchedulingError.self) { try scheduler.run() }
        guard case .limitReached(.items(1000), let at, let repeating) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(at == scheduler.now)
        #expect(repeating == ["tick", "slow"])
        #expect(
            error?.description.hasSuffix("; repeating: tick, slow") == true)
        // The limit is per run: the next goes on from here.
        let now = scheduler.now
        #expect(throws: SchedulingError.self) { try scheduler.run() }
        #expect(scheduler.now > now)
    }

    @Test func `exactly as many items as allowed are no error`() throws {
        scheduler.limits.items = 3
        for _ in 0..<3 { at(1, "a") }
        #expect(try scheduler.run().ran == 3)
    }

    @Test func `nothing runs past the horizon, and the error names it`() throws {
        scheduler.limits.horizon = instant(100)
        at(100, label: "last", "a")
        at(101, label: "beyond", "b")
        let error = SchedulingError.limitReached(
            .horizon(instant(100)), at: instant(100), repeating: ["beyond"])
        #expect(throws: error) { try scheduler.advance(to: instant(200)) }
        #expect(log.entries == ["a@100"])
        #expect(scheduler.pendingCount == 1)
    }

    @Test func `a run that meets a limit in slices tells how far it came`() throws {
        scheduler.limits.items = 5
        for due in 1...9 { at(Int64(due), "a") }
        var run = try scheduler.beginRun(.idle)
        #expect(try !scheduler.resume(&run, atMost: 3))
        #expect(run.progress.ran == 3 && run.progress.now == instant(3))
        #expect(throws: SchedulingError.self) { try scheduler.resume(&run, atMost: 3) }
        #expect(run.progress.ran == 5 && run.progress.now == instant(5))
    }

    @Test func `limits that let nothing run stop the program`() async {
        await #expect(processExitsWith: .failure) { _ = SchedulingLimits(items: 0) }
        await #expect(processExitsWith: .failure) { _ = SchedulingLimits(microsteps: 70_000) }
    }

    // MARK: Slices

    @Test func `between slices others may schedule, cancel and drive`() throws {
        for due in 1...4 { at(Int64(due), "a") }
        var run = try scheduler.beginRun(.through(instant(10)))
        #expect(try !scheduler.resume(&run, atMost: 2))
        at(2, "between")
        try scheduler.advance(to: instant(3))
        #expect(try scheduler.resume(&run, atMost: 10))
        #expect(log.entries == ["a@1", "a@2", "between@2", "a@3", "a@4"])
        #expect(run.progress.now == instant(10) && run.progress.ran == 3)
        // A run that another overtook finds nothing and turns no clock back.
        var late = try scheduler.beginRun(.through(instant(20)))
        try scheduler.advance(to: instant(30))
        #expect(try scheduler.resume(&late, atMost: 1))
        #expect(scheduler.now == instant(30))
    }

    // MARK: Holds

    @Test func `while a hold is open what is due runs, and the clock stays`() throws {
        at(0, "due")
        at(10, "later")
        let socket = scheduler.hold("socket")
        let worker = scheduler.hold("worker")
        let blocked = try scheduler.advance(to: instant(20))
        #expect(log.entries == ["due@0"])
        #expect(
            blocked
                == Progress(
                    now: .zero, step: 0, ran: 1, isIdle: false, blockedBy: ["socket", "worker"]))
        socket.release()
        socket.release()
        #expect(try scheduler.run().blockedBy == ["worker"])
        #expect(try scheduler.step().blockedBy == ["worker"])
        worker.release()
        #expect(try scheduler.advance(to: instant(20)).blockedBy == [])
        #expect(log.entries == ["due@0", "later@10"])
    }

    @Test func `a hold blocks nothing that would not move the clock`() throws {
        at(10, "later")
        let hold = scheduler.hold("socket")
        #expect(try scheduler.runDue().blockedBy == [])
        #expect(try scheduler.advance(by: .zero).blockedBy == [])
        scheduler.removeAll()
        #expect(try scheduler.run().blockedBy == [])
        #expect(try scheduler.advance(to: instant(1)).blockedBy == ["socket"])
        hold.release()
    }

    @Test func `a hold may be taken and released by what runs`() throws {
        var hold: Hold?
        at(1, "take") { [scheduler] in hold = scheduler.hold("worker") }
        at(1, phase: .check, "release") { hold?.release() }
        at(2, "after")
        #expect(try scheduler.run().isIdle)
        #expect(log.entries == ["take@1", "release@1", "after@2"])
    }

    @Test func `a hold outlives its timeline in peace`() {
        var timeline: VirtualTimeScheduler? = VirtualTimeScheduler()
        let hold = timeline?.hold("socket")
        timeline = nil
        hold?.release()
    }

    // MARK: Wall clock

    @Test func `the wall clock starts in 2001 and moves with the timeline`() throws {
        #expect(scheduler.wallNanoseconds == 978_307_200_000_000_000)
        try scheduler.advance(by: .seconds(2))
        #expect(scheduler.wallNanoseconds == 978_307_202_000_000_000)
        scheduler.jumpWall(by: .seconds(-3600))
        #expect(scheduler.wallNanoseconds == 978_303_602_000_000_000)
        #expect(scheduler.now == instant(2_000_000_000))
        #expect(VirtualTimeScheduler(wallOrigin: 5).wallNanoseconds == 5)
    }
}
