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
    /// Lets answers to consecutive requests come in another order than they were asked.
    package var reorder: Reorder?
    /// Cuts requests off in place of answering them; then there are no replies.
    package var partition: Partition?

    /// What a rule matches.
    package struct Matcher: Equatable {
        /// The effect's name.
        package var effect: String
        /// For http: the method, or nil for any.
        package var method: String?
        /// For http: a pattern for the whole URL, `*` standing for any run of characters.
        package var url: String?
        /// For http: what the body must be.
        package var body: Body?
        /// Members that the request must have, for any effect; of an object those that are named.
        package var members: JSONObject
    }

    /// What the body of a request must be.
    package enum Body: Equatable {
        /// This text.
        case text(String)
        /// A text that has this in it.
        case contains(String)
        /// JSON that has these members.
        case json(JSONValue)

        func matches(_ text: String) -> Bool {
            switch self {
            case .text(let wanted): text == wanted
            case .contains(let part): part.isEmpty || text.contains(part)
            case .json(let wanted):
                (try? JSONValue(parsing: text)).map { Stub.holds($0, wanted) } ?? false
            }
        }
    }

    /// In which order answers come: those of `window` consecutive requests wait for each other, and then come
    /// in an order drawn by the instance's seed, which is not the one asked in.
    ///
    ///     requests    -a-b------c---------
    ///     answers     ---(ba)-------------      window 2: c waits for another
    package struct Reorder: Equatable {
        package var window: Int
        /// How long a window that is not full waits, from its first request on; nil for ever.
        package var within: Int64?
    }

    package func matches(_ effect: String, _ request: JSONValue) -> Bool {
        guard matcher.effect == effect else { return false }
        if let method = matcher.method, request["method"]?.string != method { return false }
        if let pattern = matcher.url {
            guard let url = request["url"]?.string, Glob.matches(pattern, url) else {
                return false
            }
        }
        if let body = matcher.body {
            guard let text = request["body"]?.string, body.matches(text) else { return false }
        }
        return matcher.members.members.allSatisfy { member in
            request[member.name].map { Self.holds($0, member.value) } ?? false
        }
    }

    /// Whether `value` is `wanted`, an object's further members aside.
    static func holds(_ value: JSONValue, _ wanted: JSONValue) -> Bool {
        guard case .object(let members) = wanted, case .object = value else {
            return value == wanted
        }
        return members.members.allSatisfy { member in
            value[member.name].map { holds($0, member.value) } ?? false
        }
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
