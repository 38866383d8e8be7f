// SPDX-License-Identifier: Apache-2.0

import GitHubSearch
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The search as the daemon hosts it: through the C table, values as JSON.
@Suite("github-search, hosted")
struct GitHubSearchHostedTests {
    @Test(arguments: ScenarioFile.all(in: "../../plugins/GitHubSearch/scenarios"))
    func `a scenario passes`(_ file: ScenarioFile) {
        file.run(GitHubSearch.self)
    }

    @Test func `a person signs in and sees themselves and their stars`() throws {
        let search = try Harness(
            GitHubSearch.self, options: .with { $0.clientID = "id" },
            stubs: [
                .http(
                    "POST https://github.com/login/*", reply: .text(Fixture.token.text).after(50)),
                .http("GET */user", reply: .text(Fixture.user.text)),
                .http("GET */user/starred?page=1*", reply: .text(Fixture.starred.text)),
            ])
        search.send("requestUser", at: 0)
        search.send("signIn", "c0de", at: 10)
        search.send("requestUser", at: 100)
        search.send("requestStarred", 1, at: 110)
        search.advance(to: 1_000)
        expectEvents(
            search.events("isSignedIn", as: Bool.self), [.next(0, false), .next(60, true)])
        expectEvents(
            search.events("error", as: GitHubError.self), [.next(0, GitHubError(.notSignedIn))])
        #expect(search.state("user", as: User.self)?.login == "lena-brook")
        #expect(search.state("starred", as: [Repository].self)?.map(\.id) == [102, 105])
        search.finish()
    }

    @Test func `neither token nor secret is ever said or logged`() throws {
        let search = try Harness(
            GitHubSearch.self,
            options: .with {
                $0.clientSecret = "marble-secret"
                $0.retries = 0
            },
            stubs: [
                .http(
                    "POST *", replies: [.text(Fixture.token.text), .text("marble-token-of-lena")]),
                .http("GET */user", replies: [.text("marble-token-of-lena"), .status(401)]),
                .http("PUT *", reply: .fail("reset", "Bearer marble-token-of-lena")),
            ])
        search.send("signIn", "c0de", at: 0)
        search.send("requestUser", at: 10)
        search.send("requestUser", at: 20)
        search.send("star", "kiosk/marbles", at: 30)
        search.send("signIn", "c0de", at: 40)
        search.advance(to: 1_000)
        #expect(search.events("error", as: GitHubError.self).count == 4)
        let said = search.record.filter { $0.contains(" output ") } + search.log.map(\.line)
        #expect(!said.isEmpty)
        #expect(!said.contains { $0.contains("marble-token") || $0.contains("marble-secret") })
        search.finish()
    }

    @Test(
        arguments: [
            ("perPage", { @Sendable in $0.perPage = 101 }), ("perPage", { $0.perPage = 0 }),
            ("debounce", { $0.debounce = -1 }), ("retries", { $0.retries = 11 }),
            ("backOff", { $0.backOff = 0 }),
        ] as [(String, @Sendable (inout GitHubSearch.Options) -> Void)])
    func `options that make no sense are refused with a sentence`(
        _ name: String, _ change: @Sendable (inout GitHubSearch.Options) -> Void
    ) {
        let error = #expect(throws: (any Error).self) {
            try Harness(GitHubSearch.self, options: .with(change))
        }
        #expect(error.map { "\($0)" }?.contains("\(name) is ") == true)
    }
}
