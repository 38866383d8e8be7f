// SPDX-License-Identifier: Apache-2.0

/// Lines of cells, as columns for a terminal or as Markdown.
struct Table {
    let headings: [String]
    let lines: [[String]]

    /// Aligned columns. Figures stand to the right, words to the left.
    var text: String {
        let all = [headings] + lines
        let widths = headings.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        var drawn = all.map { line in
            var cells: [String] = []
            for (column, cell) in line.enumerated() {
                let room = String(repeating: " ", count: widths[column] - cell.count)
                cells.append((1...3).contains(column) ? room + cell : cell + room)
            }
            return cells.joined(separator: "  ").trimmingTrailingSpaces
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        drawn.insert(rule.joined(separator: "  "), at: 1)
        return drawn.joined(separator: "\n")
    }

    /// The same as a table of Markdown.
    var markdown: String {
        let rule = headings.indices.map { (1...3).contains($0) ? "---:" : "---" }
        return ([headings, rule] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        var line = self
        while line.last == " " { line.removeLast() }
        return line
    }
}
