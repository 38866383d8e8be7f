// SPDX-License-Identifier: Apache-2.0

extension ManualPage {
    /// Takes over a page of the documentation: headings, paragraphs, code and tables, which is what
    /// printed pages consist of. A table's row becomes an item: its first cell names it.
    package mutating func markdown(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            if line.hasPrefix("```") {
                let code = lines.prefix { !$0.hasPrefix("```") }
                lines = lines.dropFirst(code.count + 1)
                example(code.map(String.init))
            } else if line.hasPrefix("@Comment {") {
                lines = lines.drop { $0 != "}" }.dropFirst()
            } else if line.hasPrefix("|") {
                let rows = lines.prefix { $0.hasPrefix("|") }
                lines = lines.dropFirst(rows.count)
                // The first row holds the heads, and the second their line.
                for row in rows.dropFirst() { tableRow(row) }
            } else if line.hasPrefix("### ") {
                subheading(String(line.dropFirst(4)))
            } else if line.hasPrefix("## ") {
                heading(String(line.dropFirst(3)))
            } else if line.hasPrefix("# ") {
                heading("Description")
            } else if !line.isEmpty {
                let rest = lines.prefix { !$0.isEmpty }
                lines = lines.dropFirst(rest.count)
                paragraph(([line] + rest).joined(separator: " "))
            }
        }
    }

    private mutating func tableRow(_ row: Substring) {
        let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast().map { String($0.trimmed) }
        guard let name = cells.first else { return }
        var term: [ManualWord] = [.literal(name.filter { $0 != "`" })]
        if cells.count > 2 { term += [.placeholder(cells[1].filter { $0 != "`" })] }
        item(term, cells.count > 1 ? cells[cells.count - 1] : "")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
