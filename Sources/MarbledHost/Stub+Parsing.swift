// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

extension Stub {
    /// Reads a rule as scenario files and `stub.set` write it:
    ///
    ///     {"http": "GET */random*", "reply": {"status": 200, "json": [1], "after": "50ms"}}
    ///     {"http": "*", "reply": {"fail": "refused"}}
    ///     {"random": {"min": 1}, "reply": [{"value": 2}, {"value": 3}, {"never": true}]}
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
                default: matcher.members[member.name] = member.value
                }
            }
        default:
            throw .badValue(
                pointer: pointer, expected: "a pattern: text, an object of members, or true")
        }
        return matcher
    }

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
            ("never", ["never"]), ("fail", ["fail", "message"]), ("value", ["value"]),
        ]
        let http = ["status", "headers", "json", "body"]
        let kind = kinds.first { json[$0.mark] != nil }
        let known = kind?.members ?? (matcher.effect == "http" ? http : ["value", "fail", "never"])
        for member in members.members where member.name != "after" && !known.contains(member.name) {
            throw .badValue(
                pointer: "\(pointer)/\(member.name)",
                expected: "one of " + (known + ["after"]).joined(separator: ", "))
        }
        let after =
            try json["after"].map { after throws(HostError) in
                try duration(after, pointer + "/after")
            } ?? 0
        guard after >= 0 else {
            throw .badValue(pointer: pointer + "/after", expected: "zero or more")
        }
        switch kind?.mark {
        case "never"?:
            guard json["never"] == true else {
                throw .badValue(pointer: pointer + "/never", expected: "true")
            }
            return Reply(after: after, answer: nil)
        case "fail"?:
            guard let kind = json["fail"]?.string else {
                throw .badValue(pointer: pointer + "/fail", expected: "a word such as \"refused\"")
            }
            guard let message = (json["message"] ?? "a stub answered so").string else {
                throw .badValue(pointer: pointer + "/message", expected: "text")
            }
            return Reply(after: after, answer: .failure(kind: kind, message: message))
        case "value"?: return Reply(after: after, answer: .json(json["value"] ?? .null))
        default:
            guard matcher.effect == "http" else {
                throw .badValue(pointer: pointer + "/value", expected: "there: what to answer")
            }
            return Reply(after: after, answer: .json(try httpAnswer(json, pointer)))
        }
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
