// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What can go wrong between here and GitHub; as an output `{"kind": "status", "status": 404}`.
package struct GitHubError: Error, Equatable, PortValue {
    package enum Kind: String, CaseIterable, PortValue {
        /// GitHub could not be reached; `detail` is the effect's word, such as `refused`.
        case network
        /// It answered a `status` outside of 200 to 299.
        case status
        /// It answered something else than was asked for; `detail` says where.
        case decoding
        /// It asks for rest `until` then.
        case rateLimited
        /// The code for the sign-in is wrong or too old.
        case badVerificationCode
        /// The redirect URI is not the one the application was registered with.
        case redirectURIMismatch
        /// The application's id or secret is wrong.
        case incorrectClientCredentials
        /// The sign-in was refused for another reason; `detail` is GitHub's word.
        case signInRefused
        /// Nobody is signed in, and this needs somebody.
        case notSignedIn
        /// `detail` is no full name of a repository, which is `owner/name`.
        case badRepositoryName
        /// A hundred stars wait for their turn already; `detail` is the repository that was not starred.
        case busy
    }

    package var kind: Kind
    package var status: Int?
    /// Seconds since 1970-01-01 UTC.
    package var until: Int?
    package var detail: String?

    package init(_ kind: Kind, status: Int? = nil, until: Int? = nil, detail: String? = nil) {
        self.kind = kind
        self.status = status
        self.until = until
        self.detail = detail
    }

    /// What a failure on the way means.
    init(_ failure: any Error) {
        switch failure {
        case let error as GitHubError: self = error
        case let error as EffectError: self.init(.network, detail: error.kind)
        default: self.init(.decoding, detail: "\(failure)")
        }
    }

    /// Whether the same request may well succeed a little later.
    var isTransient: Bool {
        switch kind {
        // Where nobody carries requests out, nobody will in a second.
        case .network: detail != "unavailable"
        case .status: [500, 502, 503, 504].contains(status)
        case .rateLimited: true
        case .decoding, .badVerificationCode, .redirectURIMismatch, .incorrectClientCredentials,
            .signInRefused, .notSignedIn, .badRepositoryName, .busy:
            false
        }
    }
}
