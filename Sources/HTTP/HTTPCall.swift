// SPDX-License-Identifier: Apache-2.0

/// One request, checked: nothing in it can turn into something else on the wire.
package struct HTTPCall: Equatable, Sendable {
    package var method = "GET"
    package var address: HTTPAddress
    package var fields: [HTTPField] = []
    package var body: [UInt8]?
    /// Nanoseconds from asking to the last byte; nil for the client's limit.
    package var timeout: Int64?
    /// Nanoseconds for making a connection; nil for the client's limit.
    package var connectTimeout: Int64?
    /// How many redirects are followed; nil for the client's limit. With 0 a redirect is the answer.
    package var redirects: Int?
    /// Whether the answer comes in pieces: a head, chunks, and an end.
    package var isStream = false

    package init(address: HTTPAddress) {
        self.address = address
    }
}
