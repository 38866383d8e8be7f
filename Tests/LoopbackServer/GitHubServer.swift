// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A server that speaks as much of GitHub as the search needs: search with pages and a quota, sign-in,
/// the person, and stars. What it holds is invented.
package final class GitHubServer: Sendable {
    /// What it holds, and what a test may choose.
    package struct World: Sendable {
        /// Full names, in the order in which a search finds them.
        package var repositories = [
            "pebble-works/marble-run", "pebble-works/glass-eye", "ada-fields/marble-quarry",
            "tin-toys/marble-maze", "lena-brook/marbled-paper",
        ]
        /// How many searches are answered before the quota is used up.
        package var searchQuota = Int.max
        /// When the quota begins anew, in seconds since 1970.
        package var quotaReset = 0
        package var clientID = "marbles"
        package var clientSecret = "quarry"
        package var redirectURI = "http://app.example/back"
        /// The codes that can be exchanged, each once.
        package var codes: Set<String> = ["c0de"]
        /// What a code is exchanged for.
        package var token = "marble-token-of-lena"
        package var starred: [String] = []

        package init() {}
    }

    private let server: LoopbackServer
    private let box: Box

    /// The world, for the threads that answer: they keep it without keeping the server.
    private final class Box: Sendable {
        let world: Locked<World>

        init(_ world: World) { self.world = Locked(world) }
    }

    package init(_ world: World = World()) throws {
        let box = Box(world)
        self.box = box
        server = try LoopbackServer.answering { request in
            box.world.withLock { $0.reply(to: request) }
        }
    }

    /// `http://127.0.0.1:port`, for both of the search's sites.
    package var url: String { server.url("") }

    /// What was asked so far.
    package var requests: [ServerRequest] { server.requests }

    /// The targets of the searches that were asked.
    package var searches: [String] {
        requests.map(\.target).filter { $0.hasPrefix("/search/") }
    }

    /// What holds now.
    package var world: World { box.world.withLock { $0 } }
}

extension GitHubServer.World {
    private static let json = ("Content-Type", "application/json; charset=utf-8")

    fileprivate mutating func reply(to request: ServerRequest) -> String {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let query = Self.pairs(parts.count > 1 ? parts[1] : "")
        let path = parts.first ?? ""
        switch (request.method, path) {
        case ("GET", "/search/repositories"): return search(query)
        case ("POST", "/login/oauth/access_token"): return signIn(Self.pairs(request.body))
        default: break
        }
        guard request.header("Authorization") == "Bearer \(token)" else {
            return said(401, #"{"message": "Requires authentication"}"#)
        }
        let prefix = "/user/starred/"
        switch (request.method, path) {
        case ("GET", "/user"):
            return said(200, #"{"login": "lena-brook", "id": 5050, "name": "Lena Brook"}"#)
        case ("GET", "/user/starred"):
            return said(200, "[\(starred.map(Self.repository).joined(separator: ", "))]")
        case ("PUT", _) where path.hasPrefix(prefix):
            let name = String(path.dropFirst(prefix.count))
            if !starred.contains(name) { starred.append(name) }
            return answer(204)
        case ("DELETE", _) where path.hasPrefix(prefix):
            starred.removeAll { $0 == path.dropFirst(prefix.count) }
            return answer(204)
        default: return said(404, #"{"message": "Not Found"}"#)
        }
    }

    private mutating func search(_ query: [String: String]) -> String {
        guard searchQuota > 0 else {
            return answer(
                403,
                [
                    Self.json, ("X-RateLimit-Remaining", "0"),
                    ("X-RateLimit-Reset", "\(quotaReset)"),
                ], body: #"{"message": "API rate limit exceeded"}"#)
        }
        searchQuota -= 1
        let found = repositories.filter { $0.contains(query["q"] ?? "") }
        let size = Int(query["per_page"] ?? "") ?? 30
        let page = Int(query["page"] ?? "") ?? 1
        let items = found.dropFirst((page - 1) * size).prefix(size).map(Self.repository)
        return said(
            200,
            #"{"total_count": \#(found.count), "incomplete_results": false, "items": ["#
                + items.joined(separator: ", ") + "]}")
    }

    /// GitHub refuses with status 200.
    private mutating func signIn(_ form: [String: String]) -> String {
        if form["client_id"] != clientID || form["client_secret"] != clientSecret {
            return said(200, #"{"error": "incorrect_client_credentials"}"#)
        }
        if let redirect = form["redirect_uri"], redirect != redirectURI {
            return said(200, #"{"error": "redirect_uri_mismatch"}"#)
        }
        guard codes.remove(form["code"] ?? "") != nil else {
            return said(200, #"{"error": "bad_verification_code"}"#)
        }
        return said(
            200,
            #"{"access_token": "\#(token)", "token_type": "bearer", "scope": "public_repo"}"#)
    }

    private func said(_ status: Int, _ body: String) -> String {
        answer(
            status, [Self.json, ("X-RateLimit-Remaining", "\(min(searchQuota, 30))")], body: body)
    }

    private static func repository(_ name: String) -> String {
        let number = name.utf8.reduce(0) { $0 + Int($1) }
        return
            #"{"id": \#(number), "full_name": "\#(name)", "description": null, "language": "Swift", "stargazers_count": \#(number % 100)}"#
    }

    /// Names and values of a query or a form.
    private static func pairs(_ text: String) -> [String: String] {
        Dictionary(
            text.split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1).map(decoded)
                return (sides.first ?? "", sides.count > 1 ? sides[1] : "")
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                continue
            }
            bytes.append(value)
            rest.removeFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
