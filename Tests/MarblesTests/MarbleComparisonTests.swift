// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport
import Testing

private func marbles(_ text: String) throws -> [Marble] {
    try MarbleDiagram(parsing: text).marbles
}

@Suite struct `A comparison` {
    @Test func `of equal streams is empty`() throws {
        let comparison = MarbleComparison([
            .init("a", expected: try marbles("-a-(bc)|"), actual: try marbles("-a-(bc)|")),
            .init("b", expected: [], actual: []),
        ])
        #expect(comparison.isEqual)
        #expect(comparison.differences.isEmpty)
        #expect(comparison.description == "")
    }

    @Test func `shows both lanes, a caret under the first difference, and a table`() throws {
        let comparison = MarbleComparison([
            .init(
                "round", expected: try marbles("1---------2----3"),
                actual: try marbles("1---------4----3")),
            .init("same", expected: try marbles("-a"), actual: try marbles("-a")),
        ])
        #expect(
            comparison.description == """
                round: 2 expected at 10, 4 came

                tick=1ms        0         10   15
                round expected  1---------2----3
                round actual    1---------4----3
                                          ^

                time  port   expected  actual
                10    round  2         4
                """)
    }

    @Test func `draws what lies around the first difference where not all has room`() throws {
        let long = (0..<100).map { Marble(nanoseconds: $0 * 1_000_000, .next("a")) }
        var other = long
        other[50] = Marble(nanoseconds: 50_000_000, .next("b"))
        let ended = try marbles("-x|")
        let comparison = MarbleComparison(
            [
                .init("long", expected: long, actual: other),
                .init("ended", expected: ended + [], actual: Array(ended.prefix(1))),
            ].reversed(), mostInstants: 6)
        #expect(
            comparison.lines.dropFirst(2).prefix(8).joined(separator: "\n") == """
                tick=1ms        0    5
                ended expected  -x|
                ended actual    -x----
                                  ^
                long expected   aaaaaa
                long actual     aaaaaa

                ... and 94 more instants
                """)
        let late = MarbleComparison(
            [.init("long", expected: long, actual: other)], mostInstants: 6)
        #expect(
            late.lines.dropFirst(2).prefix(6).joined(separator: "\n") == """
                tick=1ms       47 50
                long expected  aaaaaa
                long actual    aaabaa
                                  ^

                ... behind 47 earlier instants, and 47 more instants
                """)
    }

    @Test func `puts a caret under every port that differs, and orders the table by time`() throws {
        let comparison = MarbleComparison([
            .init("late", expected: try marbles("---a-b"), actual: try marbles("---a--b")),
            .init("early", expected: try marbles("-(xy)|"), actual: try marbles("-(yx)#")),
        ])
        #expect(
            comparison.description == """
                early: x, y expected at 1, y, x came

                tick=1ms        0    2  5
                late expected   --   -a-b-
                late actual     --   -a--b
                                        ^
                early expected  -(xy)|
                early actual    -(yx)#
                                 ^

                time  port   expected   actual
                1     early  x, y       y, x
                2     early  completed  error
                5     late   b          -
                6     late   -          b
                """)
        #expect(
            comparison.differences.map(\.at.nanoseconds)
                == [1_000_000, 2_000_000, 5_000_000, 6_000_000])
        #expect(comparison.differences.map(\.port) == ["early", "early", "late", "late"])
    }

    @Test func `tells instants apart that share a tick`() throws {
        let comparison = MarbleComparison(
            [.init("a", expected: try marbles("-a"), actual: try marbles("1001us a"))],
            style: PictureStyle(roundsToTicks: true))
        #expect(
            comparison.description == """
                a: a expected at 1, nothing came

                tick=1ms    0      1.001ms
                a expected  -a 1us -
                a actual    -  1us a
                             ^

                time     port  expected  actual
                1        a     a         -
                1.001ms  a     -         a
                """)
    }

    @Test func `says values in full where the lane has only a letter`() throws {
        let comparison = MarbleComparison([
            .init("a", expected: [], actual: [Marble(at: .zero, .next("{\"id\":1,\n\"x\":2}"))])
        ])
        #expect(
            comparison.description == """
                a: nothing expected at 0, {"id":1,\\n"x":2} came

                tick=1ms    0
                a expected  -
                a actual    a
                            ^

                a = {"id":1,\\n"x":2}

                time  port  expected  actual
                0     a     -         {"id":1,\\n"x":2}
                """)
    }

    @Test func `ends a long table with the number of rows left out`() throws {
        let comparison = MarbleComparison(
            [.init("a", expected: [], actual: try marbles("abcdefgh"))], mostRows: 3)
        #expect(comparison.differences.count == 8)
        #expect(
            comparison.lines.suffix(2) == ["2     a     -         c", "... and 5 more"])
    }

    @Test func `finds a difference wherever one event of a random stream is changed`() throws {
        var random = SeededRandom(seed: 21)
        var tried = 0
        for _ in 0..<500 {
            let expected = random.marbles(tick: .milliseconds(1), hot: false)
            guard let index = expected.indices.randomElement(using: &random) else { continue }
            var actual = expected
            let removed = actual.remove(at: index)
            let comparison = MarbleComparison([.init("a", expected: expected, actual: actual)])
            #expect(comparison.differences.map(\.at) == [removed.at])
            #expect(MarbleComparison([.init("a", expected: actual, actual: actual)]).isEqual)
            tried += 1
        }
        #expect(tried > 300)
    }
}
