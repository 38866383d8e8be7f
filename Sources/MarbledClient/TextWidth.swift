// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The columns this takes on a terminal: by Unicode's East Asian Width, marks that combine and
    /// colour sequences counted as nothing.
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
                count += character.columns
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
            room -= character.columns
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

    fileprivate var columns: Int {
        if value >= 0x20, value < 0x7F { return 1 }
        switch properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator,
            .paragraphSeparator, .surrogate:
            return 0
        default: break
        }
        if properties.isDefaultIgnorableCodePoint { return 0 }
        return properties.isEmojiPresentation || isEastAsianWide ? 2 : 1
    }

    /// The blocks that EastAsianWidth.txt lists as W or F; emoji are known by their own property.
    private var isEastAsianWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD,
            0x30000...0x3FFFD:
            true
        default: false
        }
    }
}

extension Character {
    /// A family joined from four emoji is one picture, and as wide as its widest part.
    fileprivate var columns: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
        var widest = 0
        for scalar in unicodeScalars {
            // Variation selector 16 asks for the emoji form of what stands before it.
            if scalar == "\u{FE0F}", widest > 0 { return 2 }
            widest = max(widest, scalar.columns)
        }
        return widest
    }
}
