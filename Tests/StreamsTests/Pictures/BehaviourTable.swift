// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tables of operators and behaviours, from the texts beside the tests.
///
///     zip(a, b)        a         used      b         used      result
///       error of a     -1-2-#    ^----!    --3-|     ^----!    --x--#      x is (1, 3)
///       disposed at 3  -1-2-|    ^--!      --3-|     ^--!      --x         x is (1, 3)
///
/// A block is one operator, by its label in `Drawings`; its first line names the lanes, each line below
/// is one case. Cells stand two spaces apart. `used` says when the lane before it was subscribed to and
/// left, several times with commas; a lane whose name ends in `, cold` speaks from its subscription on.
/// The case's own name says more: `disposed at 3`, `at once` (sources that speak and end while they are
/// subscribed to), `endless` (one that never ends by itself), `from inside` (a 9 that is sent, nested,
/// from inside the delivery of the first result).
struct Behaviour: Sendable {
    let file: String
    let line: Int
    /// The label of what is drawn.
    let label: String
    /// What happens.
    let title: String
    let inputs: [Picture.Row]
    let result: Picture.Row

    /// The lanes that are streams.
    var sources: [Picture.Row] { inputs.filter { !$0.isSubscription && !$0.label.isEmpty } }
}

enum BehaviourTable {
    static let behaviours: [Behaviour] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Behaviours").standardized
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
            let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return behaviours(in: text ?? "", file: name)
        }
    }()

    static func behaviours(in text: String, file: String) -> [Behaviour] {
        var found: [Behaviour] = []
        var header: [String] = []
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let cells = cells(of: line)
            if line.hasPrefix("  ") {
                found.append(behaviour(cells, header, file: file, line: index + 1))
            } else {
                header = cells
            }
        }
        return found
    }

    /// What stands between runs of two spaces and more.
    static func cells(of line: String) -> [String] {
        line.components(separatedBy: "  ").map(\.trimmed).filter { !$0.isEmpty }
    }

    private static func behaviour(
        _ cells: [String], _ header: [String], file: String, line: Int
    ) -> Behaviour {
        func row(_ label: String, _ lane: String, note: String = "") -> Picture.Row {
            Picture.Row(label: label, lane: lane, offset: 0, note: note, line: line)
        }
        let title = cells.first ?? ""
        var inputs: [Picture.Row] = []
        // The sources' kind: the first source alone speaks without end, or nested.
        var kind = ["at once", "endless", "from inside"].first { title.contains($0) } ?? ""
        if kind == "from inside" { kind = "9 from inside" }
        for (name, cell) in zip(header, cells).dropFirst() where name != "result" {
            if name == "used" {
                inputs += cell.split(separator: ",").map { row("", String($0)) }
            } else if name.hasSuffix(", cold"), kind != "at once" {
                inputs.append(row(String(name.dropLast(6)), cell, note: "cold"))
            } else {
                let label = name.components(separatedBy: ", ")[0]
                inputs.append(row(label, cell, note: kind))
                if kind != "at once" { kind = "" }
            }
        }
        if title.hasPrefix("disposed at "), let tick = Int(title.dropFirst(12)) {
            inputs.append(row("subscribed", "^" + String(repeating: "-", count: tick - 1) + "!"))
        }
        let result = header.firstIndex(of: "result") ?? 0
        return Behaviour(
            file: file, line: line, label: header.first ?? "", title: title, inputs: inputs,
            result: row(
                "result", result < cells.count ? cells[result] : "",
                note: cells.dropFirst(result + 1).joined(separator: " ")))
    }
}
