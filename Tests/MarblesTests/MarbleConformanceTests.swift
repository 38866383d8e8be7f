// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import Testing

/// Rows 85, 86, 96, 106 and 107: pictures that are read, refused, and compared.
@Suite struct MarbleConformanceTests {
    /// The events of a diagram, a text each: `a@7`, `|@15`, `#@3`, in milliseconds.
    private static func events(
        _ text: String, as kind: MarbleDiagram.Kind = .hot, tick: Duration = .milliseconds(1)
    ) throws -> [String] {
        try MarbleDiagram(parsing: text, tick: tick, as: kind).marbles.map { marble in
            let time = Double(marble.at.nanoseconds) / 1_000_000
            let shown = time == time.rounded() ? "\(Int(time))" : "\(time)"
            return switch marble.event {
            case .next(let name): "\(name)@\(shown)"
            case .error: "#@\(shown)"
            case .completed: "|@\(shown)"
            }
        }
    }

    private static func window(_ text: String) throws -> [Int64?] {
        let diagram = try SubscriptionDiagram(parsing: text)
        return [diagram.subscribed, diagram.unsubscribed].map { $0.map(\.nanoseconds) }
    }

    // MARK: Row 85

    @Test(arguments: [
        ("-------a---b---|", ["a@70", "b@110", "|@150"]),
        ("--a--b--|   ", ["a@20", "b@50", "|@80"]),
        ("---^---a---b---|", ["a@40", "b@80", "|@120"]),
        ("-------a---b---#", ["a@70", "b@110", "#@150"]),
        ("--a--b--c--", ["a@20", "b@50", "c@80"]),
        ("---(abc)---", ["a@30", "b@30", "c@30"]),
        ("  -a - b -    c |       ", ["a@10", "b@30", "c@50", "|@60"]),
        ("--🙈--🙉--🙊--|", ["🙈@20", "🙉@50", "🙊@80", "|@110"]),
    ])
    func `row 85 marbles: values, ends, the zero point, spaces and emoji, ten to a sign`(
        text: String, expected: [String]
    ) throws {
        #expect(try Self.events(text, tick: .milliseconds(10)) == expected)
    }

    // C: elsewhere a value's own frame is added to a gap (1220.4 and 61230.4 here), so that gaps are
    // written a frame short. Here a gap is the whole distance between its neighbours.
    @Test func `row 85 marbles, gaps: the whole distance between their neighbours`() throws {
        #expect(
            try Self.events("10.2ms a 1.2s b 1m c|", tick: .milliseconds(10))
                == ["a@10.2", "b@1210.2", "c@61210.2", "|@61220.2"])
    }

    // C: elsewhere a group takes as many frames as its text is wide (c at 7). Here it takes one tick, so
    // that lanes stay aligned.
    @Test func `row 85 marbles, groups: one instant, one tick`() throws {
        #expect(try Self.events("-(abc)-c|") == ["a@1", "b@1", "c@1", "c@3", "|@4"])
    }

    // MARK: Row 86

    @Test(
        arguments: [
            ("---^---!-", 3, 7), ("---^-", 3, nil), ("---(^!)-", 3, 3),
            ("  - -  - -  ^ -   - !  -- -      ", 4, 7),
        ] as [(String, Int64, Int64?)])
    func `row 86 subscriptions: open, closed, both at one instant, spaced out`(
        text: String, subscribed: Int64, unsubscribed: Int64?
    ) throws {
        #expect(
            try Self.window(text) == [subscribed * 1_000_000, unsubscribed.map { $0 * 1_000_000 }])
    }

    // The gaps are ours, as in row 85: a sign's own tick is not added to a gap that follows it.
    @Test func `row 86 subscriptions, gaps: exact to the microsecond`() throws {
        #expect(
            try Self.window("10.2ms ^ 1.2s - 1m !")
                == [10_200_000, 10_200_000 + 1_200_000_000 + 1_000_000 + 60_000_000_000])
    }

    @Test(arguments: [("---^-^-!-", 6), ("---^---!-!", 10)])
    func `row 86 subscriptions: a second sign of a kind is refused`(text: String, column: Int)
        throws
    {
        let error = try #require(throws: MarbleError.self) {
            try SubscriptionDiagram(parsing: text)
        }
        #expect(error.column == column)
    }

    // MARK: Row 96

    @Test(
        arguments: [
            ("12ms", 12_000_000), ("1.5s", 1_500_000_000), ("1.5m", 90_000_000_000),
            // C: an hour is a unit here, and none there.
            ("1h", 3_600_000_000_000),
            ("-1ms", nil), ("ms", nil), ("Infinity", nil), ("12", nil), ("", nil),
        ] as [(String, Int64?)])
    func `row 96 durations: a number and a unit, or refused`(text: String, expected: Int64?) {
        #expect(DurationText.duration(of: text)?.wholeNanoseconds == expected)
    }

    @Test func `row 96 spaces before a picture change nothing`() throws {
        #expect(
            try MarbleDiagram(parsing: "--^---a---b---c---|")
                == MarbleDiagram(parsing: "  --^---a---b---c---|"))
    }

    // C where a value stands before a gap or a group is wide: 4 for b (there the same, by its dash), and
    // c at 2 (there 5).
    @Test(arguments: [
        ("2ms a-b#", ["a@2", "b@4", "#@5"]),
        ("20s (a|)", ["a@20000", "|@20000"]),
        ("(ab)-c|", ["a@0", "b@0", "c@2", "|@3"]),
        ("🙂-🚀|", ["🙂@0", "🚀@2", "|@3"]),
        ("a-^-b|", ["a@-2", "b@2", "|@3"]),
    ])
    func `row 96 pictures: gaps, groups, code points and a zero point`(
        text: String, expected: [String]
    ) throws {
        #expect(try Self.events(text) == expected)
    }

    // C: there `a12msb` is silently six values. Here what looks like a gap and touches a neighbour is
    // refused rather than guessed at.
    @Test(arguments: [
        ("a12msb", 2), ("((a))", 2), ("a)", 2), ("(a", 1), ("a!", 2), ("^a^", 3),
    ])
    func `row 96 refused: what could mean two things, or nothing`(text: String, column: Int)
        throws
    {
        let error = try #require(throws: MarbleError.self) { try MarbleDiagram(parsing: text) }
        #expect(error.column == column)
    }

    @Test func `row 96 refused: a zero point in a cold picture`() throws {
        let error = try #require(throws: MarbleError.self) {
            try MarbleDiagram(parsing: "^a", as: .cold)
        }
        #expect(error.column == 1)
    }

    // C: `---^ 12ms !` leaves at 15 here and at 16 there, where the sign's own frame is added.
    @Test func `row 96 subscriptions: numbers allowed, and refused what is not one use`() throws {
        #expect(try Self.window("---^ 12ms !") == [3_000_000, 15_000_000])
        #expect(try Self.window("---(^!)") == [3_000_000, 3_000_000])
        #expect(try Self.window("^--!") == [0, 3_000_000])
        for text in ["^^", "^!!", "^a!", "(^^)", "(^!"] {
            #expect(throws: MarbleError.self) { try SubscriptionDiagram(parsing: text) }
        }
    }

    // MARK: Rows 106 and 107

    /// The first line of a failure, and one line for each instant that differs.
    private static func failure(
        expected: String, actual: [Marble]
    ) throws -> (sentence: String, table: [String]) {
        let comparison = MarbleComparison([
            .init("out", expected: try MarbleDiagram(parsing: expected).marbles, actual: actual)
        ])
        let lines = comparison.lines
        let start = lines.firstIndex { $0.hasPrefix("time ") } ?? lines.endIndex
        let table = lines[start...].dropFirst().map {
            $0.split(separator: " ").joined(separator: " ")
        }
        return (lines.first ?? "", Array(table))
    }

    @Test(arguments: [
        ("A--B--X---|", "A--B--C---|", "out: X expected at 6, C came", ["6 out X C"]),
        (
            "A--B--|", "A--B--C---|", "out: completed expected at 6, C came",
            ["6 out completed C", "10 out - completed"]
        ),
        (
            "A--B--C|", "A--B--|", "out: C expected at 6, completed came",
            ["6 out C completed", "7 out completed -"]
        ),
        (
            "A--B--#", "A--B--|", "out: error expected at 6, completed came",
            ["6 out error completed"]
        ),
        (
            "A--B--|", "A--B--#", "out: completed expected at 6, error came",
            ["6 out completed error"]
        ),
        (
            "A--B--#", "A--B--C|", "out: error expected at 6, C came",
            ["6 out error C", "7 out - completed"]
        ),
        (
            "A--B--C|", "A--B--#", "out: C expected at 6, error came",
            ["6 out C error", "7 out completed -"]
        ),
        ("A--B--C|", "A--B---|", "out: C expected at 6, nothing came", ["6 out C -"]),
        (
            "A--B--#", "A--B---|", "out: error expected at 6, nothing came",
            ["6 out error -", "7 out - completed"]
        ),
        ("A--B---|", "A--B--C|", "out: nothing expected at 6, C came", ["6 out - C"]),
        (
            "A--B---|", "A--B--#", "out: nothing expected at 6, error came",
            ["6 out - error", "7 out completed -"]
        ),
    ])
    func `row 106 mismatches: each kind has its own words and its instant`(
        expected: String, actual: String, sentence: String, table: [String]
    ) throws {
        let failure = try Self.failure(
            expected: expected, actual: try MarbleDiagram(parsing: actual).marbles)
        #expect(failure.sentence == sentence)
        #expect(failure.table == table)
    }

    @Test(arguments: [
        ("(ab|", 1, "never closed"), ("ab)|", 3, "never opened"),
        ("((ab|", 2, "within a group"), ("(a-)b|", 3, "inside a group"),
        ("a|b", 3, "follows a completion"), ("a#b", 3, "follows an error"),
    ])
    func `row 107 bad pictures: refused, with the column and the fault`(
        text: String, column: Int, message: String
    ) throws {
        let error = try #require(throws: MarbleError.self) { try MarbleDiagram(parsing: text) }
        #expect(error.column == column)
        #expect(error.message.contains(message))
    }

    @Test(arguments: [
        (MarbleEvent.next("d"), "d"), (.error, "error"), (.completed, "completed"),
    ])
    func `row 107 past the end: an output after its end fails the comparison`(
        late: MarbleEvent, name: String
    ) throws {
        let text = "a--b--c--|"
        let actual = try MarbleDiagram(parsing: text).marbles
        let end = try #require(actual.last?.at)
        let later = try Self.failure(
            expected: text,
            actual: actual + [Marble(at: end.advanced(by: .milliseconds(1)), late)])
        #expect(later.sentence == "out: nothing expected at 10, \(name) came")
        let atOnce = try Self.failure(expected: text, actual: actual + [Marble(at: end, late)])
        #expect(atOnce.sentence == "out: completed expected at 9, completed, \(name) came")
    }
}
