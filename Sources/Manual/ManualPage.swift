// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A manual page while it is written, in the macros of man(7).
///
/// Parts come in the order they are read: `section`, then paragraphs, items and examples. Text may hold
/// `back-ticks` around what is typed; everything else stands as it is.
package struct ManualPage {
    package let name: String
    package let section: Int
    private var lines: [String]
    /// A formatter complains about a paragraph's sign behind a heading.
    private var isBehindHeading = false

    /// - Parameter summary: what `apropos` shows, without a full stop.
    package init(_ name: String, section: Int, summary: String) {
        self.name = name
        self.section = section
        lines = [
            ".\\\" Printed by the program itself, from what it runs by.",
            ".TH \(Roff.plain(name.uppercased())) \(section) \(MarbledVersion.date) "
                + "\"marbled \(MarbledVersion.current)\" \"marbled\"",
            // Ragged, and never hyphenated: names would be taken for other names.
            ".ad l", ".nh", ".nr HY 0",
            ".SH NAME", "\(Roff.plain(name)) \\- \(Roff.plain(summary))",
        ]
    }

    package var text: String { lines.joined(separator: "\n") + "\n" }

    package mutating func heading(_ title: String) {
        lines.append(".SH \(Roff.plain(title.uppercased()))")
        isBehindHeading = true
    }

    package mutating func subheading(_ title: String) {
        lines.append(".SS \(Roff.plain(title))")
        isBehindHeading = true
    }

    package mutating func paragraph(_ text: String) {
        guard !text.isEmpty else { return }
        beginParagraph()
        lines += Roff.prose(text)
    }

    /// Lines that are kept as they are.
    package mutating func example(_ text: [String]) {
        guard !text.isEmpty else { return }
        beginParagraph()
        lines += [".RS 4", ".EX"] + text.map(Roff.line) + [".EE", ".RE"]
    }

    /// A way to type the command, in its own markup: `command [options] file`.
    package mutating func synopsis(_ parts: [ManualWord]) {
        lines += [isBehindHeading ? nil : ".br", parts.map(\.roff).joined(separator: " ")]
            .compactMap { $0 }
        isBehindHeading = false
    }

    /// A term and what is said of it.
    package mutating func item(_ term: [ManualWord], _ text: String) {
        lines += [".TP", term.map(\.roff).joined(separator: " ")]
        lines += text.isEmpty ? ["\\&"] : Roff.prose(text)
        isBehindHeading = false
    }

    /// Paragraphs and, where lines are indented, examples; empty lines stand between them.
    package mutating func discussion(_ text: String) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        for block in all.split(whereSeparator: \.isBlank) {
            if let first = block.first, first.hasPrefix(" ") {
                let margin = block.map { $0.prefix { $0 == " " }.count }.min() ?? 0
                example(block.map { String($0.dropFirst(margin)) })
            } else {
                paragraph(block.joined(separator: " "))
            }
        }
    }

    /// Other pages, such as `marbled(8)`.
    package mutating func seeAlso(_ pages: [String]) {
        heading("See also")
        let marked = pages.map { page in
            let parts = page.split(separator: "(", maxSplits: 1).map(String.init)
            return Roff.bold(parts[0]) + Roff.plain("(" + parts[1])
        }
        lines.append(marked.joined(separator: ", "))
    }

    private mutating func beginParagraph() {
        if !isBehindHeading { lines.append(".PP") }
        isBehindHeading = false
    }
}

/// A word of a synopsis or of a term.
package enum ManualWord: Equatable {
    /// To be typed as it is.
    case literal(String)
    /// To be replaced.
    case placeholder(String)
    /// Neither: brackets, dots.
    case mark(String)
    /// Words without blanks between them.
    indirect case joined([ManualWord])

    /// `[words]`
    package static func optional(_ text: String) -> ManualWord {
        .joined([.mark("["), .placeholder(text), .mark("]")])
    }

    var roff: String {
        switch self {
        case .literal(let text): Roff.bold(text)
        case .placeholder(let text): Roff.italic(text)
        case .mark(let text): Roff.plain(text)
        case .joined(let words): words.map(\.roff).joined()
        }
    }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy { $0 == " " } }
}
