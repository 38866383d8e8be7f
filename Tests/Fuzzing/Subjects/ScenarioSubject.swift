// SPDX-License-Identifier: Apache-2.0

internal import Scenarios
internal import Scheduling

/// Scenario files: every error has a place, and what is accepted reads back from a print of it.
enum ScenarioSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let scenarios: [Scenario]
        do { scenarios = try ScenarioReader.read(text) } catch {
            if let line = error.line, let column = error.column {
                try YAMLSubject.requirePlace(line, column, in: text)
            }
            return try require(!error.message.isEmpty, "refused without a word")
        }
        for scenario in scenarios {
            try checkTimes(scenario)
            let printed = ScenarioPrinter.text(of: scenario)
            let again: [Scenario]
            do { again = try ScenarioReader.read(printed) } catch {
                throw FuzzFinding("\(error)\n\(printed)")
            }
            try require(again.count == 1, "one scenario became \(again.count)")
            for again in again {
                try requireSame(ScenarioPrinter.text(of: again), printed, "printed and read")
            }
        }
    }

    private static func checkTimes(_ scenario: Scenario) throws(FuzzFinding) {
        try require(scenario.tick > .zero && scenario.until >= .zero, "time stands still")
        for lane in scenario.expect + scenario.cold {
            let times = lane.events.map(\.at)
            try require(times == times.sorted(), "\(lane.output) is out of order: \(times)")
        }
        // A marble may stand before its lane's zero point; nothing can go in then.
        for arrival in scenario.inputs {
            try require(arrival.at >= .zero, "\(arrival.input) goes in at \(arrival.at)")
        }
        for release in scenario.releases {
            try require(release.at >= .zero, "\(release.name) is released at \(release.at)")
        }
    }
}
