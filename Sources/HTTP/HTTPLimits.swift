// SPDX-License-Identifier: Apache-2.0

/// The bounds of an HTTP client. Each says what happens at it.
package struct HTTPLimits: Sendable, Equatable {
    /// Transfers at once to one scheme, host and port; the next ones wait in line.
    package var perHost = 8
    /// Transfers at once, and connections that are kept for later; the next ones wait in line.
    package var transfers = 64
    /// Requests that wait in line; one more ends with `busy`.
    package var waiting = 1_024
    /// Bytes of a body, asked or answered; more ends with `tooLarge`. A streamed answer has no such end.
    package var bodyBytes = 8 << 20
    /// Bytes of a head: status line and header fields; more ends with `tooLarge`.
    package var headBytes = 64 << 10
    /// Redirects that one request follows unless it says how many; one more ends with `redirect`.
    package var redirects = 10
    /// How long a connection may take to be made, unless the request says how long; then `timeout`.
    package var connectNanoseconds: Int64 = 10_000_000_000
    /// How long a request may take from being asked to its last byte, unless it says how long; then
    /// `timeout`. For a streamed answer it counts to the head.
    package var totalNanoseconds: Int64 = 60_000_000_000

    package init() {}
}
