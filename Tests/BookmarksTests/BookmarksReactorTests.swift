// SPDX-License-Identifier: Apache-2.0

import Bookmarks
import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// The reactor's inside: its logic at work, its effects stubbed.
@Suite("bookmarks, inside")
struct BookmarksReactorTests {
    private static let list = [
        Bookmark(title: "libuv", url: "https://libuv.org"), Bookmark(title: "a", url: "http://a"),
    ]

    /// A reactor on a test's timeline, and a world of stubs.
    private struct Bench {
        let scheduler = TestScheduler()
        let door: StubDoor
        let reactor: Bookmarks
        let bag = DisposeBag()

        init(_ stubs: StubRule...) throws {
            door = StubDoor(on: scheduler, stubs: stubs)
            reactor = try Bookmarks(FeatureContext(door, on: scheduler), options: .init())
        }

        func sends(_ actions: Recorded<Event<Bookmarks.Action>>...) {
            scheduler.createHotObservable(actions).bind(to: reactor.action).disposed(by: bag)
        }

        /// What a part of the state was from tick 0 to 1000, without repeats.
        func observe<Value: Equatable>(
            _ part: KeyPath<Bookmarks.State, Value>
        ) -> TestableObserver<Value> {
            let observer = scheduler.createObserver(Value.self)
            reactor.state.map { $0[keyPath: part] }.distinctUntilChanged().bind(to: observer)
                .disposed(by: bag)
            return observer
        }
    }

    // MARK: The table

    @Test func `toggleBookmarked twice: true, then false`() throws {
        let bench = try Bench()
        bench.reactor.action.onNext(.toggleBookmarked)
        #expect(bench.reactor.currentState.isBookmarked)
        bench.reactor.action.onNext(.toggleBookmarked)
        #expect(!bench.reactor.currentState.isBookmarked)
    }

    @Test func `refresh at 100, observed from 0 to 1000: not loading, loading, not loading`() throws
    {
        let bench = try Bench(.http(reply: .json(Self.list)))
        bench.sends(.next(100, .refresh))
        let observer = bench.scheduler.start(created: 0, subscribed: 0, disposed: 1_000) {
            bench.reactor.state.map(\.isLoading).distinctUntilChanged()
        }
        expectEvents(observer.events, [.next(0, false), .next(100, true), .next(100, false)])
        #expect(bench.reactor.currentState.bookmarks == Self.list)
        bench.door.finish()
    }

    // MARK: reduce, a function

    @Test func `a mutation changes its part of the state, and no other`() throws {
        let reactor = try Bench().reactor
        func expect(
            _ mutation: Bookmarks.Mutation, _ change: (inout Bookmarks.State) -> Void,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            var expected = reactor.initialState
            expected.bookmarks = [Bookmark(title: "before", url: "http://before")]
            let after = reactor.reduce(state: expected, mutation: mutation)
            change(&expected)
            #expect(after == expected, sourceLocation: sourceLocation)
        }
        expect(.loading(true)) { $0.isLoading = true }
        expect(.bookmarked(true)) { $0.isBookmarked = true }
        expect(.loaded(Self.list)) { $0.bookmarks = Self.list }
        expect(.failed(.decodingError)) { $0.error = .decodingError }
    }

    // MARK: mutate, a stream

    @Test func `a refresh says that it loads, what it loaded, and that it is done`() throws {
        let bench = try Bench(.http("GET */bookmarks", reply: .json(Self.list).after(50)))
        let observer = bench.scheduler.start { bench.reactor.mutate(action: .refresh) }
        expectEvents(
            observer.events,
            [
                .next(200, .loading(true)), .next(250, .loaded(Self.list)),
                .next(250, .loading(false)), .completed(250),
            ])
    }

    @Test(arguments: [
        (StubReply.fail("refused"), BookmarksError.networkError), (.status(503), .networkError),
        (.status(199), .networkError), (.status(300), .networkError), (.text("["), .decodingError),
        (.json(["title": "a"]), .decodingError), (.json([["title": "a"]]), .decodingError),
        (.status(204), .decodingError),
    ])
    func `a refresh that fails says so, and is done`(
        _ reply: StubReply, _ error: BookmarksError
    ) throws {
        let bench = try Bench(.http(reply: reply.after(5)))
        let observer = bench.scheduler.start { bench.reactor.mutate(action: .refresh) }
        expectEvents(
            observer.events,
            [
                .next(200, .loading(true)), .next(205, .failed(error)),
                .next(205, .loading(false)), .completed(205),
            ])
    }

    // MARK: All together

    @Test func `a refresh overtakes the one that runs, at its own instant`() throws {
        let bench = try Bench(
            .http(
                replies: [
                    .json([Bookmark(title: "old", url: "http://old")]).after(50),
                    .json(Self.list).after(50),
                ]))
        bench.sends(.next(100, .refresh), .next(149, .refresh))
        let isLoading = bench.observe(\.isLoading)
        let bookmarks = bench.observe(\.bookmarks)
        bench.scheduler.scheduleAt(149, phase: .check) {
            // One request is open, and it is not the first.
            #expect(bench.door.calls(.http).map(\.time) == [100, 149])
            #expect(
                bench.scheduler.timeline.pending(limit: 9).map { "\($0.label)" } == [
                    "effect answer"
                ])
        }
        bench.scheduler.start()
        expectEvents(isLoading.events, [.next(0, false), .next(100, true), .next(199, false)])
        expectEvents(bookmarks.events, [.next(0, []), .next(199, Self.list)])
        bench.door.finish()
    }

    @Test func `the flag is kept, and restored by the next copy`() throws {
        let bench = try Bench()
        bench.sends(.next(10, .toggleBookmarked))
        bench.scheduler.start()
        #expect(try bench.door.stored("isBookmarked", as: Bool.self) == true)
        let next = try Bookmarks(
            FeatureContext(bench.door, on: bench.scheduler), options: .init())
        #expect(!next.currentState.isBookmarked)
        bench.scheduler.start()
        #expect(next.currentState.isBookmarked)
    }

    @Test func `what was chosen before the store answered stays`() throws {
        let bench = try Bench(
            .effect(
                .store, matching: ["get": "isBookmarked"], reply: .value(false).after(50)))
        bench.sends(.next(10, .toggleBookmarked))
        let isBookmarked = bench.observe(\.isBookmarked)
        bench.scheduler.start()
        expectEvents(isBookmarked.events, [.next(0, false), .next(10, true)])
    }

    @Test func `a flag turned over by who sees it turn is kept in order`() throws {
        let bench = try Bench()
        bench.reactor.state.map(\.isBookmarked).distinctUntilChanged().skip(1).take(1)
            .map { _ in .toggleBookmarked }.bind(to: bench.reactor.action)
        bench.sends(.next(10, .toggleBookmarked))
        bench.scheduler.start()
        #expect(!bench.reactor.currentState.isBookmarked)
        #expect(try bench.door.stored("isBookmarked", as: Bool.self) == false)
    }

    @Test func `it goes away with its owner, and gives its request up`() throws {
        weak var gone: Bookmarks?
        let scheduler = TestScheduler()
        let door = StubDoor(on: scheduler, stubs: [.http(reply: .never)])
        do {
            let bookmarks = try Bookmarks(FeatureContext(door, on: scheduler), options: .init())
            gone = bookmarks
            bookmarks.action.onNext(.refresh)
            #expect(bookmarks.currentState.isLoading)
        }
        #expect(gone == nil)
        // Nothing is open any more, or this would fail.
        door.finish()
    }
}
