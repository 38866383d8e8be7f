// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONRPC
import MarbledHost
import MarbledTesting
import Scenarios
import Scheduling
import TestSupport
import Testing

/// The plugin in plain C, from the library that a daemon maps.
@Suite("counter")
struct CounterTests {
    private let host = Host()

    init() throws {
        host.add(try Plugin(PluginLibrary.load(Products.path("libCounter.so"))))
    }

    private func open(_ options: JSONValue = [:]) throws -> Instance {
        var request = Host.OpenRequest(feature: "counter", isVirtual: true)
        request.options = options
        return try host.open(request)
    }

    private func send(_ instance: Instance, _ input: String, _ value: JSONValue) throws {
        let number = try instance.feature.inputNumber(input)
        try instance.send(number, copying: Array(value.text.utf8))
    }

    private func count(_ instance: Instance) -> String? {
        instance.state(0).map { String(decoding: $0.value, as: UTF8.self) }
    }

    @Test(arguments: ScenarioFile.all(in: "../../plugins/Counter/scenarios"))
    func `a scenario passes`(_ file: ScenarioFile) throws {
        let text = try String(contentsOfFile: file.path, encoding: .utf8)
        for scenario in try ScenarioReader.read(text, file: file.name) {
            let report = try ScenarioRun.run(scenario, on: host)
            #expect(report.passed, "\(report.title)\n\(report.picture)\n\(report.failures)")
        }
    }

    @Test(
        arguments: [
            ["start": 4, "limit": 3], ["start": -4, "limit": 3], ["start": .int(.min)],
            ["limit": 0, "start": 1],
        ] as [JSONValue])
    func `a start beyond the limit is refused with a sentence`(_ options: JSONValue) {
        #expect(
            throws: HostError.pluginRefused(
                "start lies beyond limit; give a start from -limit to limit")
        ) { try open(options) }
        #expect(host.instanceCount == 0)
    }

    @Test(
        arguments: [
            (["step": "two"], "/options/step"), (["every_ms": 0], "/options/every_ms"),
            (["limit": -1], "/options/limit"), (["start": "0"], "/options/start"),
            (["begin": 0], "/options/begin"),
        ] as [(JSONValue, String)])
    func `an option that its schema does not allow is refused`(
        _ options: JSONValue, _ pointer: String
    ) {
        let error = #expect(throws: HostError.self) { try open(options) }
        guard case .badValue(pointer, _)? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func `both ends of 64 bits overflow and wrap nowhere`() throws {
        let instance = try open(["limit": 9_007_199_254_740_991])
        for value in [Int64.max, .min, .max] { try send(instance, "add", .int(value)) }
        #expect(count(instance) == "0")
        try send(instance, "add", 9_007_199_254_740_991)
        try send(instance, "add", 1)
        #expect(count(instance) == "9007199254740991")
        host.close(instance)
    }

    @Test(arguments: ["0.5", "1e3", "9223372036854775808", "\"1\"", "null", "[1]"])
    func `what is no integer of 64 bits is refused and counts nothing`(_ json: String) throws {
        let instance = try open(["start": 7])
        // What the store holds has been heard.
        try instance.drive(.idle) { _ in }
        let entries = instance.record.next
        #expect(throws: HostError.self) {
            try instance.send(0, copying: Array(json.utf8))
        }
        #expect(count(instance) == "7" && instance.record.next == entries)
        host.close(instance)
    }

    @Test func `a stop takes the timer and the draw back`() throws {
        let instance = try open(["step": "random", "every_ms": 10])
        instance.setStubs([
            try Stub(["random": true, "reply": ["never": true]], pointer: "") { _, _ in 0 }
        ])
        try send(instance, "tick", "start")
        try instance.drive(.through(Instant(nanoseconds: 15_000_000))) { _ in }
        #expect(instance.openEffects.map(\.effect) == ["random"])
        #expect(instance.clock.pendingCount == 1)
        try send(instance, "tick", "stop")
        #expect(instance.openEffects.isEmpty && instance.clock.pendingCount == 0)
        host.close(instance)
    }

    @Test func `what was counted is there for the next that shares the store`() throws {
        // Real instances of a plugin share one store.
        let host = Host(
            .init(makeRealScheduler: { RealTimeScheduler(clock: { 0 }, wallClock: { 0 }) }))
        for plugin in self.host.plugins { host.add(plugin) }
        for expected in ["0", "5"] {
            let instance = try host.open(.init(feature: "counter", isVirtual: false))
            guard case .real(let scheduler) = instance.clock else { return }
            scheduler.runDue()
            #expect(count(instance) == expected)
            try send(instance, "add", 5)
            scheduler.runDue()
            host.close(instance)
        }
    }

    @Test func `a counter that goes away in the middle calls nobody`() throws {
        for _ in 0..<10 {
            let instance = try open(["step": "random", "every_ms": 1])
            try send(instance, "tick", "start")
            try send(instance, "add", 1)
            try instance.drive(.oneItem) { _ in }
            host.close(instance)
        }
        #expect(host.lateCalls == 0)
    }
}
