// SPDX-License-Identifier: Apache-2.0

import MarbledClient
import Testing

@Suite struct `A table` {
    @Test func `makes columns as wide as what stands in them`() {
        var table = Table("INSTANCE", ">NOW", "STATE")
        table.add("i1", "30ms", "open")
        table.add("a-longer-name", "0s", "failed")
        #expect(
            table.lines(Look(), placeholder: "none") == [
                "INSTANCE        NOW  STATE", "i1             30ms  open",
                "a-longer-name    0s  failed",
            ])
    }

    @Test func `counts wide characters as terminals do`() {
        var table = Table("A", "B")
        table.add("日本", "x")
        table.add("e\u{301}", "y")
        table.add("👨‍👩‍👧", "z")
        #expect(
            table.lines(Look(), placeholder: "") == [
                "A     B", "日本  x", "e\u{301}     y", "👨‍👩‍👧    z",
            ])
    }

    @Test func `cuts lines at the terminal's edge`() {
        var table = Table("A", "B")
        table.add("日本", "a long text")
        #expect(table.lines(Look(width: 10), placeholder: "") == ["A     B", "日本  a l…"])
        #expect(table.lines(Look(width: 4), placeholder: "") == ["A  …", "日…"])
    }

    @Test func `lets nothing steer the terminal`() {
        var table = Table("A")
        table.add("\u{1B}[2J\r\nboo\u{7F}")
        #expect(table.lines(Look(), placeholder: "") == ["A", "\\u{1B}[2J\\r\\nboo\\u{7F}"])
    }

    @Test func `says that it is empty`() {
        #expect(Table("A").lines(Look(), placeholder: "no instances") == ["no instances"])
    }

    @Test func `leaves headings out that are empty`() {
        var table = Table("", "")
        table.add("pid", "7")
        #expect(table.lines(Look(), placeholder: "") == ["pid  7"])
    }

    @Test func `colours its headings and nothing else`() {
        var table = Table("A")
        table.add("x")
        #expect(
            table.lines(Look(ink: Ink(isOn: true)), placeholder: "")
                == ["\u{1B}[1mA\u{1B}[0m", "x"])
    }
}

@Suite struct `The width of text` {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("👍🏽", 2), ("❤️", 2),
        ("\u{200B}", 0), ("\u{1B}[1;31mred\u{1B}[0m", 3),
    ])
    func `is in columns`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `is never passed when text is clipped`() {
        for width in 0...12 {
            let text = "a日b本👍c".clipped(to: width)
            #expect(text.columns <= width)
        }
        #expect("abc".clipped(to: 3) == "abc")
    }
}

@Suite struct `Quantities` {
    @Test(
        arguments: [
            (0, "0s"), (10_000_000, "10ms"), (1_500_000_000, "1.5s"), (90_000_000_000, "90s"),
            (47_812_345_678, "47.812s"), (1_234_567, "1.235ms"), (12_345, "12.345us"), (7, "7ns"),
            (.max, "9223372036.854s"),
            (.min, "-9223372036.854s"), (-1_234_567, "-1.235ms"), (999_999_999, "1s"),
        ] as [(Int64, String)])
    func `of time are rounded only where they must be`(nanoseconds: Int64, text: String) {
        #expect(Quantity.time(nanoseconds) == text)
    }

    @Test(
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (12_897_485, "12.3 MiB"),
            (Int64.max, "8388608.0 TiB"),
        ] as [(Int64, String)])
    func `of bytes have binary units`(count: Int64, text: String) {
        #expect(Quantity.bytes(count) == text)
    }

    @Test(
        arguments: [(5, "5s"), (192, "3m 12s"), (7260, "2h 1m"), (187_200, "2d 4h")]
            as [(Int64, String)])
    func `of age show two units`(seconds: Int64, text: String) {
        #expect(Quantity.age(seconds * 1_000_000_000) == text)
    }
}

@Suite struct `A live screen` {
    @Test func `draws over what it drew before`() {
        var screen = LiveScreen()
        let first = screen.draw(["a", "b"], width: 80, height: 24)
        #expect(!first.contains("A"))
        #expect(first.contains("a\u{1B}[K\nb\u{1B}[K\n"))
        #expect(screen.draw(["c"], width: 80, height: 24).contains("\r\u{1B}[2A"))
        #expect(screen.draw([], width: 80, height: 24).contains("\r\u{1B}[1A"))
    }

    @Test func `knows that a narrower terminal has broken its lines`() {
        var screen = LiveScreen()
        _ = screen.draw(["\u{1B}[1m123456789\u{1B}[0m", "", "12"], width: 80, height: 24)
        // 9 columns on 4 are three rows; the empty line and the short one are a row each.
        #expect(screen.draw([], width: 4, height: 24).contains("\r\u{1B}[5A"))
    }

    @Test func `never draws more than the terminal can show`() {
        var screen = LiveScreen()
        let text = screen.draw((0..<50).map { "\($0)" }, width: 80, height: 10)
        #expect(text.split(separator: "\n").count == 10)
        #expect(screen.draw([], width: 80, height: 10).contains("\r\u{1B}[9A"))
    }

    @Test func `gives the cursor back, once`() {
        var screen = LiveScreen()
        #expect(screen.end() == "")
        _ = screen.draw(["a"], width: 80, height: 24)
        #expect(screen.end() == "\u{1B}[?25h")
        #expect(screen.end() == "")
    }
}
