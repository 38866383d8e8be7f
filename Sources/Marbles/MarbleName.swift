// SPDX-License-Identifier: Apache-2.0

/// How a value's name is spelled in a diagram: bare when one character says it, else between quotes.
///
/// Between quotes `\'`, `\\`, `\n`, `\t`, `\r` and `\u{1F600}` are what they are in Swift, so any text
/// at all can be a name and reads back as itself.
enum MarbleName {
    /// Characters that mean something, or may one day; a value named so needs quotes.
    static let reserved: Set<Character> = [
        "-", "|", "#", "(", ")", "^", "!", "'", " ",
        ".", ",", ";", "[", "]", "{", "}", "\"", "\\",
    ]

    /// Whether `character` on its own names a value.
    static func isBare(_ character: Character) -> Bool {
        !reserved.contains(character) && !character.isWhitespace
            && displayWidth(of: character) > 0
    }

    /// `name` as it stands in a diagram.
    static func spelled(_ name: String) -> String {
        if name.count == 1, let only = name.first, isBare(only), isStable(name) { return name }
        return quoted(name)
    }

    /// Whether two spellings next to each other would read as something else.
    ///
    /// A flag is two letters that join; `1` beside `s` is a duration.
    static func needsSpace(between left: String, and right: String) -> Bool {
        guard let last = left.last, let first = right.first else { return false }
        if last.isASCII && last.isNumber && "nuµμmsh".contains(first) { return true }
        return (String(last) + String(first)).count != 2
    }

    static func quoted(_ name: String) -> String {
        let readable = name.map { escaped($0, ifVisible: false) }
        let text = "'" + readable.joined() + "'"
        // A name that begins or ends in a joiner would swallow its quote.
        let isWhole = text.count == readable.reduce(2) { $0 + $1.count }
        return isWhole
            ? text : "'" + name.map { escaped($0, ifVisible: true) }.joined() + "'"
    }

    /// `name` on one line, for legends and tables: what cannot be seen is escaped, nothing is quoted.
    static func readable(_ name: String) -> String {
        name.map { character in
            let isHidden = displayWidth(of: character) == 0 || character.isNewline
            return isHidden ? escaped(character, ifVisible: false) : String(character)
        }.joined()
    }

    /// Whether a character keeps to itself between two others.
    private static func isStable(_ name: String) -> Bool {
        ("-" + name + "-").count == 3
    }

    /// `character` as it stands between quotes; one that is visible and not ASCII is spelled out only
    /// on request.
    private static func escaped(_ character: Character, ifVisible: Bool) -> String {
        let isInvisible = displayWidth(of: character) == 0 || character.isNewline
        guard isInvisible || ifVisible || character == "'" || character == "\\" else {
            return String(character)
        }
        return character.unicodeScalars.map { scalar in
            switch scalar {
            case "'": "\\'"
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\t": "\\t"
            case "\r": "\\r"
            case let scalar where scalar.value >= 0x20 && scalar.value < 0x7F: String(scalar)
            case let scalar: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }.joined()
    }
}
