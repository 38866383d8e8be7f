// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Scheduling

/// Async tasks on a timeline: when they begin, in which order they go on, how they end.
@Suite struct TimelineTaskTests {
    let scheduler = VirtualTimeScheduler()
    let log = Log<String>()

    private func note(_ text: String) {
        log.add("\(scheduler.now.nanoseconds / 1_000_000) \(text)")
    }

    private func nap(_ milliseconds: Int) async throws {
        try await scheduler.clock.sleep(for: .milliseconds(milliseconds))
    }

    @Test func `a task begins when the timeline is driven, and sleeps on it`() throws {
        scheduler.task {
            note("begins")
            try await nap(20)
            note("wakes")
        }
        #expect(log.entries.isEmpty)
        try scheduler.run()
        #expect(log.entries == ["0 begins", "20 wakes"])
        #expect(scheduler.executor.runningTasks.isEmpty)
    }

    @Test func `a task that an item starts begins after the item and before the next`() throws {
        scheduler.schedule(at: .zero, phase: .timer, label: "a") {
            scheduler.task { note("task") }
            note("a")
        }
        scheduler.schedule(at: .zero, phase: .timer, label: "b") { note("b") }
        try scheduler.run()
        #expect(log.entries == ["0 a", "0 task", "0 b"])
    }

    @Test func `sleepers wake by deadline, and at one deadline in the order they lay down`() throws
    {
        for (name, delay) in [("a", 30), ("b", 10), ("c", 30), ("d", 20)] {
            scheduler.task {
                try await nap(delay)
                note(name)
            }
        }
        try scheduler.run()
        #expect(log.entries == ["10 b", "20 d", "30 a", "30 c"])
    }

    @Test func `one advance releases sleeps that follow each other`() throws {
        scheduler.task {
            for _ in 0..<5 {
                try await nap(1_000)
                note("tick")
            }
        }
        try scheduler.advance(by: .seconds(5))
        #expect(log.entries == (1...5).map { "\($0)000 tick" })
        #expect(scheduler.now == Instant(nanoseconds: 5_000_000_000))
    }

    @Test func `groups, async let and actors stay on the timeline`() throws {
        let scheduler = scheduler
        let counter = Counter()
        let clock = scheduler.clock
        scheduler.task {
            async let early = Self.napped(clock, 5)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for delay in [30, 10, 20] {
                    group.addTask {
                        try await clock.sleep(for: .milliseconds(delay))
                        await counter.add(delay)
                        return delay
                    }
                }
                for try await delay in group { note("\(delay)") }
            }
            note("early \(try await early), counted \(await counter.total)")
        }
        try scheduler.run()
        #expect(log.entries == ["10 10", "20 20", "30 30", "30 early 5, counted 60"])
    }

    private static func napped(_ clock: TimelineClock, _ milliseconds: Int) async throws -> Int {
        try await clock.sleep(for: .milliseconds(milliseconds))
        return milliseconds
    }

    @Test func `an async stream that a timer feeds is read in the item that fed it`() throws {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        scheduler.task {
            for await value in stream { note("\(value)") }
            note("end")
        }
        for time in [10, 20] {
            scheduler.schedule(
                at: Instant(nanoseconds: Int64(time) * 1_000_000), phase: .timer, label: "feed"
            ) { feed.yield(time) }
        }
        scheduler.schedule(
            at: Instant(nanoseconds: 20_000_000), phase: .timer, label: "finish"
        ) {
            note("finishes")
            feed.finish()
        }
        try scheduler.run()
        #expect(log.entries == ["10 10", "20 20", "20 finishes", "20 end"])
    }

    @Test func `a yield lets the others go on first`() throws {
        for name in ["a", "b"] {
            scheduler.task {
                note(name + "1")
                await Task.yield()
                note(name + "2")
            }
        }
        try scheduler.run()
        #expect(log.entries == ["0 a1", "0 b1", "0 a2", "0 b2"])
    }

    @Test func `the value of a task is waited for in another`() throws {
        let first = scheduler.task {
            try await nap(10)
            return 7
        }
        scheduler.task { note("\(try await first.value)") }
        try scheduler.run()
        #expect(log.entries == ["10 7"])
    }

    @Test func `a sleep of nothing is due at this instant, in a microstep of its own`() throws {
        scheduler.task {
            try await nap(0)
            note("\(scheduler.microstep)")
            try await scheduler.clock.sleep(until: Instant(nanoseconds: -5))
            note("\(scheduler.microstep)")
        }
        try scheduler.runDue()
        #expect(log.entries == ["0 1", "0 2"])
    }

    // MARK: Cancellation

    @Test func `cancelling a task wakes its sleep at once and leaves no timer`() throws {
        let task = scheduler.task {
            do {
                try await nap(1_000)
            } catch {
                note("\(error is CancellationError)")
            }
        }
        try scheduler.advance(by: .milliseconds(5))
        #expect(scheduler.pendingCount == 1)
        task.cancel()
        #expect(task.isCancelled)
        try scheduler.runDue()
        #expect(log.entries == ["5 true"])
        #expect(scheduler.pendingCount == 0)
    }

    @Test func `a task cancelled before it begins does not sleep`() throws {
        let task = scheduler.task {
            note("begins")
            try await nap(10)
            note("never")
        }
        task.cancel()
        try scheduler.run()
        #expect(log.entries == ["0 begins"])
        #expect(scheduler.now == .zero)
    }

    @Test func `a task that an item cancels goes on after that item`() throws {
        let task = scheduler.task {
            try? await nap(1_000)
            note("woken")
        }
        scheduler.schedule(
            at: Instant(nanoseconds: 10_000_000), phase: .timer, label: "cancel"
        ) {
            task.cancel()
            note("cancels")
        }
        scheduler.schedule(
            at: Instant(nanoseconds: 10_000_000), phase: .timer, label: "next"
        ) { note("next") }
        try scheduler.run()
        #expect(log.entries == ["10 cancels", "10 woken", "10 next"])
    }

    @Test func `closing a timeline cancels its tasks, which still clean up`() throws {
        scheduler.task("a long nap") {
            defer { note("cleans up") }
            try await nap(1_000)
        }
        try scheduler.runDue()
        #expect(scheduler.executor.runningTasks.map(\.label.description) == ["a long nap"])
        scheduler.close()
        #expect(log.entries == ["0 cleans up"])
        #expect(scheduler.pendingCount == 0)
        #expect(scheduler.executor.runningTasks.isEmpty)
    }

    @Test func `a task that is started while a real timeline begins goes on at once`() {
        let timeline = RealTimeline()
        timeline.real.runNow {
            timeline.real.task { note("task") }
            note("begun")
        }
        #expect(log.entries == ["0 begun", "0 task"])
        timeline.real.close()
    }

    @Test func `tasks that are ready still run after everything that waited was dropped`() throws {
        scheduler.task { note("task") }
        scheduler.schedule(at: .zero, phase: .timer, label: "dropped") { note("dropped") }
        scheduler.removeAll()
        try scheduler.run()
        scheduler.task { note("another") }
        try scheduler.run()
        #expect(log.entries == ["0 task", "0 another"])
    }

    @Test func `a closed timeline is let go of by tasks that never ended`() throws {
        weak var gone: VirtualTimeScheduler?
        do {
            let scheduler = VirtualTimeScheduler()
            gone = scheduler
            let clock = scheduler.clock
            scheduler.task { try await clock.sleep(for: .seconds(1)) }
            try scheduler.runDue()
            scheduler.close()
        }
        #expect(gone == nil)
    }

    // MARK: Mistakes

    @Test func `an error that nobody takes is told`() throws {
        var told: [String] = []
        scheduler.onUnhandledError = { error, place in told.append("\(place): \(error)") }
        scheduler.task { throw Failure() }
        let awaited = scheduler.task {
            try await nap(1)
            throw Failure()
        }
        scheduler.task { _ = try? await awaited.value }
        try scheduler.run()
        #expect(told == ["a task: Failure()"])
    }

    @Test func `tasks that keep each other running meet the limit on microsteps by name`() throws {
        scheduler.limits.microsteps = 10
        scheduler.task { while !Task.isCancelled { await Task.yield() } }
        #expect(
            throws: SchedulingError.limitReached(
                .microsteps(10), at: .zero, repeating: ["tasks that are ready"])
        ) { try scheduler.run() }
        scheduler.close()
    }

    @Test func `sleeping off the timeline is refused with a sentence`() async throws {
        let clock = scheduler.clock
        await #expect(throws: OffTimelineError()) { try await clock.sleep(for: .seconds(1)) }
        #expect(OffTimelineError().description.contains("context.task"))
        #expect(scheduler.pendingCount == 0)
    }

    @Test func `a task that comes back from outside goes on when the timeline is driven`()
        async throws
    {
        let outside = Foreign()
        scheduler.executor.onForeignJob = { outside.count() }
        let clock = scheduler.clock
        scheduler.task {
            await outside.visit()
            note("back")
            try await clock.sleep(for: .milliseconds(10))
            note("slept")
        }
        try scheduler.runDue()
        outside.sendBack()
        try scheduler.run()
        #expect(log.entries == ["0 back", "10 slept"])
        #expect(outside.counted == 1)
    }

    // MARK: Again and again

    /// `RUNS=10000 swift test --filter "one run"` says so louder.
    @Test func `all runs with groups, actors, streams and sleeps are one run`() throws {
        let runs = ProcessInfo.processInfo.environment["RUNS"].flatMap(Int.init) ?? 200
        let first = try Self.busyRun()
        #expect(first.count == 300)
        for _ in 0..<runs {
            let again = try Self.busyRun()
            guard again == first else {
                #expect(again == first)
                return
            }
        }
    }

    /// Fifty workers that sleep, report to an actor and feed one stream; every order is written down.
    static func busyRun() throws -> [String] {
        let scheduler = VirtualTimeScheduler()
        let clock = scheduler.clock
        let log = Log<String>()
        let counter = Counter()
        let (stream, feed) = AsyncStream.makeStream(of: String.self)
        scheduler.task {
            for await line in stream { log.add("\(clock.now.nanoseconds) \(line)") }
        }
        scheduler.task {
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<50 {
                    group.addTask {
                        for round in 1...3 {
                            try? await clock.sleep(for: .nanoseconds(worker % 7 * round))
                            await counter.add(worker)
                            feed.yield("\(worker).\(round)")
                            await Task.yield()
                            feed.yield("\(worker).\(round) of \(await counter.total)")
                        }
                    }
                }
            }
            feed.finish()
        }
        try scheduler.run()
        return log.entries
    }
}

private struct Failure: Error {}

private actor Counter {
    var total = 0
    func add(_ amount: Int) { total += amount }
}
