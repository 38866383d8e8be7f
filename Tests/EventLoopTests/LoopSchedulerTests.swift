// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@testable import EventLoop

@Suite struct LoopSchedulerTests {
    @Test func `nothing runs before its instant, and all of it in order`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            var random = SystemRandomNumberGenerator()
            var order: [Int64] = []
            var early = 0
            for _ in 0..<300 {
                let due = Instant(nanoseconds: .random(in: 0..<30_000_000, using: &random))
                scheduler.schedule(at: due, phase: .timer, label: "item") {
                    order.append(due.nanoseconds)
                    let isEarly =
                        EventLoop.monotonicNanoseconds < scheduler.clockReading(at: due)
                        || scheduler.now < due
                    if isEarly { early += 1 }
                }
            }
            loop.turn { order.count == 300 }
            #expect(early == 0)
            #expect(order == order.sorted())
            #expect(scheduler.nextDue == nil)
        }
    }

    @Test func `closing cancels the tasks, which still clean up`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            var said: [String] = []
            let clock = scheduler.clock
            scheduler.task {
                said.append("begins")
                do { try await clock.sleep(for: .seconds(3_600)) } catch { said.append("\(error)") }
            }
            loop.turn { said == ["begins"] }
            scheduler.close()
            #expect(said == ["begins", "CancellationError()"])
            #expect(scheduler.pendingCount == 0)
        }
    }

    @Test func `equal instants follow phase, then the order they came`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            let due = scheduler.instant(after: .milliseconds(2))
            var order: [String] = []
            for (phase, name) in [
                (Phase.timer, "t1"), (.check, "c1"), (.arrival, "a1"), (.timer, "t2"),
                (.queued, "q1"),
                (.arrival, "a2"), (.windowOpens, "o1"), (.windowCloses, "w1"),
            ] {
                scheduler.schedule(at: due, phase: phase, label: "item") {
                    order.append(name)
                    if name == "a1" {
                        // Overdue by now: what it makes comes after everything else of this pass.
                        scheduler.schedule(at: due, phase: .arrival, label: "item") {
                            order.append("made")
                        }
                    }
                }
            }
            loop.turn { order.count == 9 }
            #expect(order == ["w1", "o1", "a1", "a2", "q1", "t1", "t2", "c1", "made"])
        }
    }

    @Test func `an item cancelled by its twin of the same instant does not run`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            let due = scheduler.instant(after: .milliseconds(1))
            var order: [Int] = []
            var twin = WorkToken.none
            scheduler.schedule(at: due, phase: .timer, label: "one") {
                order.append(1)
                #expect(scheduler.cancel(twin))
            }
            twin = scheduler.schedule(at: due, phase: .timer, label: "two") { order.append(2) }
            scheduler.schedule(at: due, phase: .check, label: "three") { order.append(3) }
            loop.turn { order.count == 2 }
            #expect(order == [1, 3])
        }
    }

    @Test func `cancelling the head leaves the others on time`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            var ran = false
            let head = scheduler.schedule(after: .milliseconds(1)) { Issue.record("cancelled") }
            scheduler.schedule(after: .milliseconds(4)) { ran = true }
            scheduler.cancel(head)
            loop.turn { ran }
        }
    }

    @Test func `a delay counts from when it is asked for, however long the loop was idle`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            compute(forNanoseconds: 10_000_000)
            let start = EventLoop.monotonicNanoseconds
            var ran: Int64?
            scheduler.schedule(after: .milliseconds(5)) { ran = EventLoop.monotonicNanoseconds }
            loop.turn { ran != nil }
            #expect((ran ?? 0) - start >= 5_000_000)
        }
    }

    @Test func `more than a pass of due work leaves others their turn`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop, passLimit: 10)
            defer { scheduler.close() }
            var ran = 0
            var ranAtTurns: [Int] = []
            for _ in 0..<35 { scheduler.schedule(after: .zero) { ran += 1 } }
            func turn() {
                ranAtTurns.append(ran)
                if ran < 35 { loop.nextTurn(turn) }
            }
            loop.nextTurn(turn)
            loop.turn { ranAtTurns.last == 35 }
            #expect(ranAtTurns == [10, 20, 30, 35])
        }
    }

    @Test func `work without a delay that makes itself again does not starve a socket`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop, passLimit: 50)
            let (near, far) = try SocketConnection.makePair(on: loop)
            let owner = Owner()
            far.start(owner)
            func again() { scheduler.schedule(after: .zero, again) }
            again()
            near.write("hello")
            loop.turn { owner.text == "hello" }
            scheduler.close()
            near.close()
        }
    }

    @Test func `periodic work keeps to its start`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            defer { scheduler.close() }
            var dues: [Int64] = []
            let start = scheduler.instant(after: .milliseconds(1))
            let work = try PeriodicWork(on: scheduler, every: .microseconds(1500), from: start) {
                dues.append($0.due.nanoseconds - start.nanoseconds)
            }
            loop.turn { dues.count >= 5 }
            work.cancel()
            #expect(dues.prefix(5) == [0, 1_500_000, 3_000_000, 4_500_000, 6_000_000])
        }
    }

    @Test func `a closed timeline runs nothing and takes nothing`() throws {
        try withLoop { loop in
            let scheduler = LoopScheduler(on: loop)
            scheduler.schedule(after: .zero) { Issue.record("dropped") }
            scheduler.schedule(after: .milliseconds(1)) { Issue.record("dropped") }
            scheduler.close()
            scheduler.schedule(after: .zero) { Issue.record("too late") }
            var isOver = false
            let timer = LoopTimer(on: loop) { isOver = true }
            timer.start(after: .milliseconds(3))
            loop.turn { isOver }
        }
    }

    @Test func `a timeline that is let go lets its work go`() throws {
        try withLoop { loop in
            weak var witness: Owner?
            do {
                let scheduler = LoopScheduler(on: loop)
                let owner = Owner()
                witness = owner
                scheduler.schedule(after: .seconds(1000)) { withExtendedLifetime(owner) {} }
            }
            #expect(witness == nil)
        }
    }
}
