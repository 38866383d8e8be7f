// SPDX-License-Identifier: Apache-2.0

/// How results are printed.
package enum OutputFormat: String, Sendable, CaseIterable {
    /// For people.
    case table
    /// One JSON text over several lines.
    case json
    /// One JSON text a line; lists become one line for each element.
    case jsonl

    /// A person sits at a terminal; a program reads a pipe.
    package static func standard(isTerminal: Bool) -> OutputFormat { isTerminal ? .table : .json }
}

/// What a view needs to know of the terminal it is drawn for.
package struct Look: Sendable {
    /// The columns to fit into; nil where lines may be as long as they are.
    package var width: Int?
    package var ink: Ink

    package init(width: Int? = nil, ink: Ink = .none) {
        self.width = width
        self.ink = ink
    }
}
