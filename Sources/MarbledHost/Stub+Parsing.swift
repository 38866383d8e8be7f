// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

extension Stub {
    /// The words of a rule beside its effect.
    private static let words = ["reply", "reorder"]

    /// Reads a rule as scenario files and `stub.set` write it:
    ///
    ///     {"http": "GET */random*", "reply": {"status": 200, "json": [1], "after": "50ms"}}
    ///     {"http": "*", "reply": {"fail": "refused"}}
    ///     {"random": {"min": 1}, "reply": [{"value": 2}, {"value": 3}, {"never": true}]}
    ///     {"partition": "*.example", "heal": "500ms"}
    ///
    /// A rule names an effect and what its request must be: `"*"` or `true` for any, for http `"METHOD URL"`
    /// with `*` for any run of characters, or an object of members. Of a member that is an object, such as
    /// `headers`, those that are named must be there. `body` of http is a text, `{"contains": text}`, or
    /// `{"json": members}`. A reply says what, and at most one word of when.
    ///
    /// The table of all words, with an example of each in YAML and in Swift, is the page *Stubs* of the
    /// documentation. Scenario files, `stub.set` and `StubRule` in Swift all come through here.
    ///
    /// `pointer` is where it stands; `duration` reads what stands under `after`.
    package init(
        _ json: JSONValue, pointer: String,
        duration: @escaping (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) {
        guard case .object(let members) = json else {
            throw .badValue(
                pointer: pointer, expected: "an object such as {\"http\": …, \"reply\": …}")
        }
        source = json
        if json["partition"] != nil {
            partition = try Partition(members, pointer: pointer, duration: duration)
            matcher = Matcher(effect: "http", method: nil, url: nil, members: JSONObject())
            replies = []
            isSequence = false
            return
        }
        let effects = members.members.filter { !Self.words.contains($0.name) }
        guard let effect = effects.first, effects.count == 1 else {
            // One of them may be a word that was mistyped.
            for member in effects where NearestName.find(member.name, among: Self.words) != nil {
                throw .unknownWord(member.name, at: pointer, among: Self.words)
            }
            throw .badValue(
                pointer: pointer, expected: "a rule for one effect: {\"http\": …, \"reply\": …}")
        }
        let matcher = try Self.readMatcher(effect, pointer: "\(pointer)/\(effect.name)")
        let place = pointer + "/reply"
        let reader = StubReplyReader(effect: matcher.effect, duration: duration)
        switch json["reply"] {
        case .array(let items)?:
            guard !items.isEmpty else {
                throw .badValue(pointer: place, expected: "a list of at least one answer")
            }
            replies = []
            for (index, item) in items.enumerated() {
                replies.append(try reader.read(item, "\(place)/\(index)"))
            }
            isSequence = true
        case let reply?:
            replies = [try reader.read(reply, place)]
            isSequence = false
        case nil:
            let hint = HostError.hint(effect.name, among: ["partition"])
            throw .badValue(pointer: place, expected: "there: what to answer\(hint)")
        }
        self.matcher = matcher
        if let reorder = json["reorder"] {
            self.reorder = try Self.readReorder(reorder, pointer: pointer + "/reorder", duration)
            guard replies.allSatisfy({ $0.release == nil }) else {
                throw .badValue(
                    pointer: pointer + "/reorder", expected: "allowed beside \"release\"")
            }
        }
    }

    /// `2`, or `{"window": 2, "within": 50}`.
    private static func readReorder(
        _ json: JSONValue, pointer: String,
        _ duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) -> Reorder {
        let known = ["window", "within"]
        for member in json.object?.members ?? [] where !known.contains(member.name) {
            throw .unknownWord(member.name, at: pointer, among: known)
        }
        guard let window = (json["window"] ?? json).int, (2...100).contains(window) else {
            throw .badValue(
                pointer: json.object == nil ? pointer : pointer + "/window",
                expected: "a number of requests from 2 to 100")
        }
        guard let value = json["within"] else { return Reorder(window: Int(window)) }
        let within = try duration(value, pointer + "/within")
        guard within >= 0 else {
            throw .badValue(pointer: pointer + "/within", expected: "zero or more")
        }
        return Reorder(window: Int(window), within: within)
    }

    private static func readMatcher(
        _ rule: (name: String, value: JSONValue), pointer: String
    ) throws(HostError) -> Matcher {
        var matcher = Matcher(effect: rule.name, method: nil, url: nil, members: JSONObject())
        switch rule.value {
        case .null, .bool(true), .string("*"):
            break
        case .string(let text) where rule.name == "http":
            let words = text.split(separator: " ").map(String.init)
            guard words.count <= 2, let last = words.last else {
                throw .badValue(
                    pointer: pointer, expected: "\"METHOD URL-PATTERN\" or \"URL-PATTERN\"")
            }
            matcher.url = last == "*" ? nil : last
            if words.count == 2, words[0] != "*" { matcher.method = words[0] }
        case .object(let members):
            for member in members.members {
                switch (rule.name, member.name, member.value) {
                case ("http", "method", .string(let method)): matcher.method = method
                case ("http", "url", .string(let url)): matcher.url = url
                case ("http", "body", let body):
                    matcher.body = try readBody(body, pointer: pointer + "/body")
                default: matcher.members[member.name] = member.value
                }
            }
        default:
            throw .badValue(
                pointer: pointer, expected: "a pattern: text, an object of members, or true")
        }
        guard matcher.url?.utf8.count ?? 0 <= Glob.longest else {
            throw .badValue(
                pointer: rule.value.string == nil ? pointer + "/url" : pointer,
                expected: "a URL pattern of at most \(Glob.longest) bytes; `*` stands for the rest")
        }
        return matcher
    }

    private static func readBody(
        _ json: JSONValue, pointer: String
    ) throws(HostError) -> Body {
        if let text = json.string { return .text(text) }
        if json.object?.count == 1 {
            if let part = json["contains"]?.string { return .contains(part) }
            if let members = json["json"] { return .json(members) }
        }
        throw .badValue(
            pointer: pointer, expected: "text, {\"contains\": text} or {\"json\": members}")
    }
}
