// SPDX-License-Identifier: Apache-2.0

/// Rows under headings, in columns as wide as what stands in them.
///
///     INSTANCE  FEATURE      CLOCK    NOW
///     i1        find-number  virtual  30ms
///
/// Cells are made printable first: nothing that a plugin says can steer the terminal. Where a line
/// would be wider than the terminal, its last cell is cut.
package struct Table {
    package enum Alignment { case left, right }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// Columns by their headings; a heading that starts with `>` is for numbers and stands right.
    package init(_ headings: String...) {
        alignments = headings.map { $0.hasPrefix(">") ? .right : .left }
        self.headings = zip(headings, alignments).map { heading, alignment in
            alignment == .right ? String(heading.dropFirst()) : heading
        }
    }

    package var isEmpty: Bool { rows.isEmpty }

    package mutating func add(_ cells: String...) {
        precondition(
            cells.count == headings.count,
            "\(cells.count) cells for \(headings.count) columns")
        rows.append(cells.map(\.printable))
    }

    /// The lines; a table without rows says so in `placeholder`.
    package func lines(_ look: Look, placeholder: String) -> [String] {
        guard !rows.isEmpty else { return [look.ink.faint(placeholder)] }
        let hasHeadings = headings.contains { !$0.isEmpty }
        let widths = headings.indices.map { column in
            rows.reduce(headings[column].columns) { max($0, $1[column].columns) }
        }
        func line(_ cells: [String]) -> String {
            var line = ""
            for (column, cell) in cells.enumerated() {
                let isLast = column == cells.count - 1
                if column > 0 { line += "  " }
                let blanks = String(repeating: " ", count: widths[column] - cell.columns)
                switch alignments[column] {
                case .right: line += blanks + cell
                case .left: line += isLast ? cell : cell + blanks
                }
            }
            while line.last == " " { line.removeLast() }
            return look.width.map { line.clipped(to: $0) } ?? line
        }
        let body = rows.map(line)
        return hasHeadings ? [look.ink.heading(line(headings))] + body : body
    }
}
