// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport
import Testing

/// An event with its time in milliseconds, which are the ticks of these tests.
private func at(_ milliseconds: Double, _ event: MarbleEvent) -> Marble {
    Marble(nanoseconds: Int64(milliseconds * 1_000_000), event)
}

private func next(_ milliseconds: Double, _ name: String) -> Marble {
    at(milliseconds, .next(name))
}

@Suite struct `Reading a marble diagram` {
    @Test(
        arguments: [
            ("", []),
            ("-", []),
            ("   ", []),
            ("a", [next(0, "a")]),
            ("--a-b-|", [next(2, "a"), next(4, "b"), at(6, .completed)]),
            ("-a-#", [next(1, "a"), at(3, .error)]),
            ("abc", [next(0, "a"), next(1, "b"), next(2, "c")]),
            ("|", [at(0, .completed)]),
            ("#", [at(0, .error)]),
            (
                "-7-é-日-🙂-👩‍👩‍👧‍👦|",
                [
                    next(1, "7"), next(3, "é"), next(5, "日"), next(7, "🙂"), next(9, "👩‍👩‍👧‍👦"),
                    at(10, .completed),
                ]
            ),
            ("*+?=&", [next(0, "*"), next(1, "+"), next(2, "?"), next(3, "="), next(4, "&")]),
        ] as [(String, [Marble])])
    func `every sign but a space takes one tick`(text: String, expected: [Marble]) throws {
        #expect(try MarbleDiagram(parsing: text).marbles == expected)
    }

    @Test(
        arguments: [
            ("(ab)c", [next(0, "a"), next(0, "b"), next(1, "c")]),
            ("-(ab)--c", [next(1, "a"), next(1, "b"), next(4, "c")]),
            ("-(a)b", [next(1, "a"), next(2, "b")]),
            ("(a|)", [next(0, "a"), at(0, .completed)]),
            ("--( a 'b' # )", [next(2, "a"), next(2, "b"), at(2, .error)]),
            ("(ab)(cd)", [next(0, "a"), next(0, "b"), next(1, "c"), next(1, "d")]),
        ] as [(String, [Marble])])
    func `a group is one instant and costs one tick`(text: String, expected: [Marble]) throws {
        #expect(try MarbleDiagram(parsing: text).marbles == expected)
    }

    @Test(arguments: ["  -- a - b | ", "--a -b|", "--  a-b   |", "--a-b|"])
    func `spaces align and cost nothing`(text: String) throws {
        #expect(
            try MarbleDiagram(parsing: text).marbles
                == [next(2, "a"), next(4, "b"), at(5, .completed)])
    }

    @Test(
        arguments: [
            ("a 10ms b", [next(0, "a"), next(10, "b")]),
            ("a 10ms b-c", [next(0, "a"), next(10, "b"), next(12, "c")]),
            ("(ab) 10ms |", [next(0, "a"), next(0, "b"), at(10, .completed)]),
            ("10ms a", [next(10, "a")]),
            ("a 10us b 500us c", [next(0, "a"), next(0.01, "b"), next(0.51, "c")]),
            ("1.5s a 2m b 1h c", [next(1500, "a"), next(121_500, "b"), next(3_721_500, "c")]),
            ("a 1000ns b 1µs c", [next(0, "a"), next(0.001, "b"), next(0.002, "c")]),
            ("a 10ms", [next(0, "a")]),
            ("a 10ms 5ms b", [next(0, "a"), next(15, "b")]),
            ("a--10", [next(0, "a"), next(3, "1"), next(4, "0")]),
            ("1 0 m s", [next(0, "1"), next(1, "0"), next(2, "m"), next(3, "s")]),
            ("10 ms", [next(0, "1"), next(1, "0"), next(2, "m"), next(3, "s")]),
            ("'10ms'-", [next(0, "10ms")]),
            ("10x", [next(0, "1"), next(1, "0"), next(2, "x")]),
        ] as [(String, [Marble])])
    func `a duration is the whole gap between its neighbours`(
        text: String, expected: [Marble]
    ) throws {
        #expect(try MarbleDiagram(parsing: text).marbles == expected)
    }

    @Test(arguments: [
        ("a- 10ms b", 12.0), ("a 10ms -b", 11), ("a- 10ms -b", 13), ("a-- 10ms b", 13),
        ("-- 10ms b", 12), ("a 10ms - 10ms b", 21),
    ])
    func `dashes beside a duration are added to it`(text: String, expected: Double) throws {
        #expect(try MarbleDiagram(parsing: text).marbles.last == next(expected, "b"))
    }

    @Test(
        arguments: [
            ("--a--^--b", [next(-3, "a"), next(3, "b")]),
            ("^a", [next(1, "a")]),
            ("(^a)-b", [next(0, "a"), next(2, "b")]),
            ("a(b^c)d", [next(-1, "a"), next(0, "b"), next(0, "c"), next(1, "d")]),
            ("a 1s ^ 1s b", [next(-1000, "a"), next(1000, "b")]),
            ("a-|-^--", [next(-4, "a"), at(-2, .completed)]),
        ] as [(String, [Marble])])
    func `a hot stream counts from its zero point`(text: String, expected: [Marble]) throws {
        #expect(try MarbleDiagram(parsing: text).marbles == expected)
    }

    @Test(arguments: [
        ("'ten'", "ten"), ("''", ""), ("' a b '", " a b "), (#"'it\'s'"#, "it's"),
        (#"'a\\b'"#, #"a\b"#), (#"'\n\t\r'"#, "\n\t\r"), (#"'\u{1F600}\u{e9}'"#, "😀é"),
        (#"'{"a":[1,2]}'"#, #"{"a":[1,2]}"#), ("'(-|#^!)'", "(-|#^!)"),
    ])
    func `a quoted name may be any text`(text: String, name: String) throws {
        #expect(try MarbleDiagram(parsing: text).marbles == [next(0, name)])
    }

    @Test func `two quoted names side by side are two values`() throws {
        #expect(try MarbleDiagram(parsing: "'a''b'").marbles == [next(0, "a"), next(1, "b")])
    }

    @Test func `only silence may follow an end`() throws {
        for text in ["-|", "-|---", "-|  ", "-| 10ms", "-| 10ms --"] {
            #expect(try MarbleDiagram(parsing: text).marbles == [at(1, .completed)], "\(text)")
        }
    }

    @Test func `the tick length decides what a dash is, and nothing else`() throws {
        let diagram = try MarbleDiagram(parsing: "-a 10ms b--c", tick: .microseconds(100))
        #expect(diagram.marbles == [next(0.1, "a"), next(10.1, "b"), next(10.4, "c")])
        #expect(diagram.marbles[0].ticks(of: .microseconds(100)) == 1)
        #expect(diagram.marbles[0].ticks(of: .milliseconds(1)) == nil)
    }

    @Test func `all that fits into 64 bits can be reached, and nothing beyond`() throws {
        #expect(
            try MarbleDiagram(parsing: "9223372036854775807ns a").marbles.first?.at
                == .distantFuture)
        #expect(throws: MarbleError.self) {
            try MarbleDiagram(parsing: "9223372036854775807ns -a")
        }
        #expect(throws: MarbleError.self) { try MarbleDiagram(parsing: "2562048h a") }
    }
}

@Suite struct `Refusing a marble diagram` {
    @Test(arguments: [
        ("-(ab", 2, "never closed"),
        ("-ab)", 4, "never opened"),
        ("-(a(b))", 4, "within a group"),
        ("-()", 2, "empty group"),
        ("-( )", 2, "empty group"),
        ("(a-b)", 3, "inside a group"),
        ("(a 10ms b)", 4, "inside a group"),
        ("(ab-", 4, "inside a group"),
        ("-|a", 3, "follows a completion"),
        ("-#|", 3, "follows an error"),
        ("-||", 3, "follows a completion"),
        ("(|a)", 3, "follows a completion"),
        ("-^-^", 4, "second zero point; the first stands at column 2"),
        ("(^^)", 3, "second zero point"),
        ("-a-!", 4, "ends a subscription"),
        ("-'abc", 2, "never closed"),
        ("-'abc\\'", 2, "never closed"),
        ("'a\\qb'", 3, "is no escape"),
        ("'\\u{110000}'", 2, "in hexadecimal"),
        ("'\\u{41'", 2, "in hexadecimal"),
        ("'\\", 2, "inside an escape"),
        ("'a\tb'", 3, "invisible"),
        ("a\tb", 2, "tab"),
        ("a\nb", 2, "plain spaces"),
        ("a\u{A0}b", 2, "plain spaces"),
        ("a-\u{200B}b", 3, "invisible"),
        ("-\u{7}", 2, "invisible"),
        ("-{a}", 2, "quote the name"),
        ("a,b", 2, "quote the name"),
        ("-a\\b", 3, "only between quotes"),
        ("a 10ms- b", 3, "set it off by spaces"),
        ("a10ms b", 2, "set it off by spaces"),
        ("--10ms", 3, "set it off by spaces"),
        ("(1s)", 2, "set it off by spaces"),
        ("'a'5m", 4, "set it off by spaces"),
        ("10msb", 1, "is not a duration"),
        ("a 1.5 b", 3, "is not a duration"),
        ("a 1.s b", 3, "not a whole number"),
        ("a .5s b", 3, "quote the name"),
        ("a 1.5ns b", 3, "not a whole number"),
        ("a 0.0000000001s b", 3, "not a whole number"),
        ("a 0ms b", 3, "a gap of nothing"),
        ("a 99999999999999999999s b", 3, "not a whole number"),
        ("2562047h 1h -a", 10, "time ends here"),
    ])
    func `a fault is told with its column and what is wrong`(
        text: String, column: Int, message: String
    ) throws {
        let error = try #require(throws: MarbleError.self) { try MarbleDiagram(parsing: text) }
        #expect(error.column == column)
        #expect(error.message.contains(message), "\(error.message)")
        #expect(error.text == text)
    }

    @Test(arguments: ["9223372036854775807ns a", "9223372036.854775s 807ns -", "9223372036s (ab|)"])
    func `a lane may end where time ends, for the tick of what stands last need not pass`(
        text: String
    ) throws {
        let lane = try MarbleDiagram(parsing: text)
        #expect(try MarbleDiagram(parsing: lane.description) == lane)
        #expect(throws: MarbleError.self) { try MarbleDiagram(parsing: text + " 292000h -") }
    }

    @Test func `a cold stream has no zero point`() throws {
        let error = try #require(throws: MarbleError.self) {
            try MarbleDiagram(parsing: "-a-^-b", as: .cold)
        }
        #expect(error.column == 4)
        #expect(try MarbleDiagram(parsing: "-a-b", as: .cold).marbles.count == 2)
    }

    @Test(arguments: [
        ("--(ab", "column 3: a group is open here and never closed\n--(ab\n  ^"),
        (
            "日🙂e\u{301}'x",
            "column 4: the quote that opens here is never closed\n日🙂e\u{301}'x\n     ^"
        ),
        ("a\tb", "column 2: a tab has no width that all agree on; align with spaces\na␉b\n ^"),
    ])
    func `the caret stands under the fault, whatever the width before it`(
        text: String, description: String
    ) throws {
        let error = try #require(throws: MarbleError.self) { try MarbleDiagram(parsing: text) }
        #expect(error.description == description)
    }

    @Test func `thousands of random texts are read or refused, and never stop the program`() {
        var random = SeededRandom(seed: 11)
        let signs = Array("--  ab1()|#^!'\\.{}ms0\t日\u{301}\u{200D}")
        var refused = 0
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    signs.randomElement(using: &random) ?? "-"
                })
            do {
                let diagram = try MarbleDiagram(parsing: text)
                let again = try MarbleDiagram(parsing: "\(diagram)")
                #expect(again == diagram, "\(text)")
                #expect("\(again)" == "\(diagram)", "\(text)")
            } catch {
                refused += 1
                // The caret of an error never points past its text.
                #expect((1...max(1, text.count)).contains(error.column), "\(text)")
            }
        }
        #expect((1000..<5000).contains(refused))
    }
}

@Suite struct `Printing a marble diagram` {
    @Test(arguments: [
        ("", "-"),
        ("---", "-"),
        ("--a-b-|--", "--a-b-|"),
        ("-(a)-", "-a"),
        ("-( a 'b' )", "-(ab)"),
        ("'a'-'ten'", "a-'ten'"),
        ("a 3ms b", "a--b"),
        ("a 11ms b", "a----------b"),
        ("a 12ms b", "a 12ms b"),
        ("a-------------------b", "a 20ms b"),
        ("----------a", "----------a"),
        ("-----------a", "11ms a"),
        ("a 1500us b", "a 1.5ms b"),
        ("a 0.5ms b", "a 500us b"),
        ("10ms 990ms a", "1s a"),
        ("a 120s b 90s c 1.5h d", "a 2m b 90s c 90m d"),
        ("--a--^--b", "a--^--b"),
        ("---^--b", "---b"),
        ("a|^", "a|^"),
        ("(a^)|", "a|"),
        ("'1''m''s'", "1 ms"),
        (#"'\u{1F1E9}''\u{1F1EA}'"#, "\u{1F1E9} \u{1F1EA}"),
        (#"'\u{301}'"#, #"'\u{301}'"#),
        (#"'\u{41}\u{0}'"#, #"'A\u{0}'"#),
    ])
    func `the text is canonical`(text: String, canonical: String) throws {
        #expect(try MarbleDiagram(parsing: text).description == canonical)
    }

    @Test(arguments: 0..<40)
    func `what was printed reads back as itself`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<250 {
            let tick = random.tick()
            let hot = Bool.random(using: &random)
            let diagram = MarbleDiagram(random.marbles(tick: tick, hot: hot), tick: tick)
            let text = diagram.description
            #expect(try MarbleDiagram(parsing: text, tick: tick) == diagram, "\(text)")
            // Printing what was read changes nothing: the text is canonical.
            #expect(try MarbleDiagram(parsing: text, tick: tick).description == text)
        }
    }

    @Test func `events out of order or after an end are a programmer's mistake`() async {
        await #expect(processExitsWith: .failure) {
            _ = MarbleDiagram([
                Marble(nanoseconds: 2, .next("a")), Marble(nanoseconds: 1, .next("b")),
            ])
        }
        await #expect(processExitsWith: .failure) {
            _ = MarbleDiagram([
                Marble(nanoseconds: 1, .completed), Marble(nanoseconds: 1, .next("b")),
            ])
        }
        await #expect(processExitsWith: .failure) { _ = MarbleDiagram([], tick: .zero) }
    }
}
