// SPDX-License-Identifier: Apache-2.0

/// A record that cannot be read: where and why.
package struct RecordError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in characters.
    package var column: Int
    /// What is wrong, and what would be right.
    package var message: String

    package init(_ message: String, line: Int, column: Int) {
        self.message = message
        self.line = line
        self.column = column
    }

    package var description: String { "\(line):\(column): \(message)" }
}
