// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledHost
import Scheduling
import Testing

@testable import Scenarios

@Suite struct ReplayTests {
    /// Writes a record, reads it, and runs it on a host of its own.
    private func replay(
        _ instance: Instance, _ options: Replay.Options = .init(),
        edit: (String) -> String = { $0 }
    ) throws -> ReplayReport {
        try replay(RecordFile(instance), options, edit: edit)
    }

    private func replay(
        _ record: RecordFile, _ options: Replay.Options = .init(),
        edit: (String) -> String = { $0 }
    ) throws -> ReplayReport {
        let text = edit(record.text)
        return try run(try RecordReader.read(text), options)
    }

    /// Runs a record on a host of its own.
    private func run(
        _ record: RecordFile, _ options: Replay.Options = .init(), version: String = "1.0.0"
    ) throws -> ReplayReport {
        let lab = try ClockworkLab(version: version)
        return try withExtendedLifetime(lab) { try Replay.run(record, options, on: lab.host) }
    }

    @Test func `the wall clock at zero is kept, also where it ends before the timeline`() throws {
        let lab = try ClockworkLab()
        var request = Host.OpenRequest(feature: "clockwork", isVirtual: true)
        let epoch = Int64.max - 5
        request.epoch = epoch
        let instance = try lab.host.open(request)
        try instance.drive(.through(Instant(nanoseconds: 10))) { _ in }
        #expect(RecordFile(instance).epoch == epoch)
    }

    // MARK: Real time

    @Test(arguments: 0..<40)
    func `a life in real time, every item late, runs again in virtual time`(_ seed: UInt64) throws {
        let lab = try ClockworkLab()
        let instance = try lab.live(seed: seed)
        let record = RecordFile(instance)
        #expect(record.facts.contains { $0.late > 0 })
        let report = try replay(record)
        #expect(report.passed, "\(report.failures.joined(separator: "\n"))\n\(report.picture)")
        #expect(report.events > 20 && report.end == record.end)
    }

    @Test(arguments: 0..<40)
    func `also when the clock jumped over what was too late`(_ seed: UInt64) throws {
        let lab = try ClockworkLab()
        let instance = try lab.live(seed: seed, jumps: true)
        let record = RecordFile(instance)
        #expect(record.facts.contains { if case .jump = $0.what { true } else { false } })
        let report = try replay(record)
        #expect(report.passed, "\(report.failures.joined(separator: "\n"))\n\(report.picture)")
    }

    @Test func `very many inputs of one instant run again in their order`() throws {
        let lab = try ClockworkLab()
        let instance = try lab.open(isVirtual: true, options: ["beats": false])
        for number in 0..<30_000 {
            try instance.send("tap", .int(Int64(number)), at: 10_000_000)
        }
        try instance.send("tap", 5, at: 20_000_000)
        try instance.drive(.through(Instant(nanoseconds: 400_000_000))) { _ in }
        let report = try replay(instance)
        #expect(report.passed, "\(report.failures.joined(separator: "\n"))")
        #expect(report.events == 3)
    }

    @Test func `a timer that ran late is recorded where it was due, and how late it was`() throws {
        let lab = try ClockworkLab()
        let instance = try lab.open(options: ["beats": false])
        try instance.send("late", 1)
        lab.clock += 75_000_000
        lab.strike(instance)
        lab.clock += 65_000_001
        lab.strike(instance)
        let lines = RecordFile(instance).text.split(separator: "\n").suffix(4)
        #expect(
            Array(lines) == [
                "0s input late 1", "70ms late 5ms output delayed 1",
                "140ms late 1ns output delayed 1", "140.000001ms end",
            ])
    }

    // MARK: Virtual time

    @Test(arguments: 0..<20)
    func `a life in virtual time runs again to the same bytes`(_ seed: UInt64) throws {
        let lab = try ClockworkLab()
        let random = RandomProvider(seed: seed)
        let stub = try Stub(
            [
                "http": "*",
                "reply": [
                    ["status": 200, "body": "a", "after": 60], ["fail": "x", "after": 90],
                    ["body": "b"],
                ],
            ],
            pointer: ""
        ) { value, _ in (value.int ?? 0) * 1_000_000 }
        let instance = try lab.open(isVirtual: true, stubs: [stub, stub])
        for step in 0..<120 {
            let now = instance.clock.now.nanoseconds
            let at = now + random.draw(0, 3) * 30_000_000
            switch random.draw(0, 7) {
            case 0: try instance.send("text", .string("t\(step)"), at: at)
            case 1: try instance.send("tap", .int(Int64(step)), at: at)
            case 2: try instance.send("late", .int(Int64(step)), at: at)
            case 3: try instance.send("word", "w", at: at)
            case 4: try instance.send("draw", .null, at: at)
            case 5: try instance.send("late", .int(Int64(step)))
            default:
                try instance.drive(.through(Instant(nanoseconds: at))) { _ in }
            }
        }
        let record = RecordFile(instance)
        var again: RecordFile?
        let report = try run(record)
        #expect(report.passed, "\(report.failures.joined(separator: "\n"))\n\(report.picture)")
        // The whole record, not the outputs alone: microsteps, requests, order between ports.
        let refreshed = try run(record, .init(mode: .refresh))
        again = refreshed.refreshed
        #expect(again?.text == record.text)
    }

    // MARK: What differs

    private func short() throws -> Instance {
        let lab = try ClockworkLab()
        let instance = try lab.open(options: ["beats": false])
        try instance.send("word", "a")
        lab.clock += 10_000_000
        lab.world.answer("A")
        try instance.send("word", "b")
        lab.clock += 20_000_000
        lab.world.answer("B")
        lab.clock += 5_000_000
        labs.append(lab)
        return instance
    }

    private let labs = Keeper()

    private final class Keeper {
        private var labs: [ClockworkLab] = []
        func append(_ lab: ClockworkLab) { labs.append(lab) }
    }

    @Test func `another output is shown as a picture with a caret`() throws {
        let report = try replay(try short()) {
            $0.replacing("output found \"B\"", with: "output found \"C\"")
        }
        #expect(report.failures == ["found: \"C\" expected at 30, \"B\" came"])
        #expect(report.picture.contains("found expected") && report.picture.contains("^"))
        #expect(report.picture.contains("30    found  \"C\"       \"B\""))
    }

    @Test func `the same output at another instant differs`() throws {
        let report = try replay(try short()) {
            $0.replacing("30ms output found", with: "31ms output found")
        }
        #expect(report.failures.count == 1)
        #expect(report.failures[0].hasPrefix("found: nothing expected at 30"))
    }

    @Test func `a request that the record does not know, and one not made again, fail both`() throws
    {
        let edit = { (text: String) in text.replacing("words.example/b", with: "words.example/c") }
        let report = try replay(try short(), edit: edit)
        #expect(!report.passed)
        let sentences = report.failures.joined(separator: "\n")
        #expect(
            sentences.contains(
                "not in the record: http {\"method\":\"GET\",\"url\":\"http://words.example/b\"}, asked at 10ms"
            ))
        #expect(
            sentences.contains(
                "in the record, and not asked again: http {\"method\":\"GET\",\"url\":\"http://words.example/c\"}, asked at 10ms"
            ))
        let none = try replay(try short(), .init(mode: .none), edit: edit)
        #expect(none.end == Instant(nanoseconds: 10_000_000))
        #expect(none.failures.contains { $0.contains("which is not in the record") })
    }

    @Test(arguments: 0..<8)
    func `answers of one instant come again in their own order, not that of the requests`(
        _ seed: Int
    ) throws {
        let lab = try ClockworkLab()
        let stub = try Stub(
            [
                "http": "*", "reorder": 4,
                "reply": [["body": "1"], ["body": "2"], ["body": "3"], ["body": "4"]],
            ], pointer: ""
        ) { value, _ in value.int ?? 0 }
        let instance = try lab.open(
            isVirtual: true, options: ["beats": false], stubs: [stub], seed: UInt64(seed))
        for word in ["a", "b", "c", "d"] { try instance.send("aside", .string(word)) }
        let record = RecordFile(instance)
        #expect(record.facts.count { if case .answer = $0.what { true } else { false } } == 4)
        let report = try replay(record)
        #expect(report.passed, "\(report.failures.joined(separator: "\n"))\n\(record.text)")
    }

    @Test func `requests of one key are answered in recorded order, free between keys`() throws {
        let lab = try ClockworkLab()
        let instance = try lab.open(options: ["beats": false])
        for (word, answer) in [("a", "1"), ("b", "2"), ("a", "3")] {
            try instance.send("word", .string(word))
            lab.clock += 10_000_000
            lab.world.answer(answer)
        }
        let report = try replay(instance) {
            // The first two words change places: the keys keep their own order.
            $0.replacing("input word \"b\"", with: "input word \"X\"")
                .replacing("0s input word \"a\"", with: "0s input word \"b\"")
                .replacing("input word \"X\"", with: "input word \"a\"")
                .replacing("output found \"1\"", with: "output found \"Y\"")
                .replacing("output found \"2\"", with: "output found \"1\"")
                .replacing("output found \"Y\"", with: "output found \"2\"")
        }
        #expect(report.passed, "\(report.failures)")
    }

    @Test func `a record that lost its beginning says so and does not run`() throws {
        var limits = HostLimits()
        limits.recordEntries = 16
        let lab = try ClockworkLab(limits: limits)
        let instance = try lab.live(seed: 1)
        let text = RecordFile(instance).text
        #expect(text.contains("\ndropped "))
        #expect(try RecordReader.read(text).text == text)
        #expect(throws: HostError.self) { try replay(instance) }
    }

    @Test func `an input that the feature does not take any more is an error with its line`() throws
    {
        #expect {
            try replay(try short()) { $0.replacing("input word \"b\"", with: "input word 3") }
        } throws: { error in
            "\(error)".hasPrefix("line 14: word does not take 3 any more")
        }
    }

    @Test func `another version of the plugin is worth a note`() throws {
        let record = RecordFile(try short())
        let report = try run(record, version: "2.0.0")
        #expect(report.passed)
        #expect(report.notes == ["recorded with clockworks 1.0.0, run with clockworks 2.0.0"])
    }

    // MARK: Other times

    @Test(arguments: ["zero", "x0.5", "recorded", "jitter:1"])
    func `answers may take another time; then values are compared in order`(_ timing: String) throws
    {
        let lab = try ClockworkLab()
        let instance = try lab.open(options: ["beats": false])
        try instance.send("word", "a")
        lab.clock += 10_000_000
        lab.world.answer("A")
        lab.clock += 90_000_000
        try instance.send("word", "b")
        let record = RecordFile(instance)
        let time = try #require(Replay.Timing(timing))
        #expect(try run(record, .init(timing: time)).passed)
        var other = record
        for index in other.facts.indices {
            guard case .output("found", let event, _) = other.facts[index].what else { continue }
            other.facts[index].what = .output(port: "found", event: event, json: "\"Z\"")
        }
        #expect(try run(other, .init(timing: time)).failures.count == 1)
    }

    @Test(arguments: [
        ("recorded", Replay.Timing.recorded), ("zero", .zero),
        ("x2", .scaled(numerator: 2, denominator: 1)),
        ("x0.25", .scaled(numerator: 25, denominator: 100)), ("jitter:7", .jittered(seed: 7)),
        ("", nil), ("x", nil), ("x-1", nil), ("x1.", nil), ("x.5", nil), ("x1.2.3", nil),
        ("jitter:", nil), ("jitter:-1", nil), ("x1234567890123", nil), ("slow", nil),
    ])
    func `a timing is a word`(_ text: String, _ expected: Replay.Timing?) {
        #expect(Replay.Timing(text) == expected)
    }

    @Test func `latencies are scaled exactly and jittered by seed`() {
        func latencies(_ timing: Replay.Timing) -> [Int64] {
            var timing = ReplayTiming(timing)
            return [0, 3, 1_000, .max].map { timing.latency($0) }
        }
        #expect(latencies(.recorded) == [0, 3, 1_000, .max])
        #expect(latencies(.zero) == [0, 0, 0, 0])
        #expect(latencies(.scaled(numerator: 2, denominator: 1)) == [0, 6, 2_000, .max])
        #expect(latencies(.scaled(numerator: 5, denominator: 10)) == [0, 1, 500, .max / 2])
        #expect(latencies(.scaled(numerator: 15, denominator: 10)) == [0, 4, 1_500, .max])
        let jittered = latencies(.jittered(seed: 3))
        #expect(jittered == latencies(.jittered(seed: 3)))
        #expect(jittered != latencies(.jittered(seed: 4)))
        #expect((500...1_500).contains(jittered[2]))
    }

    // MARK: Refreshing

    @Test func `answers that are missing come from the world, in the time it takes`() throws {
        let record = RecordFile(try short())
        var edited = record
        edited.facts.removeAll { fact in
            switch fact.what {
            case .ask(let number, _, _): number == 2
            case .answer(let answer): answer.ask == 2
            case .cancel(let number, _): number == 2
            case .output(_, _, let json): json == "\"B\""
            case .input, .jump: false
            }
        }
        let lab = try ClockworkLab()
        let report = try Replay.run(edited, .init(mode: .refresh), on: lab.host) {
            guard !lab.world.waiting.isEmpty else { return }
            lab.clock += 12_000_000
            lab.world.answer("new")
        }
        #expect(report.passed, "\(report.failures)")
        #expect(report.notes.count == 1 && report.notes[0].hasPrefix("the world answered: http"))
        let text = try #require(report.refreshed?.text)
        #expect(text.contains("22ms answer 2 http after 12ms {\"status\":200,\"body\":\"new\"}"))
        #expect(text.contains("22ms output found \"new\"") && text.contains("clock real"))
        // And that record runs again as it is.
        #expect(try run(try RecordReader.read(text)).passed)
    }

    @Test func `the world is not asked with a mark for a secret, and the record stays as it is`()
        throws
    {
        let lab = try ClockworkLab()
        let instance = try lab.open(options: ["beats": false])
        try instance.send("word", "***")
        lab.clock += 10_000_000
        lab.world.answer("A")
        lab.clock += 1_000_000
        var record = RecordFile(instance)
        #expect(try run(record, .init(mode: .refresh)).passed)
        record.facts.removeAll { if case .input = $0.what { false } else { true } }
        let another = try ClockworkLab()
        let report = try Replay.run(record, .init(mode: .refresh), on: another.host)
        #expect(another.world.waiting.isEmpty)
        #expect(report.failures.count == 1 && report.notes.isEmpty)
        #expect(report.failures.first?.hasPrefix("its secret is not in the record") == true)
        #expect(report.refreshed == nil)
    }
}
