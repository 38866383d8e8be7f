// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// Stub rules: a rule says one thing however it is printed, and matches what it names.
///
/// An input is a rule, or a list of a rule and requests.
enum StubSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let json = bytes.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { return }
        let parts = json.array ?? [json]
        guard let rule = parts.first else { return }
        let stub: Stub
        do throws(HostError) { stub = try read(rule) } catch {
            guard case .badValue(let pointer, let expected) = error else {
                throw FuzzFinding("refused with another error: \(error)")
            }
            return try require(pointer.hasPrefix("/s") && !expected.isEmpty, "refused: \(error)")
        }
        try require(stub.source == rule, "it shows as \(stub.source)")
        let printed = try? read(JSONValue(parsing: rule.text))
        try require(printed == stub, "printed it is another rule")
        if stub.partition == nil {
            try require(!stub.replies.isEmpty, "a rule without a reply")
        }
        for request in parts.dropFirst() {
            let matches = stub.matches(stub.matcher.effect, request)
            try require(
                matches == printed?.matches(stub.matcher.effect, request), "it matches by chance")
            try require(!stub.matches(stub.matcher.effect + "x", request), "another effect fits")
        }
        if let pattern = stub.matcher.url { try checkPattern(pattern, rule.text) }
    }

    private static func read(_ rule: JSONValue) throws(HostError) -> Stub {
        try Stub(rule, pointer: "/s") { (value, pointer) throws(HostError) in
            if let ticks = value.int { return ticks }
            if let time = value.string.flatMap({ DurationText.duration(of: $0) }) {
                return time.wholeNanoseconds
            }
            throw .badValue(pointer: pointer, expected: "a time")
        }
    }

    /// The pattern against the rule's own text: by the host's way, and by the table of all ways.
    private static func checkPattern(_ pattern: String, _ text: String) throws(FuzzFinding) {
        let text = String(text.prefix(200))
        let bytes = Array(text.utf8)
        // reach[n]: the pattern so far fits the first n bytes.
        var reach = [true] + [Bool](repeating: false, count: bytes.count)
        for sign in pattern.utf8 {
            var next = [Bool](repeating: false, count: reach.count)
            for index in reach.indices {
                if sign == UInt8(ascii: "*") {
                    next[index] = reach[index] || index > 0 && next[index - 1]
                } else if index > 0 {
                    next[index] = reach[index - 1] && bytes[index - 1] == sign
                }
            }
            reach = next
        }
        try require(
            Glob.matches(pattern, text) == reach[bytes.count], "\(pattern) against \(text)")
    }
}
