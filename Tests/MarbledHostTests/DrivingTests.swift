// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

@Suite struct DrivingTests {
    private func instant(_ tick: Int) -> Instant { Instant(nanoseconds: Int64(tick) * 1_000_000) }

    @Test func `a run ends where it was told to`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        for tick in [10, 20, 30] { try instance.send("set", .int(Int64(tick)), atTick: tick) }
        let first = try instance.advance(toTick: 20)
        #expect(first.now == instant(20) && first.ran == 2 && !first.isIdle)
        let second = try instance.run(.before(instant(30)))
        #expect(second.now == instant(30) && second.ran == 0 && !second.isIdle)
        let third = try instance.run(.oneItem)
        #expect(third.ran == 1 && third.isIdle)
        #expect(try instance.run().ran == 0)
    }

    @Test func `the clock does not go back`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        try instance.advance(toTick: 5)
        #expect(
            throws: HostError.badValue(
                pointer: "/to", expected: "at the clock (5ms) or later; it never goes back")
        ) { try instance.advance(toTick: 4) }
        #expect(
            throws: HostError.badValue(
                pointer: "/before", expected: "at the clock (5ms) or later; it never goes back")
        ) { try instance.run(.before(instant(4))) }
        #expect(instance.clock.now == instant(5) && !instance.isRunning)
    }

    @Test func `a condition ends a run after the item that made it true`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        for tick in 1...9 { try instance.send("set", .int(Int64(tick)), atTick: tick) }
        var outcome: Result<Progress, HostError>?
        try instance.drive(.idle, until: { (try? instance.stateText("state")) == "4" }) {
            outcome = $0
        }
        #expect(try outcome?.get().now == instant(4))
        #expect(try outcome?.get().ran == 4)
        // True before the first item: nothing runs.
        try instance.drive(.idle, until: { true }) { outcome = $0 }
        #expect(try outcome?.get().ran == 0)
    }

    @Test func `a limit of items ends a run with an error and the rest still waits`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        for tick in 1...9 { try instance.send("set", .int(Int64(tick)), atTick: tick) }
        #expect(throws: HostError.self) { try instance.run(limit: 4) }
        #expect(try instance.stateText("state") == "4")
        #expect(try instance.run().ran == 5)
    }

    // MARK: In slices

    /// A lab in which every look at the clock is a slice's end.
    private func slicing() throws -> ProbeLab {
        var clock: Int64 = 0
        var limits = HostLimits()
        limits.sliceNanoseconds = 1
        return try ProbeLab(limits: limits) {
            clock += 1
            return clock
        }
    }

    private func load(_ instance: Instance) throws {
        for tick in 0..<2_000 {
            try instance.send("set", .int(Int64(tick)), atTick: tick + 1)
            try instance.send("wait", .int(Int64(tick % 7)), atTick: tick + 1)
        }
    }

    @Test func `driving in slices gives the record of one run`() throws {
        let whole = try ProbeLab()
        let one = try whole.open()
        try load(one)
        try one.run()

        let probe = try slicing()
        var turns = 0
        probe.host.runsNeedTurns = { turns += 1 }
        let cut = try probe.open()
        try load(cut)
        var outcome: Result<Progress, HostError>?
        try cut.drive(.idle) { outcome = $0 }
        #expect(outcome == nil && cut.isRunning && turns == 1 && probe.host.hasRunningInstances)
        var slices = 1
        while probe.host.hasRunningInstances {
            probe.host.resumeRuns()
            slices += 1
        }
        #expect(slices > 10)
        #expect(try outcome?.get().isIdle == true)
        #expect(cut.lines == one.lines)
    }

    @Test func `runs of several instances take turns`() throws {
        let probe = try slicing()
        let instances = [try probe.open(), try probe.open()]
        var ended: [String] = []
        for instance in instances {
            try load(instance)
            try instance.drive(.idle) { _ in ended.append(instance.name) }
        }
        probe.host.resumeRuns()
        #expect(instances.allSatisfy { $0.clock.now > .zero && $0.isRunning })
        while probe.host.hasRunningInstances { probe.host.resumeRuns() }
        #expect(ended == ["i1", "i2"])
    }

    @Test func `what is asked while a run goes on waits for its end, in order`() throws {
        let probe = try slicing()
        let instance = try probe.open()
        try load(instance)
        var order: [String] = []
        instance.whenIdle { order.append("before") }
        try instance.drive(.idle) { _ in order.append("run") }
        instance.whenIdle {
            order.append("first")
            // A run that is begun here makes the others wait again.
            try? self.load(instance)
            try? instance.drive(.idle) { _ in order.append("second run") }
        }
        instance.whenIdle { order.append("second") }
        #expect(
            throws: HostError.conflict("\"i1\" is being run already; wait for that answer first")
        ) {
            try instance.drive(.idle) { _ in }
        }
        while probe.host.hasRunningInstances { probe.host.resumeRuns() }
        #expect(order == ["before", "run", "first", "second run", "second"])
    }

    @Test func `very much that waited has its turn in order, in many turns and on one stack frame`()
        throws
    {
        let probe = try slicing()
        let instance = try probe.open()
        try load(instance)
        try instance.drive(.idle) { _ in }
        let count = 3_000
        var order: [Int] = []
        for number in 0..<count {
            instance.whenIdle {
                // Nothing waits on its timeline: it is over at once.
                try? instance.drive(.idle) { _ in order.append(number) }
            }
        }
        while instance.isRunning { probe.host.resumeRuns() }
        var turns = 0
        var late: Int?
        while probe.host.hasRunningInstances {
            probe.host.resumeRuns()
            turns += 1
            // Whoever comes now comes behind the others.
            if turns == 10 {
                #expect(instance.isBusy && !instance.isRunning)
                instance.whenIdle { late = order.count }
            }
        }
        #expect(order == Array(0..<count))
        #expect(late == count && turns > count / 2)
        #expect(!instance.isBusy)
    }

    @Test func `closing while a run goes on ends it, and then what waited`() throws {
        let probe = try slicing()
        let instance = try probe.open()
        try load(instance)
        var order: [String] = []
        try instance.drive(.idle) { outcome in
            if case .failure(let error) = outcome { order.append("\(error)") }
        }
        instance.whenIdle { order.append("\(instance.life)") }
        probe.host.close(instance)
        #expect(order == ["instance \"i1\" was closed while it ran", "closed"])
        #expect(!probe.host.hasRunningInstances && !instance.isRunning)
        probe.host.resumeRuns()
        #expect(order.count == 2)
    }

    @Test func `an instance closed by its own run is answered once`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        let listener = Listener(onSaid: { _ in probe.host.close(instance) })
        try load(instance)
        try instance.send("say", "close me", atTick: 5)
        instance.subscribe(listener, to: try instance.feature.outputNumber("said"))
        var outcomes: [Result<Progress, HostError>] = []
        try instance.drive(.idle) { outcomes.append($0) }
        #expect(outcomes.count == 1)
        #expect(throws: HostError.closed("instance \"i1\" was closed while it ran")) {
            _ = try outcomes[0].get()
        }
        #expect(instance.clock.pendingCount == 0 && instance.clock.now == instant(5))
    }

    @Test(arguments: [true, false])
    func `closing inside a callback lets the callback end first`(_ isVirtual: Bool) throws {
        let probe = try ProbeLab()
        let tracker = Probe.Tracker()
        let instance = try Probe.$tracker.withValue(tracker) {
            try probe.open(isVirtual: isVirtual)
        }
        var wasThere = false
        let listener = Listener(onSaid: { _ in
            probe.host.close(instance)
            wasThere = tracker.feature != nil
        })
        instance.subscribe(listener, to: try instance.feature.outputNumber("said"))
        #expect(throws: HostError.closed("instance \"i1\" was closed")) {
            try instance.send("say", "close me")
        }
        #expect(wasThere && tracker.feature == nil)
        #expect(probe.host.instanceCount == 0)
        // Another may have its name at once.
        _ = try probe.open(isVirtual: isVirtual)
    }

    @Test func `a run of a closed instance is refused`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        probe.host.close(instance)
        #expect(throws: HostError.closed("instance \"i1\" was closed")) { try instance.run() }
    }
}
