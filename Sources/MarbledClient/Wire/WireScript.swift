// SPDX-License-Identifier: Apache-2.0

/// A conversation with a daemon, line by line: what is sent, and what must come.
///
///     # An id comes back as it was written.
///     promise idEchoed
///     limits lineBytes=4096
///     > {"jsonrpc":"2.0","id":"a","method":"daemon.ping"}
///     < {"jsonrpc":"2.0","result":{},"id":"a"}
///
/// The first block of `#` lines is the rule that the script holds; `promise` names what it shows of the
/// protocol page, `limits` what the daemon must be configured with. Every other line begins with the name of
/// a client, where there is more than one, and with what that client does:
///
/// | word | meaning |
/// |---|---|
/// | `> TEXT` | sends a line |
/// | `< TEXT` | the next line that comes |
/// | `half TEXT` | sends the text and no line end |
/// | `raw TEXT` | sends bytes; `\n`, `\r`, `\t`, `\\` and `\xNN` are escapes |
/// | `end` | sends nothing more, and still reads |
/// | `close` | hangs up |
/// | `closed` | the daemon hangs up, and nothing came before that |
///
/// A client connects when it is first named. `{any}` in an expected line is any one JSON value, or
/// any part of a string; `{...}` is anything; every other `{name}` is a value that has to be the same
/// wherever the name stands, and that may stand in sent lines from then on. When the script is over,
/// nothing may have come that it does not tell of.
package struct WireScript: Sendable {
    /// What the script holds, in one line.
    package let rule: String
    /// Names of the protocol's promises that it shows.
    package let promises: [String]
    /// Limits that the daemon must have, by the names of `daemon.hello`.
    package let limits: [(name: String, value: Int64)]
    package let steps: [Step]

    /// One line of the script.
    package struct Step: Sendable {
        /// Its number, from 1.
        package let line: Int
        package let client: String
        package let action: Action
    }

    package enum Action: Sendable {
        /// Sends a text; with a line end, unless it is a part of a line.
        case send(WirePattern, endsLine: Bool)
        case sendBytes([UInt8])
        case expect(WirePattern)
        case endInput
        case close
        case expectEnd
    }

    /// The client of lines that name none.
    package static let onlyClient = ""
}

/// A script that cannot be read: the line, and what would be right.
package struct WireScriptError: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let sentence: String

    package var description: String { "line \(line): \(sentence)" }
}
