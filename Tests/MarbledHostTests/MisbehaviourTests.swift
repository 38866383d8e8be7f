// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import TestSupport
import Testing

/// What a plugin does wrong ends its own instance, with a reason; the host and its neighbour go on.
@Suite struct MisbehaviourTests {
    private static func lab(limits: HostLimits = HostLimits()) throws -> Lab {
        Lab(limits: limits).add(try Products.badPlugin())
    }

    static let mistakes: [(String, String)] = [
        ("unknownOutput", "it emitted on output number 7; it has 2"),
        ("badJSON", "what it emitted on said is not JSON"),
        ("badNumber", "what it emitted on said is not JSON"),
        ("emptyValue", "what it emitted on said is not JSON"),
        ("nullValue", "what it emitted on said is not JSON"),
        ("afterCompletion", "it emitted on said after that had ended"),
        ("afterError", "it emitted on said after that had ended"),
        ("completionWithValue", "it emitted a completion with a value"),
        ("unknownEvent", "it emitted an event of kind 9"),
        ("badRequest", "what it asked of http is not JSON"),
        ("longEffectName", "it asked for an effect whose name has 300 bytes"),
        ("manyEffectNames", "it asked for more than 256 different effects"),
        ("fail", "it had enough"),
        ("timerThenFail", "it had enough"),
        ("failSilently", "it gave no reason"),
        ("floodTimers", "it has 100 timers pending and asks for another"),
        ("floodEffects", "it has 50 effects open and asks for another"),
    ]

    private static var limits: HostLimits {
        var limits = HostLimits()
        limits.pendingWork = 100
        // Above the number of effect names, so that each of the two bounds is met alone.
        limits.openEffects = 50
        return limits
    }

    private func limits(for mistake: String) -> HostLimits {
        var limits = Self.limits
        if mistake == "manyEffectNames" {
            limits.openEffects = 1_000
            limits.pendingWork = 1_000
        }
        return limits
    }

    private func expectEnded(
        _ instance: Instance, _ reason: String, beside neighbour: Instance, _ lab: Lab,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(instance.life == .failed(reason), sourceLocation: sourceLocation)
        #expect(
            throws: HostError.pluginFailed(instance: instance.name, reason: reason),
            sourceLocation: sourceLocation
        ) { try instance.send("poke", "x") }
        #expect(
            lab.log.contains { $0.level == .error && $0.line.hasSuffix("ended: \(reason)") },
            sourceLocation: sourceLocation)
        #expect(instance.clock.pendingCount == 0, sourceLocation: sourceLocation)
        #expect(instance.openEffects.isEmpty, sourceLocation: sourceLocation)
        #expect(!(try instance.said("said").contains("\"late\"")), sourceLocation: sourceLocation)
        // It is kept, so that the reason can be read, and its neighbour has noticed nothing.
        #expect(try lab.host.instance(instance.name) === instance, sourceLocation: sourceLocation)
        try neighbour.send("poke", "nothing")
        #expect(neighbour.life == .open, sourceLocation: sourceLocation)
        #expect(try neighbour.stateText("state") == "1", sourceLocation: sourceLocation)
        lab.host.close(instance)
        #expect(instance.life == .closed, sourceLocation: sourceLocation)
    }

    @Test(arguments: mistakes)
    func `a mistake made in an input ends the instance`(_ mistake: String, _ reason: String) throws
    {
        let lab = try Self.lab(limits: limits(for: mistake))
        let (instance, neighbour) = (try lab.open("misbehaving"), try lab.open("misbehaving"))
        var ends: [String] = []
        instance.subscribe(Listener(onEnd: { ends.append($0) }), to: 0)
        #expect(throws: HostError.pluginFailed(instance: "i1", reason: reason)) {
            try instance.send("poke", .string(mistake))
        }
        #expect(ends == ["i1: \(reason)"])
        try expectEnded(instance, reason, beside: neighbour, lab)
        #expect(ends.count == 1)
    }

    @Test(arguments: mistakes)
    func `a mistake made while it is opened opens nothing`(_ mistake: String, _ reason: String)
        throws
    {
        let lab = try Self.lab(limits: limits(for: mistake))
        let neighbour = try lab.open("misbehaving")
        #expect(
            throws: HostError.pluginRefused("misbehaving failed while it was opened: \(reason)")
        ) { _ = try lab.open("misbehaving", options: ["misbehave": .string(mistake)]) }
        #expect(lab.host.instanceCount == 1)
        try neighbour.send("poke", "nothing")
    }

    @Test(arguments: ["timer", "answer"], mistakes)
    func `a mistake made in a timer or an answer ends the instance and its run`(
        _ when: String, _ mistake: (String, String)
    ) throws {
        let lab = try Self.lab(limits: limits(for: mistake.0))
        let neighbour = try lab.open("misbehaving")
        let instance = try lab.open(
            "misbehaving", options: ["misbehave": .string(mistake.0), "when": .string(when)])
        #expect(throws: HostError.pluginFailed(instance: "i2", reason: mistake.1)) {
            try instance.run()
        }
        try expectEnded(instance, mistake.1, beside: neighbour, lab)
    }

    @Test(arguments: ["timer", "answer"])
    func `in real time a mistake ends the instance just so`(_ when: String) throws {
        let lab = try Self.lab()
        let neighbour = try lab.open("misbehaving", isVirtual: false)
        let instance = try lab.open(
            "misbehaving", options: ["misbehave": "badJSON", "when": .string(when)],
            isVirtual: false)
        guard case .real(let scheduler) = instance.clock else { return }
        lab.clock = 5_000_000
        scheduler.runDue()
        try expectEnded(instance, "what it emitted on said is not JSON", beside: neighbour, lab)
    }

    @Test(arguments: [
        ("refuse", "it does not feel like it"),
        ("refuseSilently", "the plugin refused and said nothing"),
        ("failAndRefuse", "misbehaving failed while it was opened: it cannot start"),
    ])
    func `a refusal to start is told in the plugin's words`(
        _ mistake: String, _ sentence: String
    ) throws {
        let lab = try Self.lab()
        #expect(throws: HostError.pluginRefused(sentence)) {
            _ = try lab.open("misbehaving", options: ["misbehave": .string(mistake)])
        }
        #expect(lab.host.instanceCount == 0)
        _ = try lab.open("misbehaving")
    }

    // MARK: What is odd and no mistake

    @Test func `a handle of the past reaches nobody`() throws {
        let lab = try Self.lab()
        let (old, instance) = (try lab.open("misbehaving"), try lab.open("misbehaving"))
        lab.host.close(old)
        let entries = old.record.next
        try instance.send("poke", "stale")
        #expect(try instance.said("said") == ["[0,0,0,0,0,0,0]"])
        #expect(old.record.next == entries && old.life == .closed && instance.life == .open)
        // Each of its calls was counted; only to ask for a capability needs no instance.
        #expect(lab.host.lateCalls == 9)
        #expect(lab.log.isEmpty)
    }

    @Test func `handles of the past are bounded, and one that serves again is another's`() throws {
        var limits = HostLimits()
        limits.restingHandles = 4
        let lab = try Self.lab(limits: limits)
        for count in 1...20 {
            lab.host.close(try lab.open("misbehaving"))
            #expect(lab.host.restingHandles == min(count, 4))
        }
        let open = try (0..<8).map { _ in try lab.open("misbehaving") }
        #expect(lab.host.restingHandles == 3)
        for instance in open { try instance.send("poke", "x") }
        lab.host.closeAll()
        #expect(lab.host.restingHandles == 11)
        _ = try (0..<12).map { _ in try lab.open("misbehaving") }
        #expect(lab.host.restingHandles == 3)
    }

    @Test func `a callback that keeps the loop is told to the log`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "slow")
        let line = try #require(lab.log.first)
        #expect(line.level == .warning)
        #expect(line.line.hasPrefix("instance i1 of bad-plugin kept the loop for "))
        #expect(instance.life == .open)
    }

    @Test(arguments: ["create", "timer", "answer"])
    func `wherever it keeps the loop the log is told`(_ when: String) throws {
        let lab = try Self.lab()
        let instance = try lab.open(
            "misbehaving", options: ["misbehave": "slow", "when": .string(when)])
        try instance.run()
        #expect(lab.log.count == 1 && lab.log[0].line.contains("kept the loop for"))
    }

    @Test func `work that makes itself again for ever meets a limit that names it`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        let error = #expect(throws: HostError.self) { try instance.send("poke", "neverEnding") }
        guard case .limit(let sentence) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(
            sentence.hasSuffix("work without a delay makes itself again; repeating: never-ending"))
        #expect(instance.life == .open && instance.clock.now == .zero)
    }

    @Test func `in real time such work leaves the loop its turns`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving", isVirtual: false)
        try instance.send("poke", "neverEnding")
        guard case .real(let scheduler) = instance.clock else { return }
        #expect(scheduler.runDue(atMost: 100) == 100)
        #expect(scheduler.pendingCount == 1)
        lab.host.close(instance)
        #expect(scheduler.runDue() == 0)
    }

    @Test func `a large value is carried whole`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "huge")
        #expect(try instance.said("said").map(\.utf8.count) == [1 << 20])
    }

    @Test func `a value over several lines is kept on one`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        var heard: [String] = []
        let listener = Listener(onSaid: { heard.append($0) })
        instance.subscribe(listener, to: 0)
        try instance.send("poke", "lines")
        #expect(try instance.said("said") == ["[1, 2,  \"a\\nb\"]"])
        #expect(heard == ["3@0 [1, 2,  \"a\\nb\"]"])
    }

    @Test func `white space around a value is not kept`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "blanks")
        #expect(try instance.said("said") == ["[1, 2]", "3"])
    }

    @Test func `a log line of an unknown level is an ordinary one`() throws {
        let lab = try Self.lab()
        try lab.open("misbehaving").send("poke", "logLines")
        #expect(lab.log.map(\.level) == [.info])
        #expect(lab.log.map(\.line) == ["i1: two\nlines"])
    }

    @Test func `work in a phase that is not known is a timer`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "unknownPhase")
        #expect(try instance.said("said") == ["\"late\""])
    }

    @Test func `to cancel what is not there changes nothing`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving")
        try instance.send("poke", "cancelNothing")
        #expect(try instance.said("said") == ["false"])
    }

    @Test func `what is said while it goes away is not heard`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving", options: ["misbehave": "speakInDestroy"])
        lab.host.close(instance)
        #expect(instance.life == .closed)
        #expect(instance.lines == ["0 output state 0"])
        #expect(lab.log.isEmpty)
    }

    // MARK: Threads

    @Test func `work posted from a thread runs on the loop, and none of it after the end`() throws {
        let mail = Mailbox()
        let host = Host(.init(post: { mail.put($0) }))
        host.add(try Products.badPlugin())
        var request = Host.OpenRequest(feature: "misbehaving", isVirtual: true)
        request.options = ["misbehave": "thread"]
        let instance = try host.open(request)
        // A hundred come before the end is announced; the test reads its mail until they are there.
        var delivered = 0
        while delivered < 100 { delivered += mail.deliver() }
        #expect(try instance.said("said").count == 100)
        #expect(instance.lines.last == "0.99 output said \"posted\"")
        host.close(instance)
        let entries = instance.record.next
        // What it posted while it was told to end arrives, and finds nobody.
        #expect(mail.deliver() == 100)
        #expect(instance.record.next == entries)
    }

    @Test func `posted work is not run for the instance that has the handle next`() throws {
        let mail = Mailbox()
        var limits = HostLimits()
        limits.restingHandles = 0
        let host = Host(.init(post: { mail.put($0) }), limits: limits)
        host.add(try Products.badPlugin())
        var request = Host.OpenRequest(feature: "misbehaving", isVirtual: true)
        request.options = ["misbehave": "thread"]
        host.close(try host.open(request))
        request.options = [:]
        let next = try host.open(request)
        #expect(host.restingHandles == 0)
        #expect(mail.deliver() == 200)
        #expect(try next.said("said").isEmpty)
        host.closeAll()
    }

    @Test func `a thread that posts faster than the loop runs is refused`() throws {
        let mail = Mailbox()
        var limits = HostLimits()
        limits.postedWork = 10
        let host = Host(.init(post: { mail.put($0) }), limits: limits)
        host.add(try Products.badPlugin())
        var request = Host.OpenRequest(feature: "misbehaving", isVirtual: true)
        request.options = ["misbehave": "thread"]
        // It posted two hundred times when its end returns, and nobody has read the mail.
        host.close(try host.open(request))
        #expect(mail.deliver() == 10)
    }

    @Test func `the door for threads says once that it refused, and opens again`() {
        let mail = Mailbox()
        let told = Locked<[Bool]>([])
        let door = PostDoor(limit: 2) { mail.put($0) }
        func post() -> Bool { door.enqueue { refused in told.withLock { $0.append(refused) } } }
        #expect(post() && post() && !post() && !post())
        #expect(mail.deliver() == 2)
        #expect(post() && mail.deliver() == 1)
        #expect(told.withLock { $0 } == [true, false, false])
        // Where the loop is over, what it refuses takes no room.
        let closed = PostDoor(limit: 1) { _ in false }
        for _ in 0..<3 { #expect(!closed.enqueue { _ in }) }
    }

    @Test func `a host that takes no work from threads says so`() throws {
        let lab = try Self.lab()
        let instance = try lab.open("misbehaving", options: ["misbehave": "thread"])
        lab.host.close(instance)
        #expect(try instance.said("said").isEmpty)
    }
}

/// Work from other threads, until the test runs it.
private final class Mailbox: Sendable {
    private let letters = Locked<[@Sendable () -> Void]>([])

    func put(_ work: @escaping @Sendable () -> Void) -> Bool {
        letters.withLock { $0.append(work) }
        return true
    }

    /// Runs what has come and returns how much it was.
    func deliver() -> Int {
        let works = letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
        for work in works { work() }
        return works.count
    }
}
