// SPDX-License-Identifier: Apache-2.0

import AsyncAlgorithms
import MarbledTesting
import Scheduling
import Streams
import Testing

/// swift-async-algorithms on an instance's clock: what is exact, and what is caught leaving.
///
/// The page on async and await prints this table; a new version of the library that changes it fails here.
@Suite struct AsyncAlgorithmsTests {
    private let scheduler = TestScheduler()
    private var clock: TimelineClock { scheduler.timeline.clock }

    /// The values of `sequence` with their ticks, iterated by a task of the timeline.
    private func observe<Source: AsyncSequence>(
        _ sequence: Source
    ) -> TestableObserver<Source.Element> {
        let observer = scheduler.createObserver(Source.Element.self)
        _ = sequence.asObservable().subscribe(observer)
        return observer
    }

    private func hot(_ events: [Recorded<Event<Int>>]) -> ObservableValues<Int, any Error> {
        scheduler.createHotObservable(events).values
    }

    // MARK: Exact

    @Test func `a timer ticks on the instance's clock`() {
        let observer = observe(
            AsyncTimerSequence(interval: .milliseconds(10), clock: clock).prefix(3)
                .map { $0.nanoseconds / 1_000_000 })
        scheduler.start()
        expectEvents(
            observer.events, [.next(10, 10), .next(20, 20), .next(30, 30), .completed(30)])
    }

    @Test func `a throttle lets one value through in each stretch of time`() {
        let source = hot([
            .next(10, 1), .next(12, 2), .next(19, 3), .next(31, 4), .next(33, 5), .completed(50),
        ])
        let observer = observe(source._throttle(for: .milliseconds(20), clock: clock))
        scheduler.start()
        #expect(observer.events.first == .next(10, 1))
        #expect(observer.events.contains(.next(31, 4)))
    }

    @Test func `what only passes values on is exact`() {
        let source = hot([.next(10, 1), .next(20, 1), .next(30, 2), .completed(40)])
        let observer = observe(
            chain(source.removeDuplicates(), [7].async).adjacentPairs().map { $0 * 10 + $1 })
        scheduler.start()
        expectEvents(
            observer.events, [.next(30, 12), .next(40, 27), .completed(40)])
    }

    @Test func `chunks come with the value that fills them`() {
        let source = hot([.next(10, 1), .next(20, 2), .next(30, 3), .completed(40)])
        let observer = observe(source.chunks(ofCount: 2).map { $0.count })
        scheduler.start()
        expectEvents(observer.events, [.next(20, 2), .next(40, 1), .completed(40)])
    }

    // MARK: Leaving

    /// What starts a task of its own behind the scenes fails the test and is named.
    private func leaves<Source: AsyncSequence>(_ sequence: Source) {
        withKnownIssue {
            _ = observe(sequence)
            scheduler.start()
        } matching: { issue in
            issue.comments.contains { "\($0)".contains("that leaves the timeline") }
        }
    }

    @Test func `debounce leaves the timeline and is caught`() {
        leaves(hot([.next(10, 1), .completed(20)]).debounce(for: .milliseconds(5), clock: clock))
    }

    @Test func `merge leaves the timeline and is caught`() {
        leaves(merge(hot([.next(10, 1), .completed(20)]), hot([.next(11, 2), .completed(20)])))
    }

    // MARK: Instead

    @Test func `a debounced stream is read by its values`() {
        let source = scheduler.createHotObservable([
            .next(10, 1), .next(12, 2), .next(30, 3), .completed(60),
        ])
        let observer = observe(source.debounce(.milliseconds(5)).values)
        scheduler.start()
        expectEvents(observer.events, [.next(17, 2), .next(35, 3), .completed(60)])
    }

    @Test func `merged streams are read by their values`() {
        let first = scheduler.createHotObservable([.next(10, 1), .completed(40)])
        let second = scheduler.createHotObservable([.next(10, 2), .next(30, 3), .completed(50)])
        let observer = observe(
            Observable.merge(first.asObservable(), second.asObservable()).values)
        scheduler.start()
        expectEvents(
            observer.events, [.next(10, 1), .next(10, 2), .next(30, 3), .completed(50)])
    }
}
