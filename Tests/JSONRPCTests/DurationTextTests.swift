// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct DurationTextTests {
    @Test(
        arguments: [
            ("300ms", 300_000_000), ("1.5s", 1_500_000_000), ("10us", 10_000),
            ("2m", 120_000_000_000),
            ("1h", 3_600_000_000_000), ("7ns", 7), ("0s", 0), ("0.000000001s", 1), ("0.5us", 500),
            ("0.1h", 360_000_000_000), ("1.10ns", nil), ("2.0ns", 2), ("0.0000000005m", 30),
            ("0.00000000005m", 3), ("9223372036854775807ns", .max), ("9223372036.854775807s", .max),
        ] as [(String, Int64?)])
    func `durations are exact`(_ text: String, _ nanoseconds: Int64?) {
        #expect(DurationText.nanoseconds(text.utf8) == nanoseconds)
    }

    @Test(arguments: [
        "", "s", "ms", "5", "1.s", ".5s", "1..5s", "1.5.5s", "-1s", "+1s", "1 s", " 1s", "1s ",
        "1S",
        "1sec", "1msx", "1d", "1e3s", "1s2", "1\u{0}s", "1\u{0}2s", "0.5ns", "0.0000000001s",
        "9223372036854775808ns", "9223372036.854775808s", "2562048h", "99999999999999999999s",
        "1s1ms", "1µs", "0x1s",
    ])
    func `anything else is refused`(_ text: String) {
        #expect(DurationText.nanoseconds(text.utf8) == nil)
    }
}
