// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import Testing

@testable import Scenarios

/// What only the host can know to be wrong is told where the file has it.
@Suite struct PlaceTests {
    private static let sample = """
        scenario: placed
        feature: clockwork
        options: {beats: false}
        inputs:
          word: {10: a}
          late: {10: 1}
        expect: {}
        """

    @Test(arguments: [
        ("feature: clockwork", "feature: clockwerk", 2, 10),
        ("beats: false", "beats: 1", 3, 10),
        ("late: {10: 1}", "late: {10: one}", 6, 3),
        ("late:", "lote:", 6, 3),
        ("expect: {}", "expect: {queit: {}}", 7, 10),
    ])
    func `a fault of the host has a place in the file`(
        _ text: String, _ edit: String, _ line: Int, _ column: Int
    ) throws {
        let edited = Self.sample.replacing(text, with: edit)
        let scenario = try #require(try ScenarioReader.read(edited).first)
        let lab = try ClockworkLab()
        let fault = try #require(throws: HostError.self) {
            try withExtendedLifetime(lab) { _ = try ScenarioRun.run(scenario, on: lab.host) }
        }
        #expect(scenario.place(of: fault) == Scenario.Place(line: line, column: column), "\(fault)")
    }
}
