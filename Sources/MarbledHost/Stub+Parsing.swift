// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

extension Stub {
    /// Reads a rule as scenario files and `stub.set` write it:
    ///
    ///     {"http": "GET */random*", "reply": {"status": 200, "json": [1], "after": "50ms"}}
    ///     {"http": "*", "reply": {"fail": "refused"}}
    ///     {"random": {"min": 1}, "reply": [{"value": 2}, {"value": 3}, {"never": true}]}
    ///
    /// A rule names an effect and what its request must be: `"*"` or `true` for any, for http `"METHOD URL"`
    /// with `*` for any run of characters, or an object of members. Of a member that is an object, such as
    /// `headers`, those that are named must be there. `body` of http is a text, `{"contains": text}`, or
    /// `{"json": members}`.
    ///
    /// A reply says what, and at most one word of when:
    ///
    /// | word | meaning |
    /// |---|---|
    /// | `status` `headers` `json` `body` | an answer of http |
    /// | `value` | an answer of any effect |
    /// | `fail` `message` | a failure: `refused`, `reset`, `timeout`, or a word of your own |
    /// | `never` | no answer |
    /// | `chunks` | several answers, each with its own `after`, counted from when the first could come |
    /// | `after` | when, from the request on |
    /// | `at` | when, since the instance opened; at once if that is past |
    /// | `latency` | `{"fixed": d}`, or `{"uniform": [d, d]}` drawn by the instance's seed |
    /// | `release` | held under a name until `stub.release`, `release:` in a scenario, or `Harness.release` |
    ///
    /// Scenario files, `stub.set` and `StubRule` in Swift all come through here.
    ///
    /// `pointer` is where it stands; `duration` reads what stands under `after`.
    package init(
        _ json: JSONValue, pointer: String,
        duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) {
        guard case .object(let members) = json else {
            throw .badValue(
                pointer: pointer, expected: "an object such as {\"http\": …, \"reply\": …}")
        }
        let effects = members.members.filter { $0.name != "reply" }
        guard let effect = effects.first, effects.count == 1 else {
            throw .badValue(
                pointer: pointer, expected: "a rule for one effect: {\"http\": …, \"reply\": …}")
        }
        let matcher = try Self.readMatcher(effect, pointer: "\(pointer)/\(effect.name)")
        let place = pointer + "/reply"
        switch json["reply"] {
        case .array(let items)?:
            guard !items.isEmpty else {
                throw .badValue(pointer: place, expected: "a list of at least one answer")
            }
            replies = []
            for (index, item) in items.enumerated() {
                replies.append(try Self.readReply(item, of: matcher, "\(place)/\(index)", duration))
            }
            isSequence = true
        case let reply?:
            replies = [try Self.readReply(reply, of: matcher, place, duration)]
            isSequence = false
        case nil: throw .badValue(pointer: place, expected: "there: what to answer")
        }
        self.matcher = matcher
        source = json
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

    private static let timing = ["after", "at", "latency", "release"]

    private static func readReply(
        _ json: JSONValue, of matcher: Matcher, _ pointer: String,
        _ duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) -> Reply {
        guard case .object(let members) = json else {
            throw .badValue(
                pointer: pointer, expected: "an object such as {\"status\": 200, \"json\": [1]}")
        }
        // Which of its kinds a reply is: what belongs to another kind is no member of this one.
        let kinds: [(mark: String, members: [String])] = [
            ("never", ["never"]), ("fail", ["fail", "message"]), ("chunks", ["chunks"]),
            ("value", ["value"]),
        ]
        let http = ["status", "headers", "json", "body"]
        let kind = kinds.first { json[$0.mark] != nil }
        let known =
            (kind?.members
                ?? (matcher.effect == "http" ? http : ["value", "fail", "never", "chunks"]))
            + timing
        for member in members.members where !known.contains(member.name) {
            let others = kind == nil ? known + kinds.map(\.mark) : known
            let hint =
                NearestName.find(member.name, among: others).map { "; did you mean \($0)?" } ?? ""
            throw .badValue(
                pointer: "\(pointer)/\(member.name)",
                expected: "one of " + known.joined(separator: ", ") + hint)
        }
        var reply = try readTiming(json, pointer, duration)
        try readAnswer(json, kind?.mark, of: matcher, pointer, duration, into: &reply)
        return reply
    }

    /// When: at most one word of it.
    private static func readTiming(
        _ json: JSONValue, _ pointer: String,
        _ duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) -> Reply {
        var reply = Reply(after: 0, answer: nil)
        let given = timing.filter { json[$0] != nil }
        guard given.count <= 1 else {
            throw .badValue(
                pointer: "\(pointer)/\(given[1])", expected: "absent beside \"\(given[0])\"")
        }
        func time(_ value: JSONValue, _ place: String) throws(HostError) -> Int64 {
            let time = try duration(value, place)
            guard time >= 0 else { throw .badValue(pointer: place, expected: "zero or more") }
            return time
        }
        if let after = json["after"] { reply.after = try time(after, pointer + "/after") }
        if let at = json["at"] { reply.at = try time(at, pointer + "/at") }
        if let latency = json["latency"] {
            let place = pointer + "/latency"
            if let fixed = latency["fixed"], latency.object?.count == 1 {
                reply.after = try time(fixed, place + "/fixed")
            } else if let range = latency["uniform"]?.array, range.count == 2,
                latency.object?.count == 1
            {
                reply.after = try time(range[0], place + "/uniform/0")
                reply.spread = try time(range[1], place + "/uniform/1") - reply.after
                guard reply.spread >= 0 else {
                    throw .badValue(
                        pointer: place + "/uniform/1", expected: "at least the number before it")
                }
            } else {
                throw .badValue(
                    pointer: place,
                    expected: "{\"fixed\": 50} or {\"uniform\": [20, 80]}")
            }
        }
        if let name = json["release"] {
            guard let name = name.string, !name.isEmpty else {
                throw .badValue(pointer: pointer + "/release", expected: "a name")
            }
            reply.release = name
        }
        return reply
    }

    /// What.
    private static func readAnswer(
        _ json: JSONValue, _ kind: String?, of matcher: Matcher, _ pointer: String,
        _ duration: (JSONValue, String) throws(HostError) -> Int64, into reply: inout Reply
    ) throws(HostError) {
        switch kind {
        case "never"?:
            guard json["never"] == true else {
                throw .badValue(pointer: pointer + "/never", expected: "true")
            }
            guard timing.allSatisfy({ json[$0] == nil }) else {
                throw .badValue(pointer: pointer + "/never", expected: "alone: it has no time")
            }
        case "fail"?:
            guard let kind = json["fail"]?.string else {
                throw .badValue(pointer: pointer + "/fail", expected: "a word such as \"refused\"")
            }
            guard let message = (json["message"] ?? "a stub answered so").string else {
                throw .badValue(pointer: pointer + "/message", expected: "text")
            }
            reply.answer = .failure(kind: kind, message: message)
        case "value"?: reply.answer = .json(json["value"] ?? .null)
        case "chunks"?: reply.chunks = try readChunks(json, of: matcher, pointer, duration)
        default:
            guard matcher.effect == "http" else {
                throw .badValue(pointer: pointer + "/value", expected: "there: what to answer")
            }
            reply.answer = .json(try httpAnswer(json, pointer))
        }
    }

    private static func readChunks(
        _ json: JSONValue, of matcher: Matcher, _ pointer: String,
        _ duration: (JSONValue, String) throws(HostError) -> Int64
    ) throws(HostError) -> [TimedAnswer] {
        let place = pointer + "/chunks"
        guard let items = json["chunks"]?.array, !items.isEmpty else {
            throw .badValue(pointer: place, expected: "a list of at least one answer")
        }
        var chunks: [TimedAnswer] = []
        for (index, item) in items.enumerated() {
            let here = "\(place)/\(index)"
            let reply = try readReply(item, of: matcher, here, duration)
            guard let answer = reply.answer, reply.at == nil, reply.release == nil,
                reply.spread == 0
            else {
                throw .badValue(pointer: here, expected: "one answer or failure, with \"after\"")
            }
            guard reply.after >= chunks.last?.after ?? 0 else {
                throw .badValue(
                    pointer: here + "/after", expected: "not before the chunk before it")
            }
            let isLast = index == items.count - 1
            chunks.append(TimedAnswer(after: reply.after, isLast ? answer : answer.part))
        }
        return chunks
    }

    private static func httpAnswer(
        _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> JSONValue {
        guard let status = (json["status"] ?? .int(200)).int, (100...599).contains(status) else {
            throw .badValue(pointer: pointer + "/status", expected: "a status from 100 to 599")
        }
        var answer: [(String, JSONValue)] = [("status", .int(status))]
        if let headers = json["headers"] {
            guard let object = headers.object,
                object.members.allSatisfy({ $0.value.string != nil })
            else { throw .badValue(pointer: pointer + "/headers", expected: "an object of texts") }
            answer.append(("headers", headers))
        }
        if let body = json["json"] {
            guard json["body"] == nil else {
                throw .badValue(pointer: pointer + "/body", expected: "absent beside \"json\"")
            }
            answer.append(("body", .string(body.text)))
        } else if let body = json["body"] {
            guard case .string = body else {
                throw .badValue(pointer: pointer + "/body", expected: "text; for JSON use \"json\"")
            }
            answer.append(("body", body))
        }
        return .object(answer)
    }
}
