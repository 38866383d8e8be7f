// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 70, 73 to 79, 100 to 102 and 108: async code on the timeline.
@Suite struct AsyncConformanceTests {
    private final class Notes {
        var lines: [String] = []
        var clocks: [Int] = []
    }

    private let scheduler = TestScheduler()
    private let notes = Notes()
    private var timeline: VirtualTimeScheduler { scheduler.timeline }

    private func note() { notes.clocks.append(scheduler.clock) }
    private func note(_ text: String) { notes.lines.append("\(scheduler.clock) \(text)") }
    private func nap(_ count: Int) async throws {
        try await timeline.clock.sleep(for: ticks(count))
    }

    @Test func `row 70 async sleep: ends with the advance that reaches it`() {
        scheduler.task {
            try await nap(1_000)
            note()
        }
        scheduler.advanceTo(999)
        #expect(notes.clocks == [])
        scheduler.advanceTo(1_000)
        #expect(notes.clocks == [1_000])
    }

    @Test(arguments: [false, true])
    func `row 70 async timer: ten ticks, by one advance or by a run`(isRun: Bool) {
        scheduler.task {
            let iterator = Observable<Int>.interval(ticks(1_000)).values.makeAsyncIterator()
            for _ in 1...10 {
                _ = try await iterator.next()
                note()
            }
        }
        if isRun { scheduler.start() } else { scheduler.advanceTo(10_000) }
        #expect(notes.clocks == (1...10).map { $0 * 1_000 })
    }

    @Test func `row 73 re-entrant work: one advance releases five sleeps, each after the last`() {
        scheduler.task {
            for _ in 1...5 {
                try await nap(1_000)
                note()
            }
        }
        scheduler.advanceTo(5_000)
        #expect(notes.clocks == [1_000, 2_000, 3_000, 4_000, 5_000])
        #expect(timeline.executor.runningTasks.isEmpty)
    }

    @Test func `row 74 many units of work: ten ticks in one run, and the run ends`() {
        scheduler.task {
            for try await _ in Observable<Int>.interval(ticks(1_000)).take(10).values { note() }
            note("over")
        }
        scheduler.start()
        #expect(notes.clocks.count == 10)
        #expect(notes.lines == ["10000 over"])
        #expect(timeline.pendingCount == 0)
    }

    // C: there a second of real time ends the run. Here the virtual limits do, so that the same run ends
    // at the same place every time.
    @Test func `row 75 an endless sleeper: reported by name, at a virtual limit`() {
        scheduler.limits.items = 50
        scheduler.task("a heart") { while !Task.isCancelled { try await nap(1_000) } }
        let error = #expect(throws: SchedulingError.self) { try timeline.run() }
        guard case .limitReached(.items(50), _, let repeating) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(repeating.contains("a task's sleep"))
        #expect(timeline.executor.runningTasks.map(\.label.description) == ["a heart"])
    }

    @Test func `row 76 a pending sleeper: seen by the check, and gone after its time`() {
        scheduler.task { try await nap(1_000) }
        scheduler.advanceTo(0)
        #expect(timeline.pending().map(\.label.description) == ["a task's sleep"])
        withKnownIssue {
            StubDoor(on: scheduler).finish(allowing: [.runningTasks])
        } matching: { issue in
            issue.comments.map(\.rawValue).joined()
                .contains("work still waits:\n  a task's sleep, due at tick 1000")
        }
        scheduler.advanceTo(1_000)
        StubDoor(on: scheduler).finish()
    }

    @Test func `row 77 cooperative cancellation: the sleep ends at once, what follows it does not`()
    {
        let task = scheduler.task {
            try await nap(1_000)
            note("slept")
        }
        task.cancel()
        scheduler.start()
        #expect(notes.lines == [])
        #expect(scheduler.clock == 0)
    }

    @Test func `row 77 cancellation removes the sleeper: nothing waits any more`() {
        let task = scheduler.task {
            do { try await nap(1_000) } catch { note("\(error is CancellationError)") }
        }
        scheduler.advanceTo(10)
        #expect(timeline.pendingCount == 1)
        scheduler.scheduleAt(20) { task.cancel() }
        scheduler.start()
        #expect(notes.lines == ["20 true"])
        #expect(timeline.pendingCount == 0)
        #expect(scheduler.clock == 20)
    }

    @Test func `row 78 sorting: sleepers wake by deadline, whoever lay down first`() {
        scheduler.task {
            let clock = timeline.clock
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await clock.sleep(for: ticks(2_000))
                    return 2
                }
                group.addTask {
                    try await clock.sleep(for: ticks(500))
                    try await clock.sleep(for: ticks(1_000))
                    return 1
                }
                for try await value in group { note("\(value)") }
            }
        }
        scheduler.start()
        #expect(notes.lines == ["1500 1", "2000 2"])
    }

    // C: there a sleep until now waits for the next advance. Here it is due in the drain that runs, in a
    // microstep of its own.
    @Test func `row 79 sleep until exactly now: due at once`() {
        scheduler.scheduleAt(5) {
            scheduler.task {
                note("before, \(scheduler.microstep)")
                try await timeline.clock.sleep(until: timeline.now)
                note("after, \(scheduler.microstep)")
            }
        }
        scheduler.advanceTo(5)
        #expect(notes.lines == ["5 before, 0", "5 after, 1"])
    }

    @Test func `row 100 yield: to the back of the instant`() {
        var stage = 0
        scheduler.task {
            await Task.yield()
            #expect(stage == 1)
            stage = 2
        }
        scheduler.task {
            await Task.yield()
            #expect(stage == 2)
            stage = 3
        }
        #expect(stage == 0)
        scheduler.task { stage = 1 }
        scheduler.advanceTo(0)
        #expect(stage == 3)
    }

    @Test func `row 100 delays: those that wait go on by the time they wake at`() {
        scheduler.task {
            let first = scheduler.task {
                try await nap(100)
                note()
                let inner = scheduler.task {
                    try await nap(70)
                    note()
                }
                try await nap(1)
                note()
                try await inner.value
                try await nap(1)
                note()
            }
            scheduler.task {
                try await nap(200)
                note()
            }
            scheduler.task {
                try await nap(150)
                note()
                try await nap(22)
                note()
            }
            try await nap(201)
            try await first.value
            note()
        }
        scheduler.start()
        #expect(notes.clocks == [100, 101, 150, 170, 171, 172, 200, 201])
    }

    @Test func `row 101 a stuck test: names who waits, since when, and where it was started`() {
        let never = PublishSubject<Int>()
        scheduler.scheduleAt(7) {
            scheduler.task("waits for ever") { for try await _ in never.values {} }
            scheduler.task("is done") {}
        }
        scheduler.start()
        let waiting = timeline.executor.runningTasks
        #expect(waiting.map(\.label.description) == ["waits for ever"])
        #expect(waiting.map(\.since) == [Instant.zero.advanced(by: ticks(7))])
        #expect(waiting.first?.place.hasPrefix("StreamsTests/AsyncConformanceTests.swift:") == true)
        withKnownIssue {
            StubDoor(on: scheduler).finish()
        } matching: { issue in
            issue.comments.map(\.rawValue).joined()
                .hasPrefix("tasks have not ended:\n  waits for ever, started at ")
        }
    }

    @Test func `row 102 paused time: two runs of ten thousand seeded sleeps are equal`() throws {
        func run(seed: UInt64) throws -> [Int64] {
            let timeline = VirtualTimeScheduler()
            var state = seed
            var times: [Int64] = []
            timeline.task {
                for _ in 0..<10_000 {
                    // Knuth's MMIX generator: the same delays in every run.
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    let delay = Duration.nanoseconds(state >> 33 % 1_000_000_000)
                    try await timeline.clock.sleep(for: delay)
                    times.append(timeline.now.nanoseconds)
                }
            }
            try timeline.run()
            return times
        }
        let first = try run(seed: 1)
        #expect(first.count == 10_000)
        #expect(try run(seed: 1) == first)
        #expect(try run(seed: 2) != first)
    }

    // MARK: Row 108

    /// Takes the values of `lane` one by one; before each it waits for the next of `delays`, in ticks.
    private func taken(_ lane: String, waiting delays: [Int]) -> String {
        let source = scheduler.createHotObservable(Lab.parse(lane))
        let observer = scheduler.createObserver(String.self)
        scheduler.task {
            let iterator = source.values.makeAsyncIterator()
            var delays = delays[...]
            while true {
                if let delay = delays.popFirst() { try await nap(delay) }
                guard let value = try await iterator.next() else { return observer.onCompleted() }
                observer.onNext(value)
            }
        }
        scheduler.start()
        return Lab.draw(observer.events)
    }

    @Test(arguments: [
        // What came meanwhile was kept, and is there at once.
        ("-xxx-----|", [0, 4], "-x---(xx)---|"),
        ("-xxx---|", [3], "---(xxx)---|"),
        ("-xxx|", [5, 1, 1, 0], "-----xx(x|)"),
        // One that asks late where nothing is waits for the next.
        ("-x-----y|", [3, 1], "---x---y|"),
    ])
    func `row 108 late demand: values wait for who asks late`(
        lane: String, delays: [Int], expected: String
    ) {
        #expect(taken(lane, waiting: delays) == expected)
    }

    @Test func `row 108 cancel: the loop ends at that very instant, and so does the subscription`()
    {
        let lab = "-a--b- -  c--|"
        let source = scheduler.createHotObservable(Lab.parse(lab))
        let observer = scheduler.createObserver(String.self)
        let task = scheduler.task {
            for try await value in source.values { observer.onNext(value) }
            observer.onCompleted()
        }
        scheduler.scheduleAt(6) { task.cancel() }
        scheduler.start()
        #expect(Lab.draw(observer.events) == "-a--b-|")
        #expect(source.subscriptions == [TestSubscription(0, 6)])
    }
}
