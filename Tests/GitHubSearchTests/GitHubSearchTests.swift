// SPDX-License-Identifier: Apache-2.0

import GitHubSearch
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The search as a view model on a test scheduler, its network a stub door.
@Suite("github-search, as a view model")
struct GitHubSearchTests {
    /// One search on a test's timeline, and observers of what most tests look at.
    private struct Bench {
        let scheduler = TestScheduler()
        let input = GitHubSearch.Input()
        let output: GitHubSearch.Output
        let door: StubDoor
        let ids: TestableObserver<[Int]>
        let isLoading: TestableObserver<Bool>
        let error: TestableObserver<GitHubError>
        private let search: GitHubSearch
        let bag = DisposeBag()

        init(
            _ stubs: [StubRule], _ change: (inout GitHubSearch.Options) -> Void = { _ in }
        ) throws {
            door = StubDoor(
                on: scheduler, stubs: stubs + [.effect(.random, reply: .value(0))])
            search = try GitHubSearch(FeatureContext(door, on: scheduler), options: .with(change))
            output = search.transform(input)
            ids = scheduler.createObserver([Int].self)
            isLoading = scheduler.createObserver(Bool.self)
            error = scheduler.createObserver(GitHubError.self)
            output.repositories.map { $0.map(\.id) }.subscribe(ids).disposed(by: bag)
            output.isLoading.subscribe(isLoading).disposed(by: bag)
            output.error.subscribe(error).disposed(by: bag)
        }

        func sends<Element>(
            _ events: [Recorded<Event<Element>>], to input: PublishRelay<Element>
        ) {
            scheduler.createColdObservable(events).bind(to: input).disposed(by: bag)
        }

        var requests: [String] {
            get throws {
                try door.calls(.http).map {
                    let request = try $0.request(as: HTTPRequest.self)
                    let path = request.url.dropFirst("https://api.github.com".count)
                    return "\($0.time) \(request.method) \(path)"
                }
            }
        }
    }

    /// A page of a search whose repositories have these numbers.
    private func page(_ ids: ClosedRange<Int>, of total: Int) -> StubReply {
        let items = ids.map {
            #"{"id": \#($0), "full_name": "kiosk/r\#($0)", "stargazers_count": 0}"#
        }
        return .text(#"{"total_count": \#(total), "items": [\#(items.joined(separator: ","))]}"#)
    }

    @Test func `typing fast makes one request, for what was typed last`() throws {
        let bench = try Bench([.http("GET */search/*", reply: .text(Fixture.search.text).after(50))]
        )
        let typed = ["m", "ma", "mar", "marb", "marble"].enumerated()
        bench.sends(typed.map { .next(100 * $0.offset, $0.element) }, to: bench.input.search)
        bench.scheduler.start()
        #expect(try bench.requests == ["700 GET /search/repositories?q=marble&page=1&per_page=30"])
        expectEvents(
            bench.ids.events, [.next(0, []), .next(750, Array(101...108))])
        expectEvents(
            bench.isLoading.events, [.next(0, false), .next(700, true), .next(750, false)])
        #expect(bench.output.totalCount.value == 8)
        #expect(bench.output.isComplete.value)
        bench.door.finish(allowing: [.unusedStubs])
    }

    @Test func `a keyword is searched for once, whatever space is typed around it`() throws {
        let bench = try Bench([.http(reply: .text(Fixture.empty.text))]) { $0.debounce = 10 }
        let typed = ["cats", " cats ", "cats  dogs", "cats dogs", "", "  ", "cats"].enumerated()
        bench.sends(typed.map { .next(100 * $0.offset, $0.element) }, to: bench.input.search)
        bench.scheduler.start()
        #expect(
            try bench.requests.map { String($0.prefix { $0 != "&" }) } == [
                "10 GET /search/repositories?q=cats",
                "210 GET /search/repositories?q=cats%20dogs", "610 GET /search/repositories?q=cats",
            ])
    }

    @Test func `an emptied field empties the results without a request`() throws {
        let bench = try Bench([.http(reply: .text(Fixture.search.text).after(50))]) {
            $0.debounce = 0
        }
        bench.sends(
            [.next(10, "marble"), .next(100, ""), .next(200, "glass"), .next(220, "")],
            to: bench.input.search)
        bench.scheduler.start()
        #expect(bench.ids.events.map(\.time) == [0, 60, 100, 220])
        #expect(bench.output.totalCount.value == 0)
        // The request that was on its way is overtaken.
        expectEvents(
            bench.isLoading.events,
            [
                .next(0, false), .next(10, true), .next(60, false), .next(200, true),
                .next(220, false),
            ])
    }

    @Test func `a search that is overtaken is given up and never shown`() throws {
        let bench = try Bench([
            .http("*q=slow*", reply: page(1...2, of: 2).after(500)),
            .http("*q=fast*", reply: page(3...4, of: 2).after(50)),
        ]) { $0.debounce = 0 }
        bench.sends([.next(10, "slow"), .next(100, "fast")], to: bench.input.search)
        bench.scheduler.start()
        expectEvents(bench.ids.events, [.next(0, []), .next(150, [3, 4])])
        // Strict about what is open; the stub for draws is for those who need one.
        bench.door.finish(allowing: [.unusedStubs])
    }

    @Test func `pages come one at a time, to the last`() throws {
        let bench = try Bench([
            .http("*page=1&*", reply: page(1...2, of: 5).after(50)),
            .http("*page=2&*", reply: page(3...4, of: 5).after(50)),
            .http("*page=3&*", reply: page(5...5, of: 5).after(50)),
        ]) {
            $0.debounce = 0
            $0.perPage = 2
        }
        bench.sends([.next(0, "r")], to: bench.input.search)
        // While the first page is on its way, twice for the second, for the third, and after the last.
        bench.sends([20, 100, 120, 200, 300].map { .next($0, ()) }, to: bench.input.loadMore)
        bench.scheduler.start()
        expectEvents(
            bench.ids.events,
            [
                .next(0, []), .next(50, [1, 2]), .next(150, [1, 2, 3, 4]),
                .next(250, [1, 2, 3, 4, 5]),
            ])
        #expect(bench.door.calls(.http).map(\.time) == [0, 100, 200])
        #expect(bench.output.isComplete.value)
        #expect(bench.output.totalCount.value == 5)
    }

    @Test func `a page that failed is asked for again by the next wish for more`() throws {
        let bench = try Bench([
            .http("*page=1&*", reply: page(1...2, of: 4)),
            .http("*page=2&*", replies: [.status(404), page(3...4, of: 4)]),
        ]) {
            $0.debounce = 0
            $0.perPage = 2
        }
        bench.sends([.next(0, "r")], to: bench.input.search)
        bench.sends([.next(10, ()), .next(20, ())], to: bench.input.loadMore)
        bench.scheduler.start()
        expectEvents(bench.error.events, [.next(10, GitHubError(.status, status: 404))])
        expectEvents(
            bench.ids.events, [.next(0, []), .next(0, [1, 2]), .next(20, [1, 2, 3, 4])])
    }

    @Test func `more of nothing is no request`() throws {
        let bench = try Bench([])
        bench.sends([.next(10, ())], to: bench.input.loadMore)
        bench.scheduler.start()
        #expect(try bench.requests == [])
        #expect(bench.output.isComplete.value)
    }

    @Test func `a page without repositories is the last, whatever the count says`() throws {
        let bench = try Bench([
            .http("*page=1&*", reply: page(1...2, of: 9)),
            .http("*page=2&*", reply: .text(#"{"total_count": 9, "items": []}"#)),
        ]) {
            $0.debounce = 0
            $0.perPage = 2
        }
        bench.sends([.next(0, "r")], to: bench.input.search)
        bench.sends([.next(10, ()), .next(20, ())], to: bench.input.loadMore)
        bench.scheduler.start()
        #expect(bench.door.calls(.http).map(\.time) == [0, 10])
        #expect(bench.output.isComplete.value)
    }

    @Test func `GitHub shows a thousand of a search and no more`() throws {
        let bench = try Bench([.http(reply: page(1...100, of: 50_000))]) {
            $0.debounce = 0
            $0.perPage = 100
        }
        bench.sends([.next(0, "r")], to: bench.input.search)
        bench.sends((1...12).map { .next($0, ()) }, to: bench.input.loadMore)
        bench.scheduler.start()
        #expect(bench.door.calls(.http).count == 10)
        #expect(bench.output.totalCount.value == 50_000)
        #expect(bench.output.isComplete.value)
    }

    @Test func `of a star that is given and taken back at once the taking back comes last`() throws
    {
        let bench = try Bench([
            .http("POST *", reply: .text(Fixture.token.text)),
            .http("PUT *", reply: .status(204).after(80)),
            .http("DELETE *", reply: .status(204).after(5)),
        ])
        let changes = bench.scheduler.createObserver(StarChange.self)
        bench.output.starChanged.subscribe(changes).disposed(by: bench.bag)
        bench.sends([.next(0, "c0de")], to: bench.input.signIn)
        bench.sends([.next(10, "kiosk/marbles"), .next(12, "marbles")], to: bench.input.star)
        bench.sends([.next(11, "kiosk/marbles")], to: bench.input.unstar)
        bench.scheduler.start()
        expectEvents(
            changes.events,
            [
                .next(90, StarChange(repository: "kiosk/marbles", isStarred: true)),
                .next(95, StarChange(repository: "kiosk/marbles", isStarred: false)),
            ])
        expectEvents(
            bench.error.events,
            [.next(95, GitHubError(.badRepositoryName, detail: "marbles"))])
    }

    @Test func `a hundred stars wait in line, one more is refused, and the line moves on`() throws {
        let bench = try Bench([
            .http("POST *", reply: .text(Fixture.token.text)),
            .http("PUT *", reply: .status(204).after(1)),
        ])
        let changes = bench.scheduler.createObserver(StarChange.self)
        bench.output.starChanged.subscribe(changes).disposed(by: bench.bag)
        bench.sends([.next(0, "c0de")], to: bench.input.signIn)
        bench.sends(
            (0...100).map { .next(10, "kiosk/r\($0)") } + [.next(500, "kiosk/late")],
            to: bench.input.star)
        bench.scheduler.start()
        #expect(changes.events.count == 101)
        #expect(
            changes.events.last == .next(501, StarChange(repository: "kiosk/late", isStarred: true))
        )
        expectEvents(bench.error.events, [.next(10, GitHubError(.busy, detail: "kiosk/r100"))])
    }
}
