// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// A rule that answers an effect in place of the world, on the instance's own timeline.
///
///     request        --r--------
///     after 50 ms    -------a---        the answer is an arrival like any other
package struct Stub: Equatable {
    /// What the rule matches.
    package var matcher: Matcher
    /// What it answers: one reply for every request, or a list, one after the other.
    package var replies: [Reply]
    /// A list is used up; a single reply is not.
    package var isSequence: Bool
    /// The rule as it was written, for people.
    package var source: JSONValue

    /// What a rule matches.
    package struct Matcher: Equatable {
        /// The effect's name.
        package var effect: String
        /// For http: the method, or nil for any.
        package var method: String?
        /// For http: a pattern for the whole URL, `*` standing for any run of characters.
        package var url: String?
        /// Members that the request must have, for any effect.
        package var members: JSONObject
    }

    /// What a rule answers.
    package struct Reply: Equatable {
        /// When, after the request, in nanoseconds.
        package var after: Int64
        /// What, or nil for never.
        package var answer: EffectAnswer?
    }

    package func matches(_ effect: String, _ request: JSONValue) -> Bool {
        guard matcher.effect == effect else { return false }
        if let method = matcher.method, request["method"]?.string != method { return false }
        if let pattern = matcher.url {
            guard let url = request["url"]?.string, Glob.matches(pattern, url) else {
                return false
            }
        }
        return matcher.members.members.allSatisfy { request[$0.name] == $0.value }
    }
}

/// Patterns in which `*` stands for any run of characters.
package enum Glob {
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var (p, t) = (0, 0)
        // Where to go on after the last star took one character more: linear in the usual case, and
        // never worse than pattern times text.
        var (star, mark) = (-1, 0)
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                (star, mark) = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == text[t] {
                p += 1
                t += 1
            } else if star >= 0 {
                mark += 1
                (p, t) = (star + 1, mark)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
