// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// The answer to `record.replay`, for people.
package enum ReplayLines {
    package static func lines(
        _ answer: JSONValue, nanoseconds: Int64, _ look: Look
    ) -> [String] {
        let passed = answer["passed"]?.bool == true
        let feature = answer["feature"]?.shown ?? "the feature"
        let events = Quantity.count(Int(answer["events"]?.int ?? 0), "event")
        let spent =
            "\(Quantity.time(answer["end"])) of virtual time in "
            + Quantity.time(max(nanoseconds / 1_000 * 1_000, 1_000))
        var lines: [String] = []
        if answer["record"] != nil {
            lines.append("\(look.ink.good("refreshed")): \(feature), \(events), \(spent)")
        } else if passed {
            lines.append("\(look.ink.good("equal")): \(feature), \(events), \(spent)")
        } else {
            lines.append("\(look.ink.bad("different")): \(feature), \(spent)")
        }
        lines += (answer["failures"]?.array ?? []).map { "    \($0.shown.printable)" }
        lines += (answer["notes"]?.array ?? []).map { "    \(look.ink.faint($0.shown.printable))" }
        if let picture = answer["picture"]?.string, !picture.isEmpty {
            lines.append("")
            for line in picture.split(separator: "\n", omittingEmptySubsequences: false) {
                lines.append(line.isEmpty ? "" : "    " + String(line).printable)
            }
        }
        return lines
    }
}
