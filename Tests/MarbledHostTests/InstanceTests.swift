// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import MarbledKit
import Scheduling
import Testing

@Suite struct InstanceTests {
    @Test func `states are recorded at zero`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        #expect(instance.lines == ["0 output state 0"])
        #expect(try instance.stateText("state") == "0")
        #expect(try instance.stateText("fired") == nil)
        #expect(instance.clock.now == .zero)
    }

    @Test func `options reach the feature over its defaults`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open(options: ["asksAtOnce": true])
        #expect(instance.lines.first == "0 effect store {\"get\":\"key\"}")
    }

    @Test(arguments: [
        (
            ["refuse": 1] as JSONValue,
            HostError.badValue(pointer: "/options/refuse", expected: "true or false")
        ),
        (
            ["sise": 1] as JSONValue,
            .badValue(pointer: "/options/sise", expected: "a known member (refuse, asksAtOnce)")
        ),
        ([] as JSONValue, .badValue(pointer: "/options", expected: "an object")),
        (["refuse": true] as JSONValue, .pluginRefused("told to refuse")),
    ])
    func `an open that is refused opens nothing`(_ options: JSONValue, _ error: HostError) throws {
        let probe = try ProbeLab()
        #expect(throws: error) { _ = try probe.open(options: options) }
        #expect(probe.host.instanceCount == 0 && probe.host.openInstances.isEmpty)
        #expect(throws: HostError.unknownInstance("i1")) { _ = try probe.host.instance("i1") }
    }

    @Test func `a feature that nobody offers comes with a suggestion`() throws {
        let probe = try ProbeLab()
        #expect(throws: HostError.unknownFeature("prope", suggestion: "probe")) {
            _ = try probe.lab.open("prope")
        }
        #expect(throws: HostError.unknownFeature("", suggestion: nil)) {
            _ = try probe.lab.open("")
        }
        #expect(throws: HostError.unknownFeature("probe", suggestion: nil)) {
            _ = try Lab().open("probe")
        }
    }

    @Test func `names are given, or counted where none is`() throws {
        let probe = try ProbeLab()
        var request = Host.OpenRequest(feature: "probe", isVirtual: true)
        #expect(try probe.host.open(request).name == "i1")
        request.name = "i2"
        #expect(try probe.host.open(request).name == "i2")
        request.name = nil
        #expect(try probe.host.open(request).name == "i3")
        request.name = "i3"
        #expect(throws: HostError.conflict("an instance named \"i3\" is open already")) {
            _ = try probe.host.open(request)
        }
        probe.host.close(try probe.host.instance("i3"))
        #expect(try probe.host.open(request).name == "i3")
        #expect(probe.host.openInstances.map(\.name) == ["i1", "i2", "i3"])
    }

    @Test func `of many instances the newest are named, the same every time`() throws {
        let probe = try ProbeLab()
        for _ in 0..<50 { _ = try probe.open() }
        probe.host.close(try probe.host.instance("i48"))
        #expect(probe.host.newestInstances(4).map(\.name) == ["i46", "i47", "i49", "i50"])
        #expect(
            probe.host.newestInstances(100).map(\.name) == probe.host.openInstances.map(\.name))
    }

    @Test func `instances are counted by the build they run`() throws {
        let probe = try ProbeLab()
        for _ in 0..<3 { _ = try probe.open() }
        let old = try #require(probe.host.plugins.first)
        let export = PluginExport(id: "probe-plugin", version: "2", [Probe.self])
        let new = try Plugin(PluginTable(export.table))
        probe.host.add(new)
        _ = try probe.open()
        let builds = probe.host.buildsInUse
        #expect(builds.count == 2)
        #expect(builds.first { $0.build === old }?.instances == 3)
        #expect(builds.first { $0.build === new }?.instances == 1)
        // The second plugin must outlive what was opened with it.
        probe.host.closeAll()
        #expect(probe.host.buildsInUse.isEmpty)
    }

    @Test(arguments: ["", "a b", "ä", "a/b", String(repeating: "x", count: 65)])
    func `a name that would be hard to type is refused`(_ name: String) throws {
        let probe = try ProbeLab()
        var request = Host.OpenRequest(feature: "probe", isVirtual: true)
        request.name = name
        let error = #expect(throws: HostError.self) { _ = try probe.host.open(request) }
        guard case .badValue("/name", _) = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func `at the limit of instances one more is refused`() throws {
        var limits = HostLimits()
        limits.instances = 2
        let probe = try ProbeLab(limits: limits)
        let first = try probe.open()
        _ = try probe.open()
        #expect(throws: HostError.limit("2 instances are open already; close some first")) {
            _ = try probe.open()
        }
        probe.host.close(first)
        _ = try probe.open()
    }

    @Test func `a host without a real clock says so`() throws {
        let export = PluginExport(id: "p", version: "1", [Probe.self])
        let host = Host()
        host.add(try Plugin(PluginTable(export.table)))
        #expect(
            throws: HostError.conflict("there is no real clock here; open the instance as virtual")
        ) { _ = try host.open(.init(feature: "probe", isVirtual: false)) }
    }

    @Test func `seeds, wall clock and profile are what was asked for`() throws {
        let probe = try ProbeLab()
        #expect(try probe.open().seed == 0)
        #expect(try probe.open(isVirtual: false).seed == 0)
        var request = Host.OpenRequest(feature: "probe", isVirtual: false)
        #expect(try probe.host.open(request).seed == 42)
        request.isVirtual = true
        request.epoch = 1_000
        request.profile = .rxTest
        request.seed = 9
        let instance = try probe.host.open(request)
        #expect(instance.seed == 9)
        #expect(instance.clock.scheduler.wallNanoseconds == 1_000)
        #expect(try instance.virtualClock().profile == .rxTest)
    }

    @Test func `a delay of zero follows the profile across the boundary`() throws {
        for (profile, fired) in [
            (Profile.strict, "5.1 output fired 0"), (.rxTest, "6 output fired 0"),
        ] {
            let probe = try ProbeLab()
            let instance = try probe.lab.open("probe", profile: profile)
            try instance.send("wait", 0, atTick: 5)
            try instance.run()
            #expect(instance.lines.last == fired)
        }
    }

    @Test func `closing says what was left`() throws {
        let probe = try ProbeLab()
        let unused: JSONValue = ["http": "*unused", "reply": [:]]
        let instance = try probe.open(stubs: [["http": "*", "reply": ["never": true]], unused])
        try instance.send("wait", 30)
        try instance.send("say", "later", atTick: 50)
        try instance.ask("http", ["url": "x"])
        let report = probe.host.close(instance)
        #expect(report.pendingTimers == 2)
        #expect(report.openEffects == 1)
        #expect(report.unusedStubs == [unused])
        #expect(instance.life == .closed)
        #expect(instance.clock.pendingCount == 0 && instance.openEffects.isEmpty)
        #expect(throws: HostError.closed("instance \"i1\" was closed")) {
            try instance.send("say", "x")
        }
        #expect(throws: HostError.closed("instance \"i1\" was closed")) { try instance.run() }
        #expect(throws: HostError.unknownInstance("i1")) { _ = try probe.host.instance("i1") }
    }

    @Test func `everything is closed in the order of opening`() throws {
        let probe = try ProbeLab()
        var ended: [String] = []
        for _ in 0..<12 {
            let instance = try probe.open()
            instance.subscribe(Listener(onEnd: { ended.append($0) }).kept(by: instance), to: 0)
        }
        probe.host.closeAll()
        #expect(ended == (1...12).map { "i\($0): the instance was closed" })
        #expect(probe.host.instanceCount == 0)
    }

    @Test func `subscribers hear what comes, and the end once`() throws {
        let probe = try ProbeLab()
        let instance = try probe.open()
        let state = try instance.feature.outputNumber("state")
        var heard: [String] = []
        let listener = Listener(onSaid: { heard.append($0) }, onEnd: { heard.append($0) })
        instance.subscribe(listener, to: state)
        #expect(instance.subscriberCount(state) == 1)
        try instance.send("set", 5)
        instance.unsubscribe(listener, from: state)
        try instance.send("set", 6)
        instance.subscribe(listener, to: state)
        try instance.send("set", 7, atTick: 3)
        try instance.run()
        probe.host.close(instance)
        #expect(heard == ["2@0 5", "6@3000000 7", "i1: the instance was closed"])
    }

    @Test func `a second plugin of the same id takes the first one's place for what opens next`()
        throws
    {
        let probe = try ProbeLab()
        let old = try probe.open()
        let export = PluginExport(id: "probe-plugin", version: "2.0.0", [Probe.self])
        probe.host.add(try Plugin(PluginTable(export.table)))
        #expect(probe.host.plugins.map(\.manifest.version) == ["2.0.0"])
        let new = try probe.open()
        try old.send("set", 1)
        try new.send("set", 2)
        #expect(try old.stateText("state") == "1" && new.stateText("state") == "2")
        probe.host.closeAll()
        withExtendedLifetime(export) {}
    }

    @Test func `two runs give the same bytes`() throws {
        func play() throws -> [String] {
            let probe = try ProbeLab()
            let instance = try probe.open(
                stubs: [["http": "*", "reply": [["value": 1, "after": 7], ["fail": "reset"]]]],
                seed: 3)
            for tick in 0..<20 {
                try instance.ask(
                    tick % 3 == 0 ? "http" : "random", ["min": 1, "max": 9], atTick: tick)
                try instance.send("wait", .int(Int64(tick % 5)), atTick: tick)
                try instance.send("set", .int(Int64(tick)), atTick: tick / 2)
            }
            try instance.run()
            return instance.lines
        }
        let record = try play()
        #expect(record.count > 100)
        #expect(record == (try play()))
    }
}

/// Hears one output.
final class Listener: OutputSubscriber {
    private let onSaid: (String) -> Void
    private let onEnd: (String) -> Void

    init(
        onSaid: @escaping (String) -> Void = { _ in }, onEnd: @escaping (String) -> Void = { _ in }
    ) {
        self.onSaid = onSaid
        self.onEnd = onEnd
    }

    func outputSaid(_ said: OutputEvent) {
        onSaid("\(said.number)@\(said.at) \(String(decoding: said.value, as: UTF8.self))")
    }

    func instanceEnded(_ instance: Instance, reason: String) {
        onEnd("\(instance.name): \(reason)")
    }

    /// The instance keeps its subscribers; this only says so where it is made.
    func kept(by instance: Instance) -> Listener { self }
}
