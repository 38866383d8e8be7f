// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Testing

/// Tasks that leave the timeline fail their test by name; tasks that stay, or only wake, do not.
@Suite struct EscapeTests {
    private let scheduler = TestScheduler()

    private func escape(_ matching: String, _ body: @escaping () -> Void) {
        withKnownIssue {
            scheduler.scheduleAt(1) { body() }
            scheduler.start()
        } matching: { issue in
            issue.comments.contains { "\($0)".contains(matching) }
        }
    }

    @Test func `a task that leaves the timeline is named by file and line`() {
        let line = #line + 1
        escape("EscapeTests.swift:\(line)") { Task {} }
    }

    @Test func `a detached task is named too`() {
        let line = #line + 1
        escape("EscapeTests.swift:\(line)") { Task.detached {} }
    }

    @Test func `a task that leaves from inside a task is named`() {
        escape("EscapeTests.swift:\(#line)") { [scheduler] in scheduler.task { _ = Task {} } }
    }

    @Test func `tasks of the timeline and their children are none`() {
        let clock = scheduler.timeline.clock
        scheduler.task {
            async let child: Void? = try? clock.sleep(for: .seconds(1))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await clock.sleep(for: .seconds(2)) }
            }
            _ = await child
        }
        scheduler.start()
        #expect(scheduler.clock == 2_000)
    }

    @Test func `waking a test that waits for its timeline is none`() async {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        async let first = stream.first { _ in true }
        // The other task waits by now, or reads what is there: either way nothing leaves.
        await Task.yield()
        scheduler.scheduleAt(1) { feed.yield(7) }
        scheduler.start()
        #expect(await first == 7)
    }

    @Test func `a task that is started outside any work is the test's own affair`() async {
        #expect(await Task { 7 }.value == 7)
    }
}
