// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// Effects that a host registers by name, with what is asked and answered.
@Suite struct CustomEffectTests {
    private static let schema: JSONValue = [
        "type": "object", "properties": ["url": ["type": "string"]], "required": ["url"],
    ]
    private static let answerSchema: JSONValue = ["type": "integer"]

    private func lab(_ provider: SensorProvider? = nil) throws -> ProbeLab {
        let probe = try ProbeLab()
        try probe.host.register(
            effect: "lab.sensor", doc: "Reads a sensor.", schema: Self.schema,
            answerSchema: Self.answerSchema, provider: provider)
        return probe
    }

    private func answer(_ instance: Instance) -> String? {
        instance.lines.last { $0.contains(" answer lab.sensor ") }
    }

    @Test func `a registered provider answers in real time what fits its schemas`() throws {
        let sensor = SensorProvider([.json(21), .json("warm"), .part(Array("\"hot\"".utf8))])
        let probe = try lab(sensor)
        let instance = try probe.open(isVirtual: false)
        try instance.ask("lab.sensor", ["url": "attic"])
        #expect(try instance.said("answer") == ["\"21\""])
        try instance.ask("lab.sensor", ["url": "attic"])
        let bad =
            #"{"kind":"badAnswer","message":"what lab.sensor answered: the value is not an integer"}"#
        #expect(try instance.said("failure") == [bad])
        // One of several that is bad ends the effect, and the provider hears of it.
        try instance.ask("lab.sensor", ["url": "attic"], many: true)
        #expect(try instance.said("failure") == [bad, bad])
        #expect(instance.openEffects.isEmpty && sensor.cancelled == 1)
        #expect(sensor.asked == 3)
    }

    @Test(arguments: [true, false])
    func `a request that does not fit reaches nobody`(_ isVirtual: Bool) throws {
        let sensor = SensorProvider([.json(21)])
        let probe = try lab(sensor)
        let instance = try probe.open(
            stubs: [["lab.sensor": true, "reply": ["value": 1]]], isVirtual: isVirtual)
        try instance.ask("lab.sensor", ["get": "attic"])
        if isVirtual { try instance.run() }
        #expect(
            answer(instance)?.hasSuffix(
                #"{"kind":"badRequest","message":"what lab.sensor was asked: /url is not there, and it is required"}"#
            ) == true)
        #expect(sensor.asked == 0 && instance.stubs.calls.isEmpty)
    }

    @Test func `a stub cannot promise what the world would not say`() throws {
        let probe = try lab()
        let instance = try probe.open(stubs: [
            ["lab.sensor": true, "reply": [["value": 5], ["value": "five"], ["malformed": true]]]
        ])
        for tick in 1...3 { try instance.ask("lab.sensor", ["url": "x"], atTick: tick) }
        try instance.run()
        #expect(try instance.said("answer") == ["\"5\""])
        #expect(try instance.said("failure").count == 2)
        #expect(try instance.said("failure").allSatisfy { $0.contains("badAnswer") })
    }

    @Test func `without a provider and a stub it is unavailable`() throws {
        let probe = try lab()
        let instance = try probe.open(isVirtual: false)
        try instance.ask("lab.sensor", ["url": "x"])
        #expect(answer(instance)?.contains("unavailable") == true)
    }

    @Test func `a host lists its effects, and refuses schemas and names that cannot be`() throws {
        let probe = try lab()
        #expect(probe.host.effects.map(\.name) == ["lab.sensor"])
        #expect(probe.host.effect("lab.sensor")?.requestJSON == Self.schema)
        for (name, schema) in [("x", ["type": "flag"]), ("http", true), ("", true)]
            as [(String, JSONValue)]
        {
            #expect(throws: ManifestError.self) {
                try probe.host.register(
                    effect: name, schema: schema, answerSchema: true, provider: nil)
            }
        }
        #expect(probe.host.effects.count == 1)
    }

    // MARK: In a feature

    private struct Reading: PortValue, Equatable {
        var place: String
        var degrees: Int
    }

    @Test func `a feature asks with types, for one answer or for many`() throws {
        let scheduler = TestScheduler()
        let context = FeatureContext.test(
            on: scheduler,
            stubs: [
                .effect(
                    "lab.sensor",
                    reply: .chunks([
                        .value(Reading(place: "attic", degrees: 21)),
                        .value(Reading(place: "attic", degrees: 22)).after(10),
                    ]))
            ])
        let sensor = context.effect("lab.sensor", asking: String.self, answering: Reading.self)
        let one = scheduler.createObserver(Int.self)
        let many = scheduler.createObserver(Int.self)
        _ = sensor.ask("attic").asObservable().map(\.degrees).subscribe(one)
        _ = sensor.askForMany("attic").map(\.degrees).subscribe(many)
        scheduler.start()
        #expect(one.events.compactMap(\.value.element) == [21])
        #expect(many.events.compactMap(\.value.element) == [21, 22])
        #expect(many.events.last?.value.isCompleted == true)
    }

    @Test func `an answer that is no value of its type is a bad answer`() throws {
        let scheduler = TestScheduler()
        let context = FeatureContext.test(
            on: scheduler, stubs: [.effect("lab.sensor", reply: .value("warm"))])
        let seen = scheduler.createObserver(Int.self)
        _ = context.effect("lab.sensor", asking: String.self, answering: Int.self)
            .ask("attic").asObservable().subscribe(seen)
        scheduler.start()
        #expect((seen.events.first?.value.error as? EffectError)?.kind == "badAnswer")
    }
}

/// Answers one after the other.
private final class SensorProvider: EffectProvider {
    private var answers: [EffectAnswer]
    private(set) var asked = 0
    private(set) var cancelled = 0

    init(_ answers: [EffectAnswer]) {
        self.answers = answers
    }

    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        asked += 1
        reply(answers.removeFirst())
        return { self.cancelled += 1 }
    }
}
