// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

extension Partition {
    private static let words = ["partition", "with", "from", "heal", "waiting", "name"]

    /// Reads `{"partition": "*.example", "with": "never", "from": 100, "heal": 500, "name": "cable"}`.
    init(
        _ json: JSONObject, pointer: String,
        duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) {
        for member in json.members where !Self.words.contains(member.name) {
            throw .unknownWord(member.name, at: pointer, among: Self.words)
        }
        guard let host = json["partition"]?.string, !host.isEmpty, !host.contains("/") else {
            throw .badValue(
                pointer: pointer + "/partition", expected: "a pattern for a host, such as *.example"
            )
        }
        guard host.utf8.count <= Glob.longest else {
            throw .badValue(
                pointer: pointer + "/partition",
                expected: "a pattern for a host of at most \(Glob.longest) bytes")
        }
        self.host = host
        name = host
        if let fault = json["with"] {
            self.fault = try Self.word(fault, pointer + "/with")
        }
        if let waiting = json["waiting"] {
            guard fault == .never else {
                throw .badValue(
                    pointer: pointer + "/waiting",
                    expected: "allowed: only with \"never\" does a request wait")
            }
            self.waiting = try Self.word(waiting, pointer + "/waiting")
        }
        if let from = json["from"] {
            self.from = try duration(from, pointer + "/from")
            guard self.from >= 0 else {
                throw .badValue(pointer: pointer + "/from", expected: "zero or more")
            }
        }
        if let value = json["heal"] {
            let heal = try duration(value, pointer + "/heal")
            guard heal > from else {
                throw .badValue(pointer: pointer + "/heal", expected: "later than it begins")
            }
            self.heal = heal
        }
        if let value = json["name"] {
            guard let name = value.string, !name.isEmpty else {
                throw .badValue(pointer: pointer + "/name", expected: "a name")
            }
            self.name = name
        }
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> Word where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        guard let text = json.string else {
            throw .badValue(pointer: pointer, expected: "one of " + words.joined(separator: ", "))
        }
        guard let word = Word(rawValue: text) else {
            throw .badValue(
                pointer: pointer,
                expected: "one of " + words.joined(separator: ", ")
                    + HostError.hint(text, among: words))
        }
        return word
    }
}

extension HostError {
    /// A word where others are known: which, and the one that was probably meant.
    static func unknownWord(
        _ word: String, at pointer: String, among known: [String], meant: [String]? = nil
    ) -> HostError {
        .badValue(
            pointer: "\(pointer)/\(word)",
            expected: "one of " + known.joined(separator: ", ")
                + hint(word, among: meant ?? known))
    }

    /// `; did you mean after?`, or nothing.
    static func hint(_ word: String, among known: [String]) -> String {
        NearestName.find(word, among: known).map { "; did you mean \($0)?" } ?? ""
    }
}
