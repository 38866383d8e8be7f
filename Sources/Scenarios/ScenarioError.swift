// SPDX-License-Identifier: Apache-2.0

/// A scenario file that cannot be run: where and why.
package struct ScenarioError: Error, Equatable, CustomStringConvertible {
    /// The file, where there is one.
    package var file: String?
    /// Counted from 1; nil where the whole file is meant.
    package var line: Int?
    package var column: Int?
    /// What is wrong, and what would be right.
    package var message: String

    package init(_ message: String, line: Int? = nil, column: Int? = nil) {
        self.message = message
        self.line = line
        self.column = column
    }

    package var description: String {
        let place = [file, line.map(String.init), column.map(String.init)].compactMap { $0 }
        return place.isEmpty ? message : "\(place.joined(separator: ":")): \(message)"
    }
}
