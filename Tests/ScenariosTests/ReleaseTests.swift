// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import Testing

@testable import Scenarios

@Suite struct ReleaseTests {
    private func run(_ release: String) throws -> ScenarioReport {
        let lab = try ClockworkLab()
        let text = """
            scenario: what is held comes at its release
            feature: clockwork
            options: {beats: false}
            stubs: [{http: "*", reply: {body: found, release: gate}}]
            inputs: {word: {10: a}}
            release: \(release)
            until: 100
            expect: {found: {60: found}}
            """
        let scenario = try #require(try ScenarioReader.read(text).first)
        return try withExtendedLifetime(lab) { try ScenarioRun.run(scenario, on: lab.host) }
    }

    @Test(arguments: ["{60: gate}", "{60ms: gate}", "[[60, gate]]"])
    func `a scenario releases at a tick`(_ release: String) throws {
        let report = try run(release)
        #expect(report.passed, "\(report.picture)")
    }

    @Test func `a release of nothing fails, and one that is no name is an error`() throws {
        #expect(
            try run("{60: gate, 70: gate}").failures == [
                .other("nothing was held as \"gate\" at its release")
            ])
        #expect(throws: ScenarioError.self) { try run("{60: 5}") }
    }
}
