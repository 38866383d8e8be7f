// SPDX-License-Identifier: Apache-2.0

/// Redraws a block of lines in place at the bottom of a terminal; the text is for the caller to write.
///
/// The cursor rests on the line below the block, hidden. Lines above are never touched, so the
/// scroll-back stays as it was; `end()` leaves the last picture standing.
package struct LiveScreen {
    /// The columns of each line that stands there now.
    private var drawn: [Int] = []

    package init() {}

    /// The text that replaces the block, on a terminal of that size.
    package mutating func draw(_ lines: [String], width: Int, height: Int) -> String {
        // A block as high as the terminal would scroll, and its top could never be reached again.
        let lines = lines.prefix(max(1, height - 1))
        var text = "\u{1B}[?2026h\u{1B}[?25l" + toTop(width: width)
        for line in lines { text += line + "\u{1B}[K\n" }
        text += "\u{1B}[J\u{1B}[?2026l"
        drawn = lines.map(\.columns)
        return text
    }

    /// The text that gives the terminal back; empty where nothing was drawn.
    package mutating func end() -> String {
        defer { drawn = [] }
        return drawn.isEmpty ? "" : "\u{1B}[?25h"
    }

    /// Moves to the block's first line. A terminal made narrower has broken long lines in two.
    private func toTop(width: Int) -> String {
        let rows = drawn.reduce(0) { $0 + max(1, ($1 + width - 1) / max(1, width)) }
        return rows == 0 ? "" : "\r\u{1B}[\(rows)A"
    }
}
