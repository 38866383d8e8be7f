// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// Runs that overlap in one process see nothing of each other.
@Suite struct IndependenceTests {
    /// One run of a bit of everything, as text.
    private static func schedulerRun() -> [String] {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable("10ms a-b 28ms c 20ms |")
        let load = Stub<String, Single<String>>("load", on: scheduler)
            .when("a", { $0 == "a" }, .just("A").delay(.milliseconds(7)))
            .otherwise(.just("?").delay(.milliseconds(30)))
        let show = Spy<String, Void>("show", on: scheduler)
        // No scheduler is given: each finds the one whose work it is.
        let result = scheduler.start(created: 0, subscribed: 0) {
            source.delay(.milliseconds(3)).flatMap { load($0).asObservable() }
                .do(onNext: { show($0) }).timeout(.milliseconds(50))
        }
        let other = scheduler.start(created: 1_000, subscribed: 1_000, disposed: 1_200) {
            Observable<Int>.interval(.milliseconds(9)).debounce(.milliseconds(4)).take(5)
        }
        var lines = result.events.map { "\($0)" } + other.events.map { "\($0)" } + show.record
        lines += source.subscriptions.map { "\($0)" }
        scheduler.finish()
        return lines
    }

    private static func harnessRun() throws -> [String] {
        let desk = try Harness(
            Desk.self,
            stubs: [.http("*/a*", reply: .text("A").after(4)), .http(reply: .fail("refused"))])
        for (tick, text) in ["a", "ab", "x", "abc"].enumerated() {
            desk.send("text", text, at: tick * 13)
            desk.send("clock", at: tick * 7)
        }
        desk.busy(for: .milliseconds(3), at: 20)
        desk.run()
        let lines = desk.record
        desk.finish()
        return lines
    }

    @Test func `a thousand schedulers and harnesses at once give the record of one alone`()
        async throws
    {
        let alone = (scheduler: Self.schedulerRun(), harness: try Self.harnessRun())
        #expect(alone.scheduler.count == 14)
        #expect(alone.harness.count > 15 && alone.harness.contains("30 output ticks 2"))
        let different = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    // Others run in between, on this thread and the other.
                    await Task.yield()
                    let isSame =
                        number % 2 == 0
                        ? Self.schedulerRun() == alone.scheduler
                        : try Self.harnessRun() == alone.harness
                    return isSame ? 0 : 1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(different == 0)
    }
}
