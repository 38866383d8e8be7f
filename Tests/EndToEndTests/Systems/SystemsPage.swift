// SPDX-License-Identifier: Apache-2.0

/// `Documentation/Marbled.docc/Systems.md`, made of the table and of how its scenarios ran.
struct SystemsPage {
    /// How a scenario ran in process and in a daemon.
    struct Outcome: Equatable {
        let isPassed: Bool
        /// Whether the daemon's report is the one made in process, byte for byte.
        let isSame: Bool
        /// The events that the outputs said.
        let events: Int

        var text: String {
            guard isPassed else { return "fails" }
            return isSame ? "passes, \(events) events as in process" : "differs"
        }
    }

    let systems: [System]
    /// By plugin and name: `FindNumber/start`.
    let outcomes: [String: Outcome]

    /// What is wrong with the table, given the tests that there are and the scenario files of each plugin.
    static func faults(
        _ systems: [System], tests: Set<SystemsRow.Test>, scenarios: [String: Set<String>]
    ) -> [String] {
        var faults: [String] = []
        for system in systems {
            let files = scenarios[system.plugin] ?? []
            var named: Set<String> = []
            for row in system.rows {
                let place = "\(system.plugin), \(row.name)"
                for test in row.swiftTests(of: system) + row.socketTests
                where !tests.contains(test) {
                    faults.append("\(place): \(test.target) has no test `\(test.sentence)`")
                }
                for name in row.scenarios where !files.contains(name) {
                    faults.append("\(place): there is no scenario \(name).yaml")
                }
                if row.swiftTests(of: system).isEmpty, row.socket.isEmpty {
                    faults.append("\(place): no Swift test")
                }
                if row.scenarios.isEmpty, row.reason.isEmpty {
                    faults.append("\(place): no scenario, and no reason")
                }
                named.formUnion(row.scenarios)
            }
            for name in files.subtracting(named).sorted() {
                faults.append("\(system.plugin): no row names \(name).yaml")
            }
        }
        return faults
    }

    var text: String {
        let scenarios = systems.flatMap(\.rows).map(\.scenarios.count).reduce(0, +)
        return """
            # The systems

            What each plugin promises, and what holds it in three forms: Swift tests, scenario files, and a real
            daemon asked over its socket. The table is `Tests/EndToEndTests/Systems/SystemsTable.swift`. A test runs
            each of its \(scenarios) scenarios in process and in a daemon that has mapped all plugins, and fails when the reports
            are not the same bytes, when a test or file that is named here is missing, or when this page is not up to
            date. `Tests/Scripts/conformance.sh` makes it.

            Times are ticks of the virtual clock, which are milliseconds: `10:2` is the value 2 at 10.

            \(systems.map(section).joined(separator: "\n"))
            """
    }

    private func section(_ system: System) -> String {
        """
        ## \(system.title)

        Plugin `\(system.plugin)`; tests in `Tests/\(system.testTarget)`, scenarios in `plugins/\(system.plugin)/scenarios`.

        | row | what must hold | Swift tests | scenarios | over the socket |
        |---|---|---|---|---|
        \(system.rows.map { line($0, of: system) }.joined(separator: "\n"))

        """
    }

    private func line(_ row: SystemsRow, of system: System) -> String {
        let tests = row.swiftTests(of: system).map { test in
            test.target == system.testTarget ? test.sentence : "\(test.sentence) (\(test.target))"
        }
        let scenarios =
            row.scenarios.isEmpty ? ["none: \(row.reason)"] : row.scenarios.map { "`\($0)`" }
        let results = row.scenarios.map { name in
            "`\(name)` \(outcomes["\(system.plugin)/\(name)"]?.text ?? "was not run")"
        }
        return "| "
            + [
                row.name, row.holds, Self.cell(tests), Self.cell(scenarios),
                Self.cell(results + row.socket),
            ].joined(separator: " | ") + " |"
    }

    private static func cell(_ lines: [String]) -> String {
        lines.isEmpty ? "–" : lines.joined(separator: "<br>")
    }

    /// The test that a listing of the test program names, such as `Target.Suite/`a sentence`(_:)`.
    static func test(listed line: some StringProtocol) -> SystemsRow.Test? {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        // A suite may be called by a sentence as well: the last one is the test.
        guard parts.count >= 3, let target = line.split(separator: ".").first,
            parts[parts.count - 1].hasPrefix("(")
        else { return nil }
        return SystemsRow.Test(target: String(target), sentence: String(parts[parts.count - 2]))
    }
}

extension SystemsRow {
    func swiftTests(of system: System) -> [Test] {
        tests.map { Test(target: system.testTarget, sentence: $0) } + others
    }
}
