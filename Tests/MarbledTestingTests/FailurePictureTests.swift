// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct FailurePictureTests {
    @Test func `several lanes stand under one ruler, each with its caret`() throws {
        let found = try issues {
            expectLanes(
                EventLane("left", [.next(1, 1), .next(3, 2)], [.next(1, 1), .next(4, 2)]),
                EventLane("same", [.next(2, 5)], [.next(2, 5)]),
                EventLane("right", [.next(0, "a"), .completed(2)], [.next(0, "b"), .completed(2)]))
        }
        #expect(
            found == [
                """
                right: b expected at 0, a came

                tick=1ms        0  3
                left expected   -1--2
                left actual     -1-2-
                                   ^
                right expected  b-|
                right actual    a-|
                                ^

                time  port   expected  actual
                0     right  b         a
                3     left   -         2
                4     left   2         -
                """
            ])
    }

    @Test func `the ruler counts the ticks of the test`() throws {
        let actual: [Recorded<Event<Int>>] = [.next(1, 1)]
        let found = try issues { expectEvents(actual, [], as: "slow", tick: .seconds(1)) }
        #expect(found[0].hasPrefix("slow: nothing expected at 1, 1 came\n\ntick=1s"))
    }

    @Test func `errors that differ are told apart in words`() throws {
        let actual: [Recorded<Event<Int>>] = [.error(2, Boom())]
        #expect(
            try issues { expectEvents(actual, [.error(2, MarbleFailure())]) }
                == ["events: error(#) was expected at 2, error(Boom()) came"])
    }

    @Test func `values that are written alike and are not equal are told so`() throws {
        struct Twin: Equatable, CustomStringConvertible {
            let secret: Int
            var description: String { "twin" }
        }
        #expect(
            try issues { expectEvents([.next(1, Twin(secret: 1))], [.next(1, Twin(secret: 2))]) }
                == ["events: something differs that is written alike: [\"next(twin)\"]"])
    }

    @Test func `expected events that are out of order are drawn in order and told so`() throws {
        let actual: [Recorded<Event<Int>>] = [.next(1, 1), .next(2, 2)]
        #expect(
            try issues { expectEvents(actual, [.next(2, 2), .next(1, 1)]) }
                == ["events: the expected events do not stand in order of time"])
    }

    @Test func `a failure stands at the line of the expectation`() throws {
        let line = #line + 2
        withKnownIssue {
            expectEvents([.next(1, 1)], [.next(1, 2)])
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.sourceLocation?.fileName == "FailurePictureTests.swift"
        }
    }
}
