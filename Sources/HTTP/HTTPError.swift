// SPDX-License-Identifier: Apache-2.0

/// Why a request had no answer: a stable word for the feature, and a sentence for people.
///
/// The sentence says what was asked (the URL without user, password and query), what happened, and
/// what to do where something can be done. An answer of any status is an answer and never an error.
package struct HTTPError: Error, Equatable, Sendable {
    /// The table of words. A feature may decide by them: they do not change.
    package enum Kind: String, CaseIterable, Sendable {
        /// The request itself is wrong: no such member, no URL, a header that is none.
        case badRequest
        /// The name of the host is not known.
        case resolve
        /// Nobody listens at the host's port.
        case refused
        /// No way leads to the host, or its network is down.
        case unreachable
        /// The proxy is not there, or would not have it.
        case proxy
        /// No secure connection: the certificate is not to be trusted, or no common protocol.
        case tls
        /// It took too long; the message says which time ran out.
        case timeout
        /// The connection ended before the answer did.
        case reset
        /// What came is not HTTP.
        case badAnswer
        /// A head or a body is larger than the limit.
        case tooLarge
        /// A redirect that is not followed: one too many, or to where it must not lead.
        case redirect
        /// Too many requests wait already.
        case busy
        /// The client was closed while the request was open.
        case cancelled
        /// There is no HTTP here: its library cannot be had.
        case unavailable
        /// Anything else, in libcurl's words.
        case failed
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// An error of a request that is known: it is named first.
    init(_ kind: Kind, of call: HTTPCall, _ message: String) {
        self.init(kind, "\(call.method) \(call.address.display): \(message)")
    }
}
