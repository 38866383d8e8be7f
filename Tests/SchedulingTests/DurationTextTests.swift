// SPDX-License-Identifier: Apache-2.0

import Scheduling
import TestSupport
import Testing

@Suite struct `The text of a duration` {
    @Test(arguments: [
        ("7ns", 7), ("10us", 10_000), ("10µs", 10_000), ("5ms", 5_000_000),
        ("1.5s", 1_500_000_000), ("0.000000001s", 1), ("1.500s", 1_500_000_000),
        ("2m", 120_000_000_000), ("0.5m", 30_000_000_000), ("1h", 3_600_000_000_000),
        ("0.1h", 360_000_000_000), ("1.000000000000h", 3_600_000_000_000), ("0s", 0),
        ("007ms", 7_000_000), ("9223372036854775807ns", Int64.max), ("300ms", 300_000_000),
        ("0.5us", 500), ("2.0ns", 2), ("0.0000000005m", 30), ("0.00000000005m", 3),
        ("9223372036.854775807s", Int64.max),
    ])
    func `is read exactly`(text: String, nanoseconds: Int64) {
        #expect(DurationText.duration(of: text) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        "", "5", "ms", "-5ms", "+5ms", "5 ms", "5 MS", "5MS", "1e3ms", ".5s", "5.s", "1.5.5s",
        "1.5ns",
        "s", "1..5s", " 1s", "1s ", "1sec", "1msx", "1e3s", "1s2", "1\u{0}s", "1\u{0}2s", "0.5ns",
        "1.10ns", "9223372036.854775808s", "99999999999999999999s", "1s1ms", "0x1s", "1ßs",
        "0.0000000001s", "5d", "5mss", "٣ms", "9223372036854775808ns", "2562048h", "1_000ms",
    ])
    func `is refused when it is anything else`(text: String) {
        #expect(DurationText.duration(of: text) == nil)
    }

    @Test(arguments: [
        (0, "0s"), (1, "1ns"), (999, "999ns"), (1500, "1.5us"), (1_234_567, "1.234567ms"),
        (1_050_000, "1.05ms"), (1_000_000_001, "1.000000001s"), (90_000_000_000, "90s"),
        (90_500_000_000, "90.5s"),
        (120_000_000_000, "2m"), (5_400_000_000_000, "90m"), (7_200_000_000_000, "2h"),
        (-1_500_000, "-1.5ms"), (Int64.max, "9223372036.854775807s"),
        (Int64.min, "-9223372036.854775808s"),
    ])
    func `is printed in the largest unit that says it`(nanoseconds: Int64, text: String) {
        #expect(DurationText.text(of: .nanoseconds(nanoseconds)) == text)
    }

    @Test func `reads back as what was printed`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let bits = Int.random(in: 1...63, using: &random)
            let scale: Int64 = [1, 1000, 1_000_000, 500_000_000].randomElement(using: &random) ?? 1
            let (value, overflow) = (Int64.random(in: 0..<(.max), using: &random) >> (63 - bits))
                .multipliedReportingOverflow(by: scale)
            guard !overflow else { continue }
            let text = DurationText.text(of: .nanoseconds(value))
            #expect(DurationText.duration(of: text) == .nanoseconds(value), "\(text)")
        }
    }
}
