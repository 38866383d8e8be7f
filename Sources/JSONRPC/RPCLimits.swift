// SPDX-License-Identifier: Apache-2.0

/// The bounds of one connection.
package struct RPCLimits: Sendable, Equatable {
    /// The largest line limit that may be configured.
    package static let maxLineBytes = 16 * 1024 * 1024

    /// The longest request line, in bytes; a longer one ends the connection.
    package var lineBytes = 1024 * 1024

    /// The most calls in a batch; further ones are told `limit`.
    package var batchCalls = 100

    /// The most bytes of answers to a batch, errors counted; what does not fit is told `limit`.
    package var batchAnswerBytes = 4 * 1024 * 1024

    /// Calls that wait for an answer; at this many the session takes no further line, but for a call that may
    /// end one of them.
    package var callsInFlight = 64

    package init() {}
}

/// How often the bounds of a connection struck.
package struct RPCStrikes: Sendable, Equatable {
    package var lineBytes = 0
    package var batchCalls = 0
    package var batchAnswerBytes = 0
    package var callsInFlight = 0

    package init() {}

    /// Each by the name of its limit.
    package var named: [(String, Int)] {
        [
            ("lineBytes", lineBytes), ("batchCalls", batchCalls),
            ("batchAnswerBytes", batchAnswerBytes), ("callsInFlight", callsInFlight),
        ]
    }
}
