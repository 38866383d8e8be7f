// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scenarios
import Scheduling
import Streams
import Synchronization
import Testing

/// Rows 94, 105 and 111: tests that are not finished, seeds, and a network that is late.
@Suite struct FeatureConformanceTests {
    // MARK: Row 94

    @Test(arguments: ["round:", "round: # to be written"])
    func `row 94 an expectation without a value: refused with its place`(lane: String) throws {
        let text = "scenario: unfinished\nfeature: find-number\nexpect:\n  \(lane)\n"
        let error = try #require(throws: ScenarioError.self) { _ = try ScenarioReader.read(text) }
        #expect(error.line == 4)
        #expect(error.message.contains("round has nothing beside it"))
    }

    @Test(arguments: ["{}", "'-'", "{0: 1}"])
    func `row 94 an expectation of nothing: said, and taken`(lane: String) throws {
        let text = "scenario: finished\nfeature: find-number\nexpect: {round: \(lane)}\n"
        #expect(try ScenarioReader.read(text).count == 1)
    }

    @Test func `row 94 a scenario without expectations: refused`() {
        #expect(throws: ScenarioError.self) {
            _ = try ScenarioReader.read("scenario: nothing asked\nfeature: find-number\n")
        }
    }

    @Test func `row 94 an observation that is still open: fails the end of the test`() throws {
        let scheduler = TestScheduler()
        let door = StubDoor(on: scheduler)
        let open = Observable<Int>.interval(.milliseconds(10)).subscribe()
        scheduler.advanceTo(5)
        let issues = Mutex<[String]>([])
        withKnownIssue {
            door.finish()
        } matching: { issue in
            issues.withLock { $0 += issue.comments.map(\.rawValue) }
            return true
        }
        let said = issues.withLock { $0 }
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("work still waits:\n  timer, due at tick 10") == true)
        open.dispose()
        door.finish()
    }

    // MARK: Row 105

    /// The order in which ten tasks finish, each after a nap that the seed draws.
    private static func interleaving(seed: UInt64) -> [Int] {
        let scheduler = TestScheduler()
        let context = FeatureContext.test(on: scheduler, seed: seed)
        var order: [Int] = []
        for task in 0..<10 {
            context.task {
                for _ in 1...5 {
                    let delay = try await context.random.integer(in: 1...1_000).value
                    try await context.clock.sleep(for: .milliseconds(delay))
                }
                order.append(task)
            }
        }
        scheduler.start()
        return order
    }

    // C: there a seed picks among the tasks that are ready. Here those go on in the order they became
    // ready, whatever the seed; what a seed draws are numbers, and so delays.
    @Test func `row 105 seeds: ten of them, ten interleavings, and one seed gives one`() {
        let orders = (1...10).map { Self.interleaving(seed: $0) }
        #expect(Set(orders).count == 10)
        #expect((1...10).map { Self.interleaving(seed: $0) } == orders)
        #expect(orders.allSatisfy { $0.sorted() == Array(0..<10) })
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `row 105 the ready: first come, first served, whatever the seed`(seed: UInt64) {
        let scheduler = TestScheduler()
        let context = FeatureContext.test(on: scheduler, seed: seed)
        var order: [Int] = []
        for task in 0..<10 {
            context.task {
                try await context.clock.sleep(for: .milliseconds(7))
                await Task.yield()
                order.append(task)
            }
        }
        scheduler.start()
        #expect(order == Array(0..<10))
    }

    // MARK: Row 111

    /// What a request says, with its ticks, and when it is over.
    private final class Bench {
        let scheduler = TestScheduler()
        let door: StubDoor
        let context: FeatureContext
        var over: Int?

        init(_ reply: StubReply) {
            door = StubDoor(on: scheduler, stubs: [.http("GET */zen", reply: reply)])
            context = FeatureContext(door, on: scheduler)
        }

        /// The status of the answer, asked for at the subscription.
        var status: Observable<Int> {
            context.http.get("http://localhost/zen").asObservable().map(\.status)
                .do(onDispose: { [unowned self] in over = scheduler.clock })
        }
    }

    // C: there half a second of real time passes, or more. Here the answer comes at its tick.
    @Test func `row 111 delayed stub: answered after exactly its delay`() {
        let bench = Bench(.status(200).after(500))
        let observer = bench.scheduler.start(subscribed: 200) { bench.status }
        expectEvents(observer.events, [.next(700, 200), .completed(700)])
        #expect(bench.over == 700)
        bench.door.finish()
    }

    // C: there a cancelled request fails when its delay ends. Here it is over at the very instant, takes
    // its answer off the timeline, and who waits is told then.
    @Test func `row 111 cancelled request: over at the instant of the cancellation`() {
        let bench = Bench(.status(200).after(500))
        let cancel = bench.scheduler.createHotObservable([.next(300, ())])
        let observer = bench.scheduler.start(subscribed: 200, disposed: 900) {
            bench.status.take(until: cancel)
        }
        expectEvents(observer.events, [.completed(300)])
        #expect(bench.over == 300)
        #expect(bench.scheduler.clock == 900)
        bench.door.finish()
    }

    @Test func `row 111 cancelled task: told at the instant of the cancellation`() {
        let bench = Bench(.status(200).after(500))
        let (scheduler, context) = (bench.scheduler, bench.context)
        var told: [Int] = []
        let task = context.task {
            do {
                _ = try await context.http.get("http://localhost/zen").value
            } catch {
                #expect(error is CancellationError)
                told.append(scheduler.clock)
            }
        }
        scheduler.scheduleAt(300) { task.cancel() }
        scheduler.start()
        #expect(told == [300])
        #expect(scheduler.clock == 300)
        bench.door.finish()
    }

    @Test func `row 111 time-out of the client: a timer on the same timeline`() {
        let bench = Bench(.status(200).after(500))
        let observer = bench.scheduler.start(subscribed: 200) {
            bench.status.timeout(.milliseconds(100))
        }
        expectEvents(
            observer.events, [.error(300, TimeoutError(dueTime: .milliseconds(100)))])
        #expect(bench.over == 300)
        bench.door.finish()
    }

    // Plug-ins there hear of a request before it goes and of its result. Here the door does.
    @Test func `row 111 who listens in: the request, its instant and its answer are kept`() throws {
        let bench = Bench(.status(418).after(500))
        _ = bench.scheduler.start(subscribed: 200) { bench.status }
        let calls = bench.door.calls(.http)
        #expect(calls.map(\.time) == [200])
        #expect(calls.map(\.isStubbed) == [true])
        #expect(try calls.first?.request(as: HTTPRequest.self).url == "http://localhost/zen")
    }
}
