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
}
