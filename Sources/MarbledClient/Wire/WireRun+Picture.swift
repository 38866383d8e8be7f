// SPDX-License-Identifier: Apache-2.0

extension WireRun.Failure {
    /// What was wrong, in a sentence.
    package var sentence: String {
        let who = client == WireScript.onlyClient ? "" : " for \(client)"
        let what =
            switch fault {
            case .differs: "another line came\(who)"
            case .silence: "nothing came\(who) in the time allowed"
            case .ended: "the daemon closed the connection\(who)"
            case .unexpected: "a line came\(who) that the script does not tell of"
            case .stuck: "the daemon does not read what is sent\(who)"
            case .cannotConnect(let reason): reason
            }
        return "line \(line): \(what)"
    }

    /// The expected line above the one that came, and a caret below the first difference. Long lines
    /// are cut down to its surroundings.
    package var picture: [String] {
        switch fault {
        case .silence(let expected), .ended(let expected): ["expected  \(expected.printable)"]
        case .unexpected(let line): ["actual    \(Self.text(line[...]))"]
        case .stuck, .cannotConnect: []
        case .differs(let actual, let matched, let expected):
            Self.compare(actual, matched, expected)
        }
    }

    private static let before = 60
    private static let behind = 60

    private static func compare(
        _ actual: [UInt8], _ matched: Int, _ expected: String
    ) -> [String] {
        // Not within a character.
        var start = max(0, matched - before)
        while start < matched, actual[start] & 0xC0 == 0x80 { start += 1 }
        var matched = matched
        while matched > start, matched < actual.count, actual[matched] & 0xC0 == 0x80 {
            matched -= 1
        }
        let alike = (start > 0 ? "…" : "") + text(actual[start..<matched])
        let wanted = expected.printable
        return [
            "expected  \(alike)\(clipped(wanted))",
            "actual    \(alike)\(clipped(text(actual[matched...])))",
            "          \(String(repeating: " ", count: alike.columns))^",
        ]
    }

    private static func clipped(_ text: String) -> String {
        text.count > behind ? "\(text.prefix(behind))…" : text
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).printable
    }
}
