// SPDX-License-Identifier: Apache-2.0

import GitHubSearch
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The provider with a transport of the test's own.
@Suite("github-search, the API")
struct GitHubAPITests {
    private let scheduler = TestScheduler()

    /// Answers every request by a script, and writes down what came when.
    private final class Transport {
        private(set) var requests: [(time: Int, request: HTTPRequest)] = []
        private var script: [Single<HTTPResponse>]
        private let scheduler: TestScheduler

        /// The last of `script` answers whatever else comes.
        init(_ scheduler: TestScheduler, _ script: [Single<HTTPResponse>]) {
            self.scheduler = scheduler
            self.script = script
        }

        func carry(_ request: HTTPRequest) -> Single<HTTPResponse> {
            requests.append((scheduler.clock, request))
            return script.count > 1 ? script.removeFirst() : script[0]
        }

        var times: [Int] { requests.map(\.time) }
    }

    private func api(
        _ transport: Transport, _ change: (inout GitHubSearch.Options) -> Void = { _ in }
    ) -> GitHubAPI {
        // Draws are zero, so that the times are those of the rule.
        let context = FeatureContext.test(
            on: scheduler, stubs: [.effect(.random, reply: .value(0))])
        return GitHubAPI(context, options: .with(change), transport: transport.carry)
    }

    private func status(
        _ status: Int, _ headers: [String: String] = [:]
    ) -> Single<HTTPResponse> {
        .just(HTTPResponse(status: status, headers: headers))
    }

    /// What a single answers, with its ticks.
    private func record<Answer>(_ single: Single<Answer>) -> [Recorded<Event<Answer>>] {
        let observer = scheduler.createObserver(Answer.self)
        single.asObservable().subscribe(observer)
        scheduler.start()
        return observer.events
    }

    /// Signs in first, so that every request may be sent; the sign-in uses up the script's first answer.
    private func signedIn(_ api: GitHubAPI) -> GitHubAPI {
        _ = api.signIn(code: "c0de").subscribe()
        return api
    }

    // MARK: Requests

    @Test func `a search is a typed request that becomes HTTP`() {
        let transport = Transport(scheduler, [.just(Fixture.search.response)])
        let api = api(transport) { $0.apiURL = "http://ghe.example/api/v3" }
        _ = record(api.send(.search("cats & c++", page: 2, perPage: 8)))
        #expect(
            transport.requests.map(\.request) == [
                HTTPRequest(
                    method: "GET",
                    url: "http://ghe.example/api/v3/search/repositories"
                        + "?q=cats%20%26%20c%2B%2B&page=2&per_page=8",
                    headers: [
                        "Accept": "application/vnd.github+json", "User-Agent": "marbled",
                        "X-GitHub-Api-Version": "2022-11-28",
                    ])
            ])
    }

    @Test func `the code is exchanged as a form, and later requests carry the token`() throws {
        let transport = Transport(
            scheduler, [.just(Fixture.token.response), .just(Fixture.user.response)])
        let api = api(transport) {
            $0.signInURL = "http://ghe.example"
            $0.clientID = "id"
            $0.clientSecret = "s&cret"
            $0.redirectURI = "http://app.example/back"
        }
        let user = signedIn(api).send(.user)
        expectValues(record(user.map(\.login)), ["lena-brook"])
        let exchange = try #require(transport.requests.first).request
        #expect(exchange.method == "POST")
        #expect(exchange.url == "http://ghe.example/login/oauth/access_token")
        #expect(
            exchange.body == "client_id=id&client_secret=s%26cret&code=c0de"
                + "&redirect_uri=http%3A%2F%2Fapp.example%2Fback")
        #expect(exchange.headers?["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(exchange.headers?["Accept"] == "application/json")
        let request = try #require(transport.requests.last).request
        #expect(request.headers?["Authorization"] == "Bearer marble-token-of-lena")
    }

    @Test func `a token goes to the API alone`() throws {
        let transport = Transport(scheduler, [.just(Fixture.token.response)])
        _ = signedIn(signedIn(api(transport)))
        #expect(transport.requests.count == 2)
        #expect(transport.requests[1].request.headers?["Authorization"] == nil)
    }

    @Test func `a star is a PUT, taking it back a DELETE, and names are encoded`() throws {
        let transport = Transport(scheduler, [.just(Fixture.token.response), status(204)])
        let api = signedIn(api(transport))
        for isStarred in [true, false] {
            let change = StarChange(repository: "ada-fields/a b", isStarred: isStarred)
            expectValues(record(api.send(try .setStar(change)).map { true }), [true])
        }
        let requests = transport.requests.dropFirst().map(\.request)
        #expect(requests.map(\.method) == ["PUT", "DELETE"])
        #expect(
            requests.allSatisfy {
                $0.url == "https://api.github.com/user/starred/ada-fields/a%20b"
            })
    }

    @Test(arguments: [
        "", "marbles", "/marbles", "kiosk/", "kiosk/marbles/issues", "kiosk//marbles",
    ])
    func `what is no full name of a repository is refused before it is sent`(_ name: String) {
        #expect(throws: GitHubError(.badRepositoryName, detail: name)) {
            try GitHubRequest.setStar(StarChange(repository: name, isStarred: true))
        }
    }

    // MARK: Answers

    @Test func `the fixtures are read`() throws {
        let search = try Fixture.search.response.json(as: SearchPage.self)
        #expect(search.totalCount == 8)
        #expect(search.items.count == 8)
        #expect(search.items[0].fullName == "pebble-works/marble-run")
        #expect(search.items[0].stars == 912)
        #expect(search.items[2].about == nil)
        #expect(search.items[6].language == nil)
        #expect(try Fixture.empty.response.json(as: SearchPage.self).items == [])
        #expect(try Fixture.starred.response.json(as: [Repository].self).map(\.id) == [102, 105])
        #expect(try Fixture.user.response.json(as: User.self).name == "Lena Brook")
    }

    @Test(arguments: [
        (Fixture.badVerificationCode, GitHubError.Kind.badVerificationCode),
        (.redirectURIMismatch, .redirectURIMismatch),
        (.incorrectClientCredentials, .incorrectClientCredentials),
    ])
    func `a refused sign-in is status 200 and an error of its own`(
        _ fixture: Fixture, _ kind: GitHubError.Kind
    ) {
        let transport = Transport(scheduler, [.just(fixture.response)])
        let api = api(transport)
        expectEvents(record(api.signIn(code: "x").map { true }), [.error(0, GitHubError(kind))])
        // A code serves once: the exchange is not tried again.
        #expect(transport.times == [0])
        // And nobody is signed in.
        expectEvents(record(api.send(.user)), [.error(0, GitHubError(.notSignedIn))])
    }

    @Test(arguments: [
        (
            "{\"error\": \"application_suspended\"}",
            GitHubError(.signInRefused, detail: "application_suspended")
        ),
        ("{}", GitHubError(.decoding, detail: "\"access_token\" is missing")),
    ])
    func `another answer to a sign-in is told`(_ body: String, _ error: GitHubError) {
        let transport = Transport(scheduler, [.just(HTTPResponse(status: 200, body: body))])
        expectEvents(record(api(transport).signIn(code: "x").map { true }), [.error(0, error)])
    }

    @Test(arguments: [199, 300, 304, 400, 401, 403, 404, 422, 429, 500, 503])
    func `any request may be answered by any status, and fails with that`(_ code: Int) throws {
        let error = GitHubError(.status, status: code)
        let transport = Transport(scheduler, [.just(Fixture.token.response), status(code)])
        let api = signedIn(api(transport) { $0.retries = 0 })
        expectEvents(record(api.send(.search("a", page: 1, perPage: 8))), [.error(0, error)])
        expectEvents(record(api.send(.starred(page: 1, perPage: 8))), [.error(0, error)])
        expectEvents(record(api.send(.user)), [.error(0, error)])
        let change = StarChange(repository: "kiosk/marbles", isStarred: true)
        expectEvents(record(api.send(try .setStar(change)).map { true }), [.error(0, error)])
        expectEvents(record(api.signIn(code: "x").map { true }), [.error(0, error)])
    }

    @Test func `a body that is something else is a decoding error that says where`() {
        let body = #"{"total_count": 1, "items": [{"id": 7}]}"#
        let transport = Transport(scheduler, [.just(HTTPResponse(status: 200, body: body))])
        let error = GitHubError(.decoding, detail: #""full_name" is missing at /items/0"#)
        expectEvents(
            record(api(transport).send(.search("a", page: 1, perPage: 8))), [.error(0, error)])
        #expect(transport.times == [0])
    }

    // MARK: Patience

    @Test func `a failure that may pass is tried again, twice as late each time`() {
        let transport = Transport(
            scheduler,
            [
                .error(EffectError(kind: "reset", message: "")), status(503), status(500),
                .just(Fixture.empty.response),
            ])
        let page = api(transport).send(.search("a", page: 1, perPage: 8)).map(\.totalCount)
        expectEvents(record(page), [.next(3_500, 0), .completed(3_500)])
        #expect(transport.times == [0, 500, 1_500, 3_500])
    }

    @Test func `the last error is told when it was tried often enough`() {
        let transport = Transport(scheduler, [status(500), status(502), status(504)])
        let api = api(transport) {
            $0.retries = 2
            $0.backOff = 10
        }
        expectEvents(
            record(api.send(.search("a", page: 1, perPage: 8))),
            [.error(30, GitHubError(.status, status: 504))])
        #expect(transport.times == [0, 10, 30])
    }

    @Test func `the wait has a part by chance, up to half of it, the same for the same seed`() {
        func times(_ seed: UInt64) -> [Int] {
            let scheduler = TestScheduler()
            let transport = Transport(scheduler, [status(503)])
            let api = GitHubAPI(
                .test(on: scheduler, seed: seed), options: .init(), transport: transport.carry)
            api.send(.search("a", page: 1, perPage: 8)).subscribe { _ in }
            scheduler.start()
            return transport.times
        }
        #expect(times(1) == times(1))
        #expect(times(1) != times(2))
        let waits = (1...20).map { times($0) }.map { [$0[1], $0[2] - $0[1], $0[3] - $0[2]] }
        #expect(waits.allSatisfy { (500...750).contains($0[0]) })
        #expect(waits.allSatisfy { (1_000...1_500).contains($0[1]) })
        #expect(waits.allSatisfy { (2_000...3_000).contains($0[2]) })
    }

    @Test(arguments: [
        GitHubError(.network, detail: "unavailable"), GitHubError(.status, status: 404),
        GitHubError(.status, status: 501),
    ])
    func `a failure that will not pass is not tried again`(_ error: GitHubError) {
        let answer: Single<HTTPResponse> =
            error.status.map { status($0) }
            ?? .error(EffectError(kind: "unavailable", message: ""))
        let transport = Transport(scheduler, [answer])
        expectEvents(
            record(api(transport).send(.search("a", page: 1, perPage: 8))), [.error(0, error)])
        #expect(transport.times == [0])
    }

    // MARK: Rate limits

    /// Where virtual time begins: 2001-01-01 UTC, in seconds since 1970.
    private static let zero = 978_307_200

    @Test(arguments: [
        (429, ["retry-after": "7"], 7), (403, ["Retry-After": "0"], 0),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "978307260"], 60),
        (429, ["x-ratelimit-remaining": "0", "x-ratelimit-reset": "978307199"], 1),
        (429, ["Retry-After": "\(Int.max)"], 86_400),
        (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "\(Int.max)"], 86_400),
    ])
    func `it waits on the instance's clock as GitHub asks, says so, and goes on`(
        _ code: Int, _ headers: [String: String], _ seconds: Int
    ) {
        let transport = Transport(
            scheduler, [status(code, headers), .just(Fixture.empty.response)])
        let api = api(transport)
        let delays = scheduler.createObserver(GitHubError.self)
        api.delays.subscribe(delays)
        let page = api.send(.search("a", page: 1, perPage: 8)).map(\.totalCount)
        let due = seconds * 1_000
        expectEvents(record(page), [.next(due, 0), .completed(due)])
        #expect(transport.times == [0, due])
        expectEvents(
            delays.events, [.next(0, GitHubError(.rateLimited, until: Self.zero + seconds))])
    }

    @Test(arguments: [
        (403, ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "978307260"]),
        (403, ["X-RateLimit-Remaining": "0"]), (429, ["Retry-After": "soon"]),
        (429, ["Retry-After": "-5"]), (404, ["Retry-After": "7"]),
    ])
    func `other headers ask for nothing`(_ code: Int, _ headers: [String: String]) {
        let transport = Transport(scheduler, [status(code, headers)])
        expectEvents(
            record(api(transport).send(.search("a", page: 1, perPage: 8))),
            [.error(0, GitHubError(.status, status: code))])
    }

    @Test func `a limit that stays is an error in the end`() {
        let transport = Transport(scheduler, [status(429, ["Retry-After": "1"])])
        let api = api(transport) { $0.retries = 2 }
        let delays = scheduler.createObserver(GitHubError.self)
        api.delays.subscribe(delays)
        expectEvents(
            record(api.send(.search("a", page: 1, perPage: 8))),
            [.error(2_000, GitHubError(.rateLimited, until: Self.zero + 3))])
        #expect(transport.times == [0, 1_000, 2_000])
        #expect(delays.events.map(\.time) == [0, 1_000])
    }

    @Test func `whoever asks during the rest waits for its end; the other quota does not`() {
        let transport = Transport(
            scheduler,
            [
                .just(Fixture.token.response), status(429, ["Retry-After": "5"]),
                .just(Fixture.user.response), .just(Fixture.empty.response),
            ])
        let api = signedIn(api(transport))
        scheduler.scheduleAt(0) { api.send(.search("a", page: 1, perPage: 8)).subscribe() }
        scheduler.scheduleAt(1_000) { api.send(.search("b", page: 1, perPage: 8)).subscribe() }
        scheduler.scheduleAt(2_000) { api.send(.user).subscribe() }
        scheduler.scheduleAt(6_000) { api.send(.search("c", page: 1, perPage: 8)).subscribe() }
        scheduler.start()
        #expect(transport.times == [0, 0, 2_000, 5_000, 5_000, 6_000])
    }

    @Test func `a part of a second counts as a whole one`() {
        let transport = Transport(
            scheduler, [status(429, ["Retry-After": "2"]), .just(Fixture.empty.response)])
        let api = api(transport)
        scheduler.scheduleAt(300) { api.send(.search("a", page: 1, perPage: 8)).subscribe() }
        scheduler.start()
        #expect(transport.times == [300, 3_000])
    }
}
