// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a marble diagram, and where.
///
///     column 3: a group is open here and never closed
///     --(ab
///       ^
public struct MarbleError: Error, Hashable, Sendable {
    /// The text that was read, whole.
    public var text: String
    /// Where the fault stands, in characters as a person counts them, from 1.
    public var column: Int
    /// What is wrong and what to write instead.
    public var message: String

    /// A fault at `column` of `text`.
    public init(text: String, column: Int, message: String) {
        self.text = text
        self.column = column
        self.message = message
    }
}

extension MarbleError: CustomStringConvertible {
    /// The sentence, the text, and a caret under the column.
    public var description: String {
        // A tab or a line break would move the caret away from its column: show each as one sign.
        let shown = text.map { character in
            switch character {
            case "\t": "␉"
            case let other where other.isNewline: "␤"
            case let other where displayWidth(of: other) == 0: "\u{FFFD}"
            case let other: String(other)
            }
        }
        let indent = shown.prefix(column - 1).reduce(0) { $0 + displayWidth(of: $1) }
        return """
            column \(column): \(message)
            \(shown.joined())
            \(String(repeating: " ", count: indent))^
            """
    }
}
