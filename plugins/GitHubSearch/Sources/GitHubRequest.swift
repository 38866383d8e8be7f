// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// Where a request goes.
enum Site {
    case api, signIn
}

/// GitHub counts requests in separate quotas.
enum Quota {
    case core, search
}

/// One thing to ask of GitHub, and how to read what it answers.
package struct GitHubRequest<Answer> {
    var method = "GET"
    var site = Site.api
    /// Below the site's URL, percent-encoded.
    var path: String
    var query: URLQuery?
    /// The body of a form.
    var form: URLQuery?
    var quota = Quota.core
    /// Whether somebody must be signed in.
    var needsToken = true
    /// Reads an answer whose status is one of success.
    let read: (HTTPResponse) throws -> Answer

    /// Whether it may be sent twice and have the effect of once (RFC 9110, 9.2.2).
    var isIdempotent: Bool { method != "POST" }

    /// The request as it is sent to the site at `url`.
    func http(to url: String, token: AccessToken?) -> HTTPRequest {
        var headers = ["User-Agent": "marbled"]
        switch site {
        case .api:
            headers["Accept"] = "application/vnd.github+json"
            headers["X-GitHub-Api-Version"] = "2022-11-28"
            // A token is for the API alone.
            if let token { headers["Authorization"] = "Bearer \(token.secret)" }
        case .signIn: headers["Accept"] = "application/json"
        }
        if form != nil { headers["Content-Type"] = "application/x-www-form-urlencoded" }
        return HTTPRequest(
            method: method, url: url + path + (query.map { "?\($0)" } ?? ""), headers: headers,
            body: form.map { "\($0)" })
    }
}

extension GitHubRequest where Answer == SearchPage {
    /// A page of the repositories that `keyword` finds.
    package static func search(_ keyword: String, page: Int, perPage: Int) -> GitHubRequest {
        GitHubRequest(
            path: "/search/repositories",
            query: ["q": keyword, "page": "\(page)", "per_page": "\(perPage)"], quota: .search,
            needsToken: false, read: { try $0.json() })
    }
}

extension GitHubRequest where Answer == [Repository] {
    /// A page of the repositories that the user starred.
    package static func starred(page: Int, perPage: Int) -> GitHubRequest {
        GitHubRequest(
            path: "/user/starred", query: ["page": "\(page)", "per_page": "\(perPage)"],
            read: { try $0.json() })
    }
}

extension GitHubRequest where Answer == User {
    /// Who is signed in.
    package static var user: GitHubRequest {
        GitHubRequest(path: "/user", read: { try $0.json() })
    }
}

extension GitHubRequest where Answer == Void {
    /// Gives a star or takes it back. Throws for what is no full name.
    package static func setStar(_ change: StarChange) throws(GitHubError) -> GitHubRequest {
        let names = change.repository.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, !names.contains("") else {
            throw GitHubError(.badRepositoryName, detail: change.repository)
        }
        let path = names.map { URLQuery.encode(String($0)) }.joined(separator: "/")
        return GitHubRequest(
            method: change.isStarred ? "PUT" : "DELETE", path: "/user/starred/\(path)",
            read: { _ in })
    }
}
