// SPDX-License-Identifier: Apache-2.0

/// How many terminal columns `text` takes.
func displayWidth(of text: String) -> Int {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        ? text.utf8.count : text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// How many terminal columns `character` takes: 2 when East Asian wide or an emoji, 0 when it is
/// invisible or only combines, else 1.
///
/// The rule is that of Unicode's UAX #11 and of terminals' `wcwidth`, by extended grapheme cluster, so
/// that a family joined from four emoji counts once.
package func displayWidth(of character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
    var widest = 0
    for scalar in character.unicodeScalars {
        // Variation selector 16 asks for the emoji form of what stands before it.
        if scalar == "\u{FE0F}" && widest > 0 { return 2 }
        widest = max(widest, displayWidth(of: scalar))
    }
    return widest
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    if scalar.value >= 0x20 && scalar.value < 0x7F { return 1 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator,
        .surrogate:
        return 0
    default:
        break
    }
    if properties.isDefaultIgnorableCodePoint { return 0 }
    if properties.isEmojiPresentation || isEastAsianWide(scalar.value) { return 2 }
    return 1
}

/// The blocks that EastAsianWidth.txt lists as W or F; emoji are known by their own property.
private func isEastAsianWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF, 0x1B000...0x1B2FF,
        0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
        true
    default:
        false
    }
}

extension String {
    /// This text with spaces after it, up to `width` terminal columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth(of: self)))
    }

    /// This text if it fits into `width` terminal columns, else its beginning and an ellipsis.
    func clipped(to width: Int, ellipsis: String) -> String {
        guard displayWidth(of: self) > width else { return self }
        var room = width - displayWidth(of: ellipsis)
        guard room >= 0 else { return String(repeating: ".", count: max(0, width)) }
        let kept = prefix { character in
            room -= displayWidth(of: character)
            return room >= 0
        }
        return kept + ellipsis
    }
}
