// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What lets a request act for a user. It prints as nothing, so that it stands in no log.
package struct AccessToken: Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    let secret: String

    package var description: String { "AccessToken(…)" }
    package var debugDescription: String { description }
}

extension GitHubRequest where Answer == AccessToken {
    /// Exchanges the code that GitHub gave for a user: the second half of OAuth's web flow.
    static func accessToken(code: String, options: GitHubSearch.Options) -> GitHubRequest {
        let (id, secret) = (options.clientID, options.clientSecret)
        let redirect = options.redirectURI
        return GitHubRequest(
            method: "POST", site: .signIn, path: "/login/oauth/access_token",
            form: redirect.isEmpty
                ? ["client_id": id, "client_secret": secret, "code": code]
                : [
                    "client_id": id, "client_secret": secret, "code": code,
                    "redirect_uri": redirect,
                ],
            needsToken: false, read: { try $0.json(as: SignInAnswer.self).token() })
    }
}

/// `{"access_token": "…"}` or `{"error": "bad_verification_code"}`: GitHub refuses with status 200.
private struct SignInAnswer: PortValue {
    var accessToken: String?
    var error: String?

    enum CodingKeys: String, CodingKey {
        case error
        case accessToken = "access_token"
    }

    func token() throws(GitHubError) -> AccessToken {
        switch error {
        case "bad_verification_code"?: throw GitHubError(.badVerificationCode)
        case "redirect_uri_mismatch"?: throw GitHubError(.redirectURIMismatch)
        case "incorrect_client_credentials"?: throw GitHubError(.incorrectClientCredentials)
        case let other?: throw GitHubError(.signInRefused, detail: other)
        case nil: break
        }
        guard let accessToken else {
            throw GitHubError(.decoding, detail: "\"access_token\" is missing")
        }
        return AccessToken(secret: accessToken)
    }
}
