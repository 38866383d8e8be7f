// SPDX-License-Identifier: Apache-2.0

/// What the process answers to its caller; scripts rely on the numbers.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case ok = 0
    /// The daemon answered an error.
    case refused = 1
    case cannotConnect = 2
    case usage = 3
    case timeout = 4
    /// The server ended the stream, or the connection under it.
    case closed = 5
    case scenarioFailed = 6

    /// In a few words, for the help and the manual page.
    package var meaning: String {
        switch self {
        case .ok: "ok"
        case .refused: "the daemon answered an error"
        case .cannotConnect: "cannot connect"
        case .usage: "usage"
        case .timeout: "timeout"
        case .closed: "the stream was closed by the server"
        case .scenarioFailed: "a scenario failed"
        }
    }
}
