// SPDX-License-Identifier: Apache-2.0

import Foundation
import MarbledKit

/// Answers in the shape of GitHub's, of our own invention: `plugins/GitHubSearch/fixtures`.
enum Fixture: String, CaseIterable {
    case search, empty, starred, user, token
    case badVerificationCode = "bad-verification-code"
    case redirectURIMismatch = "redirect-uri-mismatch"
    case incorrectClientCredentials = "incorrect-client-credentials"

    /// The file's text.
    var text: String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../plugins/GitHubSearch/fixtures/\(rawValue).json")
        guard let data = try? Data(contentsOf: file.standardizedFileURL) else {
            preconditionFailure("there is no fixture \(rawValue)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// An answer with that text.
    var response: HTTPResponse { HTTPResponse(status: 200, body: text) }
}
