// SPDX-License-Identifier: Apache-2.0

internal import Marbles

extension String {
    /// The columns this takes on a terminal, where colour sequences take none.
    package var columns: Int {
        var count = 0
        var inSequence = false
        for character in self {
            if inSequence {
                // A sequence of ours is ESC, `[`, numbers, and one letter that ends it.
                inSequence = !character.isLetter
            } else if character == "\u{1B}" {
                inSequence = true
            } else {
                count += displayWidth(of: character)
            }
        }
        return count
    }

    /// With blanks behind it, up to `width` columns.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }

    /// This if it fits into `width` columns, else its beginning and an ellipsis. Without colours.
    package func clipped(to width: Int) -> String {
        guard columns > width else { return self }
        guard width > 0 else { return "" }
        var room = width - 1
        let kept = prefix { character in
            room -= displayWidth(of: character)
            return room >= 0
        }
        return kept + "…"
    }

    /// This with everything that could steer a terminal made visible.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControl:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
