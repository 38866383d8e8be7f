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
    /// Bytes of a pattern; who reads one refuses a longer one.
    package static let longest = 1_024

    /// Whether the whole of `text` is what `pattern` says. Looks at each byte a few times at most: what
    /// stands between two stars is looked for behind what was found before, and the first place is as
    /// good as any later one.
    package static func matches(_ pattern: String, _ text: String) -> Bool {
        let pieces = Array(pattern.utf8).split(
            separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
        var rest = Array(text.utf8)[...]
        guard rest.starts(with: pieces[0]) else { return false }
        guard pieces.count > 1 else { return rest.count == pieces[0].count }
        rest = rest.dropFirst(pieces[0].count)
        let last = pieces[pieces.count - 1]
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let end = self.end(of: piece, in: rest) else { return false }
            rest = rest[end...]
        }
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }

    /// Where the first `piece` in `text` ends. (Knuth, Morris and Pratt 1977.)
    private static func end(of piece: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Int? {
        let piece = Array(piece)
        // How much of the piece still fits when the byte behind so much of it does not.
        var fallback = [0]
        var fits = 0
        for byte in piece.dropFirst() {
            while fits > 0, piece[fits] != byte { fits = fallback[fits - 1] }
            if piece[fits] == byte { fits += 1 }
            fallback.append(fits)
        }
        fits = 0
        for (index, byte) in zip(text.indices, text) {
            while fits > 0, piece[fits] != byte { fits = fallback[fits - 1] }
            if piece[fits] == byte { fits += 1 }
            if fits == piece.count { return index + 1 }
        }
        return nil
    }
}
