// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// Cuts a marble text into tokens, each with its column.
///
/// A value decides nothing about time or order; `MarbleReader` does.
struct MarbleLexer {
    let text: String
    private let characters: [Character]
    private var index = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    /// The next token and its column, or nil at the end.
    mutating func next() throws(MarbleError) -> (token: MarbleToken, column: Int)? {
        while index < characters.count && characters[index] == " " { index += 1 }
        guard index < characters.count else { return nil }
        let column = index + 1
        let character = characters[index]
        if character.isASCII && character.isNumber, let gap = try duration() {
            return (.gap(gap), column)
        }
        index += 1
        switch character {
        case "-": return (.silence, column)
        case "|": return (.symbol(.completed), column)
        case "#": return (.symbol(.error), column)
        case "^": return (.symbol(.subscribed), column)
        case "!": return (.symbol(.unsubscribed), column)
        case "(": return (.groupOpens, column)
        case ")": return (.groupCloses, column)
        case "'": return (.symbol(.value(try quotedName(from: column))), column)
        case let other where MarbleName.isBare(other):
            return (.symbol(.value(String(other))), column)
        case "\t": throw fault(column, "a tab has no width that all agree on; align with spaces")
        case let other where other.isWhitespace:
            throw fault(column, "only plain spaces align a diagram, which is one line")
        case let other where displayWidth(of: other) == 0:
            throw fault(column, "an invisible character; to name a value so, quote it: '\\u{…}'")
        case "\\":
            throw fault(column, "a backslash means something only between quotes")
        case let other:
            throw fault(column, "a bare `\(other)` means nothing; quote the name: '\(other)'")
        }
    }

    func fault(_ column: Int, _ message: String) -> MarbleError {
        MarbleError(text: text, column: column, message: message)
    }

    // MARK: Durations

    /// Reads a duration that begins at the digit under `index`, or returns nil when the digit is a value.
    ///
    /// What looks like a duration but touches a neighbour is refused rather than guessed at: elsewhere
    /// `10ms` at the end of a text silently is four values.
    private mutating func duration() throws(MarbleError) -> Int64? {
        let start = index
        var end = start
        func skip(while condition: (Character) -> Bool) {
            while end < characters.count && condition(characters[end]) { end += 1 }
        }
        skip { $0.isASCII && $0.isNumber }
        var isFractional = false
        if end < characters.count && characters[end] == "." {
            isFractional = true
            end += 1
            skip { $0.isASCII && $0.isNumber }
        }
        let unitStart = end
        skip { ($0.isASCII && $0.isLetter) || $0 == "µ" || $0 == "μ" }
        let unit = String(characters[unitStart..<end])
        let isUnit = ["ns", "us", "µs", "μs", "ms", "s", "m", "h"].contains(unit)
        let isNearlyUnit = ["ns", "us", "µs", "μs", "ms"].contains { unit.hasPrefix($0) }
        guard isUnit || isNearlyUnit || isFractional else { return nil }

        let written = String(characters[start..<end])
        guard isUnit else {
            throw fault(
                start + 1,
                "`\(written)` is not a duration: its units are ns, us, ms, s, m and h"
                    + (isFractional ? "" : "; if these are values, put spaces between them"))
        }
        let opens = start == 0 || characters[start - 1] == " "
        let closes = end == characters.count || characters[end] == " "
        guard opens && closes else {
            throw fault(
                start + 1,
                "`\(written)` reads as a duration: set it off by spaces on both sides, "
                    + "or put spaces between its characters if they are values")
        }
        guard let nanoseconds = DurationText.nanoseconds(written.utf8) else {
            throw fault(
                start + 1,
                "`\(written)` is not a whole number of nanoseconds within 292 years")
        }
        guard nanoseconds > 0 else {
            throw fault(
                start + 1, "a gap of nothing: events of one instant stand in a group, (ab)")
        }
        index = end
        return nanoseconds
    }

    // MARK: Names

    /// Reads up to the closing quote; `index` stands behind the opening one.
    private mutating func quotedName(from column: Int) throws(MarbleError) -> String {
        var name = ""
        while index < characters.count {
            let character = characters[index]
            index += 1
            switch character {
            case "'":
                return name
            case "\\":
                name.unicodeScalars.append(try escape())
            case let other where other.isNewline || displayWidth(of: other) == 0:
                throw fault(
                    index, "an invisible character in a name; spell it \\t, \\n or \\u{…}")
            case let other:
                name.append(other)
            }
        }
        throw fault(column, "the quote that opens here is never closed")
    }

    /// Reads one escape; `index` stands behind the backslash.
    private mutating func escape() throws(MarbleError) -> Unicode.Scalar {
        let column = index
        guard index < characters.count else {
            throw fault(column, "the text ends inside an escape")
        }
        let character = characters[index]
        index += 1
        switch character {
        case "'": return "'"
        case "\\": return "\\"
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "u":
            let rest = characters[index...]
            if rest.first == "{", let close = rest.firstIndex(of: "}"),
                let value = UInt32(String(rest[(index + 1)..<close]), radix: 16),
                let scalar = Unicode.Scalar(value)
            {
                index = close + 1
                return scalar
            }
            throw fault(column, "an escaped character is written \\u{1F600}, in hexadecimal")
        case let other:
            throw fault(column, "`\\\(other)` is no escape; write \\\\ for a backslash")
        }
    }
}
