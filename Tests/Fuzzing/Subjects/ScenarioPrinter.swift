// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scenarios
internal import Scheduling

/// Prints a scenario as a file that must read as the same: every time in nanoseconds, every lane a list of
/// pairs, in ASCII.
enum ScenarioPrinter {
    static func text(of scenario: Scenario) -> String {
        var lines = [
            ("scenario", quoted(scenario.title)), ("feature", quoted(scenario.feature)),
            ("tick", "\(scenario.tick.wholeNanoseconds)ns"),
            ("profile", scenario.profile.rawValue), ("options", flow(scenario.options)),
            ("seed", "\(Int64(bitPattern: scenario.seed))"),
            ("stubs", list(scenario.stubs.map { flow($0.source) })),
        ]
        lines.append(
            (
                "inputs",
                mapping(
                    scenario.inputs.map { ($0.input, list([pair($0.at, flow($0.value))])) })
            ))
        lines.append(("release", list(scenario.releases.map { pair($0.at, quoted($0.name)) })))
        lines.append(("cold", lanes(scenario.cold)))
        lines.append(("until", time(scenario.until)))
        lines.append(("expect", lanes(scenario.expect)))
        lines.append(
            ("effects", mapping(scenario.effectCounts.map { ($0.effect, "{count: \($0.count)}") })))
        lines.append(("allow", list(scenario.allowances.map(\.rawValue).sorted())))
        return lines.map { "\($0): \($1)\n" }.joined()
    }

    private static func lanes(_ lanes: [Scenario.Expectation]) -> String {
        mapping(
            lanes.map { lane in
                (lane.output, list(lane.events.map { pair($0.at, flow($0.event.json)) }))
            })
    }

    private static func pair(_ at: Instant, _ value: String) -> String {
        "[\(time(at)), \(value)]"
    }

    private static func time(_ instant: Instant) -> String { "\(instant.nanoseconds)ns" }

    private static func list(_ items: [String]) -> String {
        "[\(items.joined(separator: ", "))]"
    }

    private static func mapping(_ pairs: [(String, String)]) -> String {
        "{\(pairs.map { "? \(quoted($0)) : \($1)" }.joined(separator: ", "))}"
    }

    private static func quoted(_ text: String) -> String { flow(.string(text)) }

    /// JSON in YAML's flow style: keys are marked as such, since only then may they be long, and what YAML does
    /// not let stand unescaped is escaped.
    private static func flow(_ value: JSONValue) -> String {
        switch value {
        case .array(let elements): list(elements.map(flow))
        case .object(let object): mapping(object.members.map { ($0.name, flow($0.value)) })
        case .null, .bool, .int, .double, .string:
            value.text.unicodeScalars.map { scalar in
                if (" "..."~").contains(scalar) { return "\(scalar)" }
                let digits = String(scalar.value, radix: 16)
                return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }.joined()
        }
    }
}
