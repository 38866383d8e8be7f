// SPDX-License-Identifier: Apache-2.0

/// One node of a YAML document, with the place it stands at.
///
/// Plain data: scalars stay text, and whoever reads them decides what they mean. Anchors and aliases,
/// which turn a tree into something else, are refused by the reader.
package struct YAMLNode: Equatable {
    /// What the node is.
    package indirect enum Content: Equatable {
        /// Text; quoted text is never anything but text.
        case scalar(String, isQuoted: Bool)
        case sequence([YAMLNode])
        /// Pairs, in the order of the file.
        case mapping([Pair])
    }

    /// One entry of a mapping.
    package struct Pair: Equatable {
        package var key: YAMLNode
        package var value: YAMLNode
    }

    package var content: Content
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in characters.
    package var column: Int

    /// The text of a scalar, or nil.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }
}

/// A text that is not YAML, or not the part of it that is read here.
package struct YAMLError: Error, Equatable, CustomStringConvertible {
    package var message: String
    /// Counted from 1.
    package var line: Int
    package var column: Int

    package var description: String { "line \(line), column \(column): \(message)" }
}
