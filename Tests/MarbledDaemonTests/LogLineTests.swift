// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import Testing

/// What is logged, as it stands in the log.
@Suite struct LogLineTests {
    @Test(arguments: [
        ("as it is: ä ⏎ 🙂", "as it is: ä ⏎ 🙂"), ("", ""),
        ("two\nlines", "two ⏎ lines"), ("\n\ntwo\n\nlines\n", "two ⏎ lines"),
        ("x\r\n<0>kernel: forged", "x ⏎ <0>kernel: forged"),
        ("x\r<0>kernel: forged", "x ⏎ <0>kernel: forged"),
        ("x\u{85}y\u{2028}z", "x ⏎ y ⏎ z"),
        ("red: \u{1B}[31m", "red: ␛[31m"), ("a\tb\u{0}c\u{7F}\u{9B}", "a b␀c␡\u{FFFD}"),
    ])
    func `each message is one line and tells the terminal nothing`(
        _ text: String, _ line: String
    ) {
        #expect(LogLine.oneLine(text) == line)
    }
}
