// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport
import Testing

/// Values at milliseconds, which are the ticks of these tests.
private func values(_ pairs: KeyValuePairs<Int64, String>) -> [Marble] {
    pairs.map { Marble(nanoseconds: $0.key * 1_000_000, .next($0.value)) }
}

private func lane(_ name: String, _ text: String) throws -> MarblePicture.Lane {
    .init(name, try MarbleDiagram(parsing: text))
}

@Suite struct `A marble picture` {
    @Test func `puts equal instants of all lanes under one number`() {
        let picture = MarblePicture([
            .init("target", values([0: "1", 10: "1", 15: "1", 20: "1", 30: "1"])),
            .init("round", values([0: "1", 10: "2", 15: "3", 20: "4", 25: "1", 30: "2"])),
        ])
        #expect(
            picture.description == """
                tick=1ms  0         10   15   20   25   30
                target    1---------1----1----1---------1
                round     1---------2----3----4----1----2
                """)
    }

    @Test func `quotes short values and widens their column in every lane`() {
        let picture = MarblePicture([
            .init("a", values([0: "1", 5: "10", 7: "2"])),
            .init("b", values([0: "\"x\"", 6: "null", 7: "0"])),
        ])
        #expect(
            picture.description == """
                tick=1ms  0        5   6     7
                a         1    ----'10'-     2
                b         '"x"'-----   'null'0
                """)
    }

    @Test func `gives a long value a letter that no other value is called, and a line below`() {
        let picture = MarblePicture([
            .init("a", values([0: "a", 1: "[1,2,3,4,5]", 2: "12345678", 3: "123456789"])),
            .init("b", values([1: "c", 3: "[1,2,3,4,5]"])),
        ])
        #expect(
            picture.description == """
                tick=1ms  0           3
                a         ab'12345678'd
                b         -c-         b

                b = [1,2,3,4,5]
                d = 123456789
                """)
    }

    @Test func `never runs out of letters`() throws {
        let marbles = (0..<60).map {
            Marble(nanoseconds: $0 * 1_000_000, .next("value \($0 + 100)"))
        }
        let picture = MarblePicture([
            .init("all", marbles), .init("other", values([0: "a", 1: "Z", 2: "v1"])),
        ])
        let legend = picture.lines.dropFirst(4).map { $0.split(separator: " = ") }
        #expect(legend.count == 60)
        #expect(Set(legend.map { $0[0] }).count == 60)
        #expect(legend[0][0] == "b    " && legend[59][0] == "'v11'")
        #expect(!legend.contains { $0[0] == "'v1'" })
        #expect(legend.map { $0[1] } == (0..<60).map { "value \($0 + 100)" })
    }

    @Test func `draws as many instants as it is told to, and says how many more there are`() {
        let lanes: [MarblePicture.Lane] = [
            .init("a", values([0: "1", 2: "2", 4: "3", 6: "4"])), .init("b", values([3: "x"])),
        ]
        let whole = MarblePicture(lanes)
        #expect(MarblePicture(lanes, mostInstants: 5).lines == whole.lines)
        #expect(
            MarblePicture(lanes, mostInstants: 3).description == """
                tick=1ms  0  3
                a         1-2-
                b         ---x

                ... and 2 more instants
                """)
    }

    @Test func `of very many values gives each its letter, and the ruler its numbers`() throws {
        let marbles = (0..<20_000).map {
            Marble(nanoseconds: $0 * 1_000_000, .next("value \(100_000 + $0 / 10)"))
        }
        let picture = MarblePicture([.init("all", marbles), .init("none", [])])
        #expect(picture.lines.count == 4 + 2_000)
        #expect(picture.lines.last == "'v1948' = value 101999")
        #expect(picture.lines[0].prefix(29) == "tick=1ms  0    5    10   15  ")
        #expect(picture.lines[0].suffix(12) == "19998  19999")
        #expect(picture.lines[2].suffix(8) == "-      -")
    }

    @Test func `shortens a long silence in all lanes at once`() throws {
        let picture = MarblePicture([
            try lane("a", "a-- 200ms b|"), try lane("b", "-c"),
            try lane("long name", "x 203ms y----"),
        ])
        #expect(
            picture.description == """
                tick=1ms   0         203
                a          a-- 200ms b|
                b          -c- 200ms --
                long name  x-- 200ms y-
                """)
    }

    @Test(arguments: [(0, "a 4ms b"), (2, "a- 2ms b"), (3, "a---b"), (20, "a---b")])
    func `draws silence tick by tick as long as its style says`(longest: Int, line: String) throws {
        let picture = MarblePicture(
            [try lane("a", "a---b")], style: PictureStyle(longestSilence: longest))
        #expect(picture.lines.last == "a         " + line)
    }

    @Test func `counts columns as a terminal does`() throws {
        let picture = MarblePicture([
            try lane("名前", "-日-'日本'-|"), try lane("🙂", "(ab)-c--#"),
            try lane("é", "--e\u{301}-x"),
        ])
        #expect(
            picture.description == """
                tick=1ms  0   1  3      5
                名前      -   日-'日本'-|
                🙂        (ab)- c-     -#
                é         -   - é-     x-
                """)
    }

    @Test func `is exact between ticks`() throws {
        let picture = MarblePicture([
            try lane("a", "a 250us b 1.5ms c"), try lane("b", "--b"),
        ])
        #expect(
            picture.description == """
                tick=1ms  0       250us   1.75ms  2
                a         a 250us b 1.5ms c 250us -
                b           250us - 500us   250us b
                """)
    }

    @Test func `rounds down to ticks when its style says so`() throws {
        let picture = MarblePicture(
            [try lane("a", "1.9ms a 2.2ms b 100us |"), try lane("b", "500us x")],
            style: PictureStyle(roundsToTicks: true))
        #expect(
            picture.description == """
                tick=1ms  0   4
                a         -a--(b|)
                b         x----
                """)
    }

    @Test func `gives every lane its zero point when time starts before it`() throws {
        let picture = MarblePicture([
            try lane("a", "--a--^-b"), try lane("b", "-(xy)|"), try lane("c", "|-^"),
        ])
        #expect(
            picture.description == """
                tick=1ms  -3 0    2
                a         a--^-   b
                b         ---^(xy)|
                c         -|-^-   -
                """)
    }

    @Test func `goes on to its end, and lanes that are over stay blank`() throws {
        let picture = MarblePicture(
            [try lane("a", "-a-|"), try lane("b", "--"), try lane("c", "#")],
            until: Instant(nanoseconds: 12_000_000))
        #expect(
            picture.description == """
                tick=1ms  0  3        12
                a         -a-|
                b         -------------
                c         #
                """)
    }

    @Test func `keeps a digit from reading as a duration with its neighbour`() throws {
        let picture = MarblePicture([try lane("a", "1 s-2 m"), try lane("b", "abc")])
        #expect(
            picture.description == """
                tick=1ms  0  2  4
                a         1 s-2 m
                b         a bc- -
                """)
    }

    @Test func `draws with lines when asked to`() throws {
        let picture = MarblePicture(
            [try lane("a", "-a-'ten'-(bc)-#"), try lane("b", "- 100ms |")],
            style: PictureStyle(signs: .unicode))
        #expect(
            picture.description == """
                tick=1ms  0  3     5    7       101
                a         ─a─'ten'─(bc)─✕
                b         ────────────────┄92ms┄│
                """)
    }

    @Test func `is the same picture in colour`() throws {
        let lanes = [
            try lane("a", "-a-'a long value'-(b|)"), try lane("b", "-# "), try lane("c", "90ms x"),
        ]
        let coloured = MarblePicture(lanes, style: PictureStyle(palette: .ansi)).description
        #expect(coloured.contains("\u{1B}[36ma\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[31m#\u{1B}[0m"))
        let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
        #expect(plain == MarblePicture(lanes).description)
    }

    @Test func `of nothing is a ruler`() {
        #expect(MarblePicture([]).lines == ["tick=1ms  0"])
        #expect(MarblePicture([.init("a", [])]).lines == ["tick=1ms  0", "a         -"])
    }

    @Test func `of a broken stream is drawn rather than refused`() {
        let marbles = [
            Marble(nanoseconds: 0, .completed), Marble(nanoseconds: 2_000_000, .next("a")),
        ]
        #expect(MarblePicture([.init("a", marbles)]).lines.last == "a         |-a")
    }
}

@Suite struct `Every lane of every picture` {
    /// A picture of random lanes, and what they are.
    private struct Case {
        var tick: Duration
        var diagrams: [MarbleDiagram]
        var picture: MarblePicture

        init(_ random: inout SeededRandom, asciiNames: Bool) {
            let tick = random.tick()
            self.tick = tick
            let hot = Int.random(in: 0..<4, using: &random) == 0
            diagrams = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let marbles = random.marbles(tick: tick, hot: hot)
                let named = marbles.map { marble in
                    guard asciiNames, case .next = marble.event else { return marble }
                    let name = String(Int.random(in: 0...11, using: &random))
                    return Marble(at: marble.at, .next(name))
                }
                return MarbleDiagram(named, tick: tick)
            }
            picture = MarblePicture(
                diagrams.enumerated().map { .init("lane\($0.offset)", $0.element) }, tick: tick,
                style: PictureStyle(
                    longestSilence: Int.random(in: 0...25, using: &random), widestValue: 10_000))
        }

        /// How many columns the names take.
        var left: Int { max(5, "tick=\(DurationText.text(of: tick))".count) + 2 }
    }

    @Test(arguments: 0..<20)
    func `reads as exactly the events it shows`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(1000 + seed))
        for _ in 0..<100 {
            let drawn = Case(&random, asciiNames: false)
            for (line, diagram) in zip(drawn.picture.lines.dropFirst(), drawn.diagrams) {
                let text = String(line.dropFirst(drawn.left))
                #expect(
                    try MarbleDiagram(parsing: text, tick: drawn.tick) == diagram,
                    "\(drawn.picture)")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `is cut by a number of the ruler at just that time`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(2000 + seed))
        var cuts = 0
        for _ in 0..<50 {
            let drawn = Case(&random, asciiNames: true)
            let ruler = Array(drawn.picture.lines[0])
            let columns = ruler.indices.filter {
                $0 > drawn.left && ruler[$0] != " " && ruler[$0 - 1] == " "
            }
            for column in columns {
                let label = String(ruler[column...].prefix { $0 != " " })
                let sign: Int64 = label.hasPrefix("-") ? -1 : 1
                let magnitude = label.drop { $0 == "-" }
                let ticks = Int64(magnitude).map { $0 * drawn.tick.wholeNanoseconds }
                let time = try #require(
                    ticks ?? DurationText.duration(of: magnitude)?.wholeNanoseconds)
                for (line, diagram) in zip(drawn.picture.lines.dropFirst(), drawn.diagrams) {
                    // What stands left of the number is exactly what comes before its time.
                    let before = try MarbleDiagram(
                        parsing: String(line.prefix(column).dropFirst(drawn.left)), tick: drawn.tick
                    )
                    let earlier = diagram.marbles.filter { $0.at.nanoseconds < sign * time }
                    #expect(
                        before.marbles.map(\.event) == earlier.map(\.event),
                        "\(label)\n\(drawn.picture)")
                    cuts += 1
                }
            }
        }
        #expect(cuts > 100)
    }

    @Test func `of subscriptions reads as the subscription it shows`() throws {
        var random = SeededRandom(seed: 9)
        for _ in 0..<1000 {
            let tick = random.tick()
            let from = random.gap(tick: tick)
            let subscription = SubscriptionDiagram(
                subscribed: Instant(nanoseconds: from),
                unsubscribed: Bool.random(using: &random)
                    ? Instant(nanoseconds: from + random.gap(tick: tick)) : nil,
                tick: tick)
            let picture = MarblePicture(
                [
                    .init("use", subscription),
                    .init("values", random.marbles(tick: tick, hot: false)),
                ], tick: tick)
            let left = max(6, "tick=\(DurationText.text(of: tick))".count) + 2
            #expect(
                try SubscriptionDiagram(
                    parsing: String(picture.lines[1].dropFirst(left)), tick: tick) == subscription,
                "\(picture)")
        }
    }
}
