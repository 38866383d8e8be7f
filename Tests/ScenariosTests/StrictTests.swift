// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import Testing

@testable import Scenarios

/// What a scenario leaves over fails it, unless the file allows it by its name.
@Suite struct StrictTests {
    private func failures(_ stubs: String, allow: String = "[]") throws -> [String] {
        let lab = try ClockworkLab()
        let text = """
            scenario: strict
            feature: clockwork
            options: {beats: false, pause: 500}
            stubs: \(stubs)
            inputs: {word: {10: a}}
            until: 100
            allow: \(allow)
            expect: {}
            """
        let scenario = try #require(try ScenarioReader.read(text).first)
        let report = try withExtendedLifetime(lab) { try ScenarioRun.run(scenario, on: lab.host) }
        return report.failures.map { if case .other(let text) = $0 { text } else { "" } }
    }

    @Test func `a request that no stub answers fails by itself`() throws {
        let unanswered = try failures("[]")
        #expect(unanswered.count == 1)
        #expect(unanswered[0].hasPrefix("no stub answered: http {"))
        #expect(unanswered[0].hasSuffix("} @ 10"))
        #expect(try failures("[]", allow: "[unstubbedEffects]").isEmpty)
        #expect(try failures("[{http: '*', reply: {never: true}}]").isEmpty)
    }

    @Test func `a stub that answers nothing fails, a partition as well`() throws {
        let rules =
            "[{http: '*/a', reply: {never: true}}, {http: '*/b', reply: {}}, {partition: x}]"
        #expect(
            try failures(rules) == [
                #"a stub answered nothing: {"http":"*/b","reply":{}}"#,
                #"a stub answered nothing: {"partition":"x"}"#,
            ])
        #expect(try failures(rules, allow: "[unusedStubs]").isEmpty)
    }

    @Test func `a request that was cut off for good is none without an answer`() throws {
        #expect(try failures("[{partition: '*', with: never}]").isEmpty)
    }

    @Test func `many of them are told in short`() throws {
        let lab = try ClockworkLab()
        let words = (1...30).map { "\($0): w\($0)" }.joined(separator: ", ")
        let text = """
            scenario: many
            feature: clockwork
            options: {beats: false, pause: 500}
            inputs: {word: {\(words)}}
            until: 100
            expect: {}
            """
        let scenario = try #require(try ScenarioReader.read(text).first)
        let report = try withExtendedLifetime(lab) { try ScenarioRun.run(scenario, on: lab.host) }
        #expect(report.failures.count == 11)
        #expect(report.failures.last == .other("and 20 requests more"))
    }

    @Test func `a report draws so many instants, and says how many more there are`() throws {
        let lab = try ClockworkLab()
        let numbers = (1...1_500).map { "\($0): \($0)" }.joined(separator: ", ")
        let text = """
            scenario: many
            feature: clockwork
            options: {beats: false}
            inputs: {late: {\(numbers)}}
            until: 2000
            expect: {}
            """
        let scenario = try #require(try ScenarioReader.read(text).first)
        let report = try withExtendedLifetime(lab) { try ScenarioRun.run(scenario, on: lab.host) }
        #expect(report.passed)
        #expect(report.outputs.first { $0.output == "delayed" }?.events.count == 3_000)
        // From 0 to the last number, 140 ms later.
        #expect(report.picture.hasSuffix("\n\n... and 641 more instants"))
    }

    @Test(arguments: [
        ("allow: [unusedStub]", "did you mean unusedStubs?"),
        ("inputs: {go: a-^-b}", "nothing stands before the `^`"),
        ("cold: {ticks: \"a^b\"}", "nothing stands before the `^`"),
        ("allow: [x]", "x is none of unusedStubs, unstubbedEffects"),
        (
            "stubs: [{http: '*', reply: {reset: {aftr: 1}}}]",
            "/stubs/0/reply/reset/aftr is not one of after; did you mean after?"
        ),
        (
            "stubs: [{http: '*', reply: {}}, {partition: 'h', heal: soon}]",
            "/stubs/1/heal is not ticks such as 50, or a duration such as 300ms"
        ),
    ])
    func `a word that is wrong is told with its place`(_ line: String, _ expected: String) {
        let error = #expect(throws: ScenarioError.self) {
            _ = try ScenarioReader.read("scenario: x\nfeature: clockwork\n\(line)\nexpect: {}")
        }
        #expect("\(error as Any)".contains(expected))
        #expect(error?.line == 3)
    }
}
