// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport
import Testing

private func tenths(_ count: Int64) -> Instant {
    Instant(nanoseconds: count * 100_000_000)
}

@Suite struct `A live picture` {
    @Test func `grows as events come`() {
        var live = LivePicture(lanes: ["round"])
        #expect(live.lines(width: 80) == ["tick=100ms  0", "round       -"])
        live.add("1", lane: "round", at: tenths(0))
        live.add("2", lane: "target", at: tenths(3))
        live.add("10", lane: "round", at: tenths(5))
        #expect(
            live.lines(width: 80) == [
                "tick=100ms  0    5",
                "round       1----'10'",
                "target      ---2--",
            ])
        live.advance(to: tenths(8))
        #expect(
            live.lines(width: 80) == [
                "tick=100ms  0    5     8",
                "round       1----'10'---",
                "target      ---2--   ---",
            ])
    }

    @Test func `puts late news where they belong`() {
        var live = LivePicture()
        for (text, time) in [("a", 0), ("d", 6), ("b", 2), ("c", 2)] as [(String, Int64)] {
            live.add(text, lane: "x", at: tenths(time))
        }
        #expect(live.lines(width: 80).last == "x           a-(bc)---d")
    }

    @Test func `shows the newest that fit, and the legend of what can be seen`() {
        var live = LivePicture(style: PictureStyle(longestSilence: 3))
        for count in 0..<1000 {
            live.add(
                count % 10 == 0 ? "value \(count)" : String(count % 10), lane: "x",
                at: tenths(Int64(count)))
        }
        #expect(
            live.lines(width: 30) == [
                "tick=100ms  982     990  995",
                "x           23456789a123456789",
                "",
                "a = value 990",
            ])
    }

    @Test func `keeps no more events than its capacity`() {
        var live = LivePicture(capacity: 3)
        for count in 0..<10 { live.add("\(count)", lane: "x", at: tenths(Int64(count))) }
        #expect(live.lines(width: 80) == ["tick=100ms  7", "x           789"])
    }

    @Test func `leaves a lane blank whose end has been scrolled away`() {
        var live = LivePicture(capacity: 3)
        live.add("a", lane: "x", at: tenths(0))
        live.add(.completed, lane: "x", at: tenths(1))
        live.add("b", lane: "y", at: tenths(2))
        #expect(
            live.lines(width: 80) == ["tick=100ms  0", "x           a|", "y           --b"])
        live.add("c", lane: "y", at: tenths(3))
        live.add("d", lane: "y", at: tenths(4))
        #expect(live.lines(width: 80) == ["tick=100ms  2", "x", "y           bcd"])
    }

    @Test func `says how long nothing came`() {
        var live = LivePicture(style: PictureStyle(signs: .unicode))
        live.add("a", lane: "x", at: tenths(0))
        live.advance(to: tenths(600))
        live.advance(to: tenths(5))
        #expect(
            live.lines(width: 80) == ["tick=100ms  0        600", "x           a─┄59.8s┄─"])
    }

    @Test func `never draws past the width of the terminal`() {
        var random = SeededRandom(seed: 77)
        for _ in 0..<300 {
            var live = LivePicture(
                lanes: ["a lane with a long name", "b"],
                style: PictureStyle(signs: Bool.random(using: &random) ? .ascii : .unicode))
            var time: Int64 = 0
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                time += random.gap(tick: .milliseconds(100))
                let digits = Int.random(in: 1...12, using: &random)
                live.add(
                    String(repeating: "7", count: digits),
                    lane: ["b", "c"].randomElement(using: &random) ?? "b",
                    at: Instant(nanoseconds: time))
            }
            let width = Int.random(in: 1...100, using: &random)
            let lines = live.lines(width: width)
            // Every sign of these pictures is one column wide.
            #expect(lines.allSatisfy { $0.count <= width }, "\(width): \(lines)")
            #expect(lines.count >= 3)
        }
    }

    @Test func `shows the newest event on every terminal of a sane width`() {
        var random = SeededRandom(seed: 78)
        for width in 30...120 {
            var live = LivePicture()
            var time: Int64 = 0
            for _ in 0..<80 {
                time += random.gap(tick: .milliseconds(100))
                live.add(
                    ["1", "22", "333"].randomElement(using: &random) ?? "1", lane: "x",
                    at: Instant(nanoseconds: time))
            }
            live.add("!", lane: "x", at: Instant(nanoseconds: time + 100_000_000))
            #expect(live.lines(width: width)[1].hasSuffix("'!'"))
        }
    }
}
