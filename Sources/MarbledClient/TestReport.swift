// SPDX-License-Identifier: Apache-2.0

/// Outcomes as the formats that people and test services read.
package enum TestReport {
    /// One scenario, for people: a line, and what went wrong below it; with `drawsAll` the lanes of a
    /// scenario that passed as well.
    package static func lines(
        _ outcome: ScenarioOutcome, _ look: Look, drawsAll: Bool = false
    ) -> [String] {
        let mark = outcome.passed ? look.ink.good("✓") : look.ink.bad("✗")
        let place =
            outcome.title == outcome.file ? "" : look.ink.faint("  \(outcome.file.printable)")
        var lines = ["\(mark) \(outcome.title.printable)\(place)"]
        guard !outcome.passed || drawsAll else { return lines }
        lines += outcome.failures.map { "    \($0.printable)" }
        if !outcome.picture.isEmpty {
            lines.append("")
            for line in outcome.picture.split(separator: "\n", omittingEmptySubsequences: false) {
                lines.append(line.isEmpty ? "" : "    " + String(line).printable)
            }
            lines.append("")
        }
        return lines
    }

    /// The last line for people.
    package static func summary(
        _ outcomes: [ScenarioOutcome], nanoseconds: Int64, _ look: Look
    ) -> String {
        let failed = outcomes.count { !$0.passed }
        let passed = "\(outcomes.count - failed) passed"
        let time = "in \(Quantity.time(nanoseconds / 1_000_000 * 1_000_000))"
        return failed == 0
            ? "\(look.ink.good(passed)) \(time)"
            : "\(passed), \(look.ink.bad("\(failed) failed")) \(time)"
    }

    /// TAP version 14; a failure's details stand in its YAML block.
    package static func tap(_ outcomes: [ScenarioOutcome]) -> [String] {
        var lines = ["TAP version 14", "1..\(outcomes.count)"]
        for (index, outcome) in outcomes.enumerated() {
            let title = escapedForTAP(outcome.title)
            lines.append("\(outcome.passed ? "ok" : "not ok") \(index + 1) - \(title)")
            guard !outcome.passed else { continue }
            lines += ["  ---", "  file: \(quotedForYAML(outcome.file))"]
            if !outcome.failures.isEmpty {
                lines.append("  failures:")
                lines += outcome.failures.map { "    - \(quotedForYAML($0))" }
            }
            if !outcome.picture.isEmpty {
                // The indentation is told, so a picture may begin with blanks.
                lines.append("  picture: |2")
                for line in outcome.picture.split(separator: "\n", omittingEmptySubsequences: false)
                {
                    lines.append(line.isEmpty ? "" : "    " + String(line).printable)
                }
            }
            lines.append("  ...")
        }
        return lines
    }

    /// JUnit XML: a suite for each file, in the order run.
    package static func junit(_ outcomes: [ScenarioOutcome]) -> [String] {
        func counts(_ outcomes: some Collection<ScenarioOutcome>) -> String {
            let seconds = outcomes.reduce(0) { $0 + $1.seconds }
            return "tests=\"\(outcomes.count)\" failures=\"\(outcomes.count { !$0.passed })\" "
                + "errors=\"0\" time=\"\(decimal(seconds))\""
        }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"marbled\" \(counts(outcomes))>",
        ]
        var rest = outcomes[...]
        while let first = rest.first {
            let suite = rest.prefix { $0.file == first.file }
            rest = rest[suite.endIndex...]
            let file = escapedForXML(first.file)
            lines.append("  <testsuite name=\"\(file)\" \(counts(suite))>")
            for outcome in suite {
                let head =
                    "    <testcase name=\"\(escapedForXML(outcome.title))\" classname=\"\(file)\" "
                    + "time=\"\(decimal(outcome.seconds))\""
                guard !outcome.passed else {
                    lines.append(head + "/>")
                    continue
                }
                let message = escapedForXML(outcome.failures.first ?? "failed")
                let details = (outcome.failures + [outcome.picture])
                    .filter { !$0.isEmpty }.joined(separator: "\n")
                lines += [
                    head + ">",
                    "      <failure message=\"\(message)\">\(escapedForXML(details, asText: true))"
                        + "</failure>",
                    "    </testcase>",
                ]
            }
            lines.append("  </testsuite>")
        }
        return lines + ["</testsuites>"]
    }

    /// What would start a directive or a line, or be taken for an escape, is escaped.
    package static func escapedForTAP(_ text: String) -> String {
        text.printable.reduce(into: "") { escaped, character in
            if character == "#" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
    }

    /// Single quotes: nothing but a quote means anything between them.
    package static func quotedForYAML(_ text: String) -> String {
        "'"
            + text.printable.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "''") + "'"
    }

    /// XML 1.0: what it has no room for at all becomes a replacement character.
    package static func escapedForXML(_ text: String, asText: Bool = false) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where !asText: escaped += "&quot;"
            case "\n" where asText: escaped += "\n"
            case "\n", "\r", "\t": escaped += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE:
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Seconds with three decimals.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int64((seconds * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
