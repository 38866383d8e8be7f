// SPDX-License-Identifier: Apache-2.0

public import Streams
public import Testing

/// Expects that exactly these events happened at these ticks.
///
/// A failure shows both records side by side, aligned by position, the first difference marked.
@discardableResult
public func expectEvents<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Recorded<Event<Element>>],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    guard actual != expected else { return true }
    TestFailure.report(differenceTable(actual, expected), sourceLocation)
    return false
}

/// Expects exactly these values, whenever they came; an error or a completion is left aside.
@discardableResult
public func expectValues<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Element],
    sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
    let values = actual.compactMap(\.value.element)
    guard values != expected else { return true }
    TestFailure.report("expected values \(expected), got \(values)", sourceLocation)
    return false
}

/// Two records as an aligned table.
func differenceTable<Element: Equatable>(
    _ actual: [Recorded<Event<Element>>], _ expected: [Recorded<Event<Element>>]
) -> String {
    let header = ["", "tick", "expected", "tick", "actual"]
    var rows = [header]
    var isMarked = false
    for index in 0..<max(actual.count, expected.count) {
        let want = index < expected.count ? expected[index] : nil
        let got = index < actual.count ? actual[index] : nil
        let differs = want != got
        let mark = differs ? (isMarked ? "≠" : "→") : ""
        isMarked = isMarked || differs
        rows.append([
            mark, want.map { "\($0.time)" } ?? "", want.map { "\($0.value)" } ?? "—",
            got.map { "\($0.time)" } ?? "", got.map { "\($0.value)" } ?? "—",
        ])
    }
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
        let line = zip(row, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
    return "the events differ\n" + lines.joined(separator: "\n")
}
