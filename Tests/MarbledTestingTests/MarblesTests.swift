// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct MarblesTests {
    @Test func `a picture is read as events`() {
        let numbers: [Recorded<Event<Int>>] = .marbles("-1-(23)-'10' 5ms |")
        #expect(
            numbers == [.next(1, 1), .next(3, 2), .next(3, 3), .next(5, 10), .completed(10)])
        let words: [Recorded<Event<String>>] = .marbles("a-#", from: 200, error: Boom())
        #expect(words == [.next(200, "a"), .error(202, Boom())])
        let flags: [Recorded<Event<Bool>>] = .marbles(
            "ab", values: ["a": true, "b": false])
        #expect(flags == [.next(0, true), .next(1, false)])
        let around: [Recorded<Event<String>>] = .marbles("-a-^-b", from: 10)
        #expect(around == [.next(8, "a"), .next(12, "b")])
        let slow: [Recorded<Event<Int>>] = .marbles("1 2s 2", tick: .seconds(1))
        #expect(slow == [.next(0, 1), .next(2, 2)])
    }

    @Test func `a picture that cannot be read fails the test and says nothing`() throws {
        func read(_ text: String) -> [Recorded<Event<Int>>] { .marbles(text) }
        func named(_ text: String) -> [Recorded<Event<Int>>] {
            .marbles(text, values: ["a": 1, "b": 2])
        }
        var events: [Recorded<Event<Int>>] = []
        #expect(try issues { events = read("-x-|") } == ["\"x\" is no Int: -x-|"])
        #expect(
            try issues { events += named("c") } == [
                "\"c\" is not among the values [\"a\", \"b\"]: c"
            ])
        #expect(try issues { events += read("-1|-2") }[0].contains("nothing follows a completion"))
        #expect(
            try issues { events += read("1 1500us 2") }[0].contains("lies between two ticks"))
        #expect(events.isEmpty)
    }

    @Test func `streams are made of pictures`() {
        let scheduler = TestScheduler()
        let hot = scheduler.createHotObservable("-1-^-2-3|", from: 200, of: Int.self)
        let cold = scheduler.createColdObservable("a-(b|)")
        let joined = scheduler.start { hot.flatMap { _ in cold } }
        expectEvents(joined.events, "--a-(ba)-(b|)", from: 200)
        expectSubscriptions(hot.subscriptions, ["^----!"], from: 200)
        expectSubscriptions(cold.subscriptions, ["--^-!", "----^-!"], from: 200)
        scheduler.finish()
    }

    @Test func `what a picture says before the beginning of time is not said`() {
        let scheduler = TestScheduler()
        let hot = scheduler.createHotObservable("-a-^-b|")
        expectEvents(scheduler.start(created: 0, subscribed: 0) { hot }.events, "--b|")
    }

    @Test func `an expected error in a picture is any error, one in events is itself`() throws {
        let actual: [Recorded<Event<Int>>] = [.next(0, 1), .error(2, Boom())]
        #expect(expectEvents(actual, "1-#"))
        #expect(expectEvents(actual, "a-#", values: ["a": 1]))
        _ = try issues { expectEvents(actual, "1-|") }
        _ = try issues { expectEvents(actual, [.next(0, 1), .error(2, MarbleFailure())]) }
    }

    @Test func `subscriptions that differ are named, and bad pictures refused`() throws {
        let actual = [TestSubscription(2, 4)]
        #expect(
            try issues { expectSubscriptions(actual, ["--^"]) }
                == ["expected subscriptions [(2…)], got [(2–4)]"])
        #expect(try issues { expectSubscriptions(actual, ["--!"]) }.count == 1)
        #expect(try issues { expectSubscriptions([], ["---"]) }[0].contains("has no `^`"))
    }
}
