// SPDX-License-Identifier: Apache-2.0

/// One line of a picture while it is put together: spans of text, each with its role.
///
/// Widths are counted before colours go on, because an escape sequence has no width.
struct PictureLine {
    private var spans: [(text: String, role: Palette.Role)] = []
    private(set) var width = 0

    mutating func append(_ text: String, _ role: Palette.Role) {
        guard !text.isEmpty else { return }
        width += displayWidth(of: text)
        // No copy of the span is held meanwhile: its text grows in place.
        if spans.last?.role == role {
            spans[spans.count - 1].text += text
        } else {
            spans.append((text, role))
        }
    }

    /// Adds all of `line`.
    mutating func append(_ line: PictureLine) {
        for span in line.spans { append(span.text, span.role) }
    }

    /// Adds `filler` until the line is `column` columns wide.
    mutating func pad(
        to column: Int, with filler: (sign: String, role: Palette.Role) = (" ", .blank)
    ) {
        append(String(repeating: filler.sign, count: max(0, column - width)), filler.role)
    }

    /// The line in its colours, without blanks at its end, no wider than `limit` columns.
    func painted(_ palette: Palette, limit: Int? = nil, ellipsis: String = "...") -> String {
        var spans = spans
        while let last = spans.last, last.text.allSatisfy({ $0 == " " }) { spans.removeLast() }
        if let limit, spans.reduce(0, { $0 + displayWidth(of: $1.text) }) > limit {
            var room = max(0, limit - displayWidth(of: ellipsis))
            var kept: [(text: String, role: Palette.Role)] = []
            for span in spans where room > 0 {
                let text = span.text.clipped(to: room, ellipsis: "")
                room = text == span.text ? room - displayWidth(of: text) : 0
                kept.append((text, span.role))
            }
            kept.append((ellipsis.clipped(to: limit, ellipsis: ""), .blank))
            spans = kept
        }
        return spans.map { palette.paint($0.text, $0.role) }.joined()
    }
}
