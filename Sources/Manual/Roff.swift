// SPDX-License-Identifier: Apache-2.0

/// Text as the formatters of manual pages take it: ASCII alone, and nothing in it that they would obey.
enum Roff {
    /// Words as they stand.
    static func plain(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            // Each of these is made typographic where it stands bare, and then copied wrongly.
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result +=
                    "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }

    /// A line of text: a dot at its beginning would be an order. (An apostrophe is none any more.)
    static func line(_ text: String) -> String { guarded(plain(text)) }

    static func bold(_ text: String) -> String { "\\fB\(plain(text))\\fR" }
    static func italic(_ text: String) -> String { "\\fI\(plain(text))\\fR" }

    /// Lines of prose in which `back-ticks` stand around what is typed.
    static func prose(_ text: String) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        // One that is left alone marks nothing.
        guard parts.count % 2 == 1 else { return broken(plain(text)) }
        let marked = parts.enumerated().map { index, part in
            index % 2 == 0 ? plain(part) : bold(part)
        }
        return broken(marked.joined())
    }

    /// Breaks at blanks, which are the formatter's to fill again.
    private static func broken(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > 78 {
                lines.append(guarded(line))
                line = ""
            }
            line += line.isEmpty ? word : " \(word)"
        }
        return lines + [guarded(line)]
    }

    private static func guarded(_ text: String) -> String {
        text.hasPrefix(".") ? "\\&" + text : text
    }
}
