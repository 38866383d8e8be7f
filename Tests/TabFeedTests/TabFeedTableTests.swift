// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Streams
import TabFeed
import Testing

/// The feed's table in the usual style of an app's tests: a view model on a test scheduler, whose pages
/// come from cold streams.
@Suite("tab-feed, as a view model")
struct TabFeedTableTests {
    /// Each tab's page is a stream of the test's own, which logs who subscribed to it and until when.
    private final class StubPages: PageSource {
        var replies: [Int: TestableObservable<Page>] = [:]
        func page(ofTab tab: Int) -> Single<Page> { replies[tab]?.asSingle() ?? .never() }
    }

    private struct Bench {
        let scheduler = TestScheduler()
        let input = TabFeed.Input()
        let output: TabFeed.Output
        let pages = StubPages()
        let result: TestableObserver<Int>
        let isLoading: TestableObserver<Bool>
        let error: TestableObserver<FeedError>
        private let feed: TabFeed
        private let bag = DisposeBag()

        init() {
            feed = TabFeed(pages: pages)
            output = feed.transform(input)
            result = scheduler.createObserver(Int.self)
            isLoading = scheduler.createObserver(Bool.self)
            error = scheduler.createObserver(FeedError.self)
            output.result.map(\.id).subscribe(result).disposed(by: bag)
            output.isLoading.asDriver().drive(isLoading).disposed(by: bag)
            output.error.asSignal().emit(to: error).disposed(by: bag)
        }

        func answers(_ tab: Int, after ticks: Int) {
            pages.replies[tab] = scheduler.createColdObservable([
                .next(ticks, Page(id: tab, items: ["Of tab \(tab)"])), .completed(ticks),
            ])
        }

        func selects(_ selections: [Recorded<Event<Int>>]) {
            scheduler.createColdObservable(selections).bind(to: input.select).disposed(by: bag)
        }
    }

    @Test func `the table: who is overtaken never comes, and is given up at that instant`() {
        let bench = Bench()
        for tab in 1...4 { bench.answers(tab, after: 50) }
        bench.selects([.next(0, 1), .next(100, 2), .next(105, 3), .next(200, 4)])
        bench.scheduler.start()
        expectEvents(bench.result.events, [.next(50, 1), .next(155, 3), .next(250, 4)])
        expectEvents(
            bench.isLoading.events,
            [
                .next(0, false), .next(0, true), .next(50, false), .next(100, true),
                .next(155, false), .next(200, true), .next(250, false),
            ])
        #expect(bench.pages.replies[1]?.subscriptions == [TestSubscription(0, 50)])
        #expect(bench.pages.replies[2]?.subscriptions == [TestSubscription(100, 105)])
        #expect(bench.pages.replies[3]?.subscriptions == [TestSubscription(105, 155)])
        #expect(bench.pages.replies[4]?.subscriptions == [TestSubscription(200, 250)])
    }

    @Test func `never: the tab stays loading and shows nothing`() {
        let bench = Bench()
        bench.selects([.next(10, 1)])
        bench.scheduler.start()
        expectEvents(bench.result.events, [])
        expectEvents(bench.isLoading.events, [.next(0, false), .next(10, true)])
        #expect(bench.output.selected.value == 1)
    }

    @Test func `immediate: the page is there within the selection`() {
        let bench = Bench()
        bench.answers(1, after: 0)
        bench.selects([.next(10, 1)])
        bench.scheduler.start()
        expectEvents(bench.result.events, [.next(10, 1)])
        #expect(!bench.output.isLoading.value)
        #expect(bench.output.items.value == ["Of tab 1"])
    }

    @Test func `released by hand: the page comes when the test says so`() {
        /// Holds every request until the test answers it.
        final class HeldPages: PageSource {
            private(set) var requests: [(tab: Int, reply: PublishSubject<Page>)] = []
            func page(ofTab tab: Int) -> Single<Page> {
                let reply = PublishSubject<Page>()
                requests.append((tab, reply))
                return reply.take(1).asSingle()
            }
            func release(_ tab: Int) {
                for request in requests where request.tab == tab {
                    request.reply.onNext(Page(id: tab, items: ["Of tab \(tab)"]))
                }
            }
        }
        let pages = HeldPages()
        let feed = TabFeed(pages: pages)
        let input = TabFeed.Input()
        let output = feed.transform(input)
        input.select.accept(1)
        input.select.accept(2)
        pages.release(1)
        #expect(output.items.value == [])
        #expect(output.isLoading.value)
        pages.release(2)
        #expect(output.items.value == ["Of tab 2"])
        #expect(!output.isLoading.value)
        #expect(pages.requests.map(\.reply.hasObservers) == [false, false])
    }

    @Test func `another tab's items go at the instant it is selected`() {
        let bench = Bench()
        bench.answers(1, after: 50)
        bench.selects([.next(0, 1), .next(100, 2)])
        bench.scheduler.advanceTo(99)
        #expect(bench.output.items.value == ["Of tab 1"])
        bench.scheduler.advanceTo(100)
        #expect(bench.output.items.value == [])
    }

    @Test func `a failure is told, and the next tab is asked for all the same`() {
        let bench = Bench()
        bench.pages.replies[1] = bench.scheduler.createColdObservable([
            .error(30, FeedError.decodingError)
        ])
        bench.answers(2, after: 50)
        bench.selects([.next(0, 1), .next(100, 2)])
        bench.scheduler.start()
        expectEvents(bench.error.events, [.next(30, .decodingError)])
        expectEvents(bench.result.events, [.next(150, 2)])
        expectEvents(
            bench.isLoading.events,
            [
                .next(0, false), .next(0, true), .next(30, false), .next(100, true),
                .next(150, false),
            ])
    }
}
