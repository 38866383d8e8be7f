// SPDX-License-Identifier: Apache-2.0

/// A command line without anything special: words, and options that every verb has.
package struct PlainLine: Equatable {
    package private(set) var words: [String] = []
    package private(set) var socket: String?
    package private(set) var output: OutputFormat?
    package private(set) var timeout: String?

    /// Reads a command line; nil where something is in it that is not plain, or twice.
    package init?(_ line: [String]) {
        var rest = line[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-", !Self.isNegativeNumber(word) else {
                words.append(word)
                continue
            }
            guard let value = rest.popFirst(), !value.hasPrefix("-") else { return nil }
            switch word {
            case "--socket" where socket == nil: socket = value
            case "--timeout" where timeout == nil: timeout = value
            case "-o" where output == nil, "--output" where output == nil:
                guard let format = OutputFormat(rawValue: value) else { return nil }
                output = format
            default: return nil
            }
        }
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        guard let second = word.utf8.dropFirst().first else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
    }
}
