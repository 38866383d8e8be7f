// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// Reads what a rule answers: one kind of answer, and at most one word of when.
struct StubReplyReader {
    /// The effect that the rule is for.
    let effect: String
    /// Reads what stands under `after` and the like.
    let duration: (JSONValue, String) throws(HostError) -> Int64

    /// Which of its kinds a reply is: what belongs to another kind is no member of this one.
    private enum Kind: String, CaseIterable {
        case never
        case fail
        case chunks
        case value
        case reset
        case empty
        case malformed

        func members(isHTTP: Bool) -> [String] {
            switch self {
            case .never: ["never"]
            case .fail: ["fail", "message"]
            case .chunks: ["chunks"] + (isHTTP ? ["status", "headers"] : [])
            case .value: ["value", "duplicate"]
            case .reset: ["reset"] + (isHTTP ? StubReplyReader.http : [])
            case .empty: ["empty", "status", "headers", "duplicate"]
            case .malformed:
                ["malformed"] + (isHTTP ? ["status", "headers"] : []) + ["duplicate"]
            }
        }
    }

    private static let timing = ["after", "at", "latency", "release"]
    private static let http = ["status", "headers", "json", "body"]
    /// More bytes of a body than these are drawn for nobody.
    private static let drawnBytes = 1 << 20

    private var isHTTP: Bool { effect == "http" }

    func read(_ json: JSONValue, _ pointer: String) throws(HostError) -> Stub.Reply {
        guard case .object(let members) = json else {
            throw .badValue(
                pointer: pointer, expected: "an object such as {\"status\": 200, \"json\": [1]}")
        }
        let kinds = Kind.allCases.filter { isHTTP || $0 != .empty }
        let kind = kinds.first { json[$0.rawValue] != nil }
        let marks = kinds.map(\.rawValue)
        let known =
            (kind?.members(isHTTP: isHTTP) ?? (isHTTP ? Self.http + ["duplicate"] : marks))
            + Self.timing
        for member in members.members where !known.contains(member.name) {
            throw .unknownWord(
                member.name, at: pointer, among: known, meant: kind == nil ? known + marks : known)
        }
        var reply = try readTiming(json, pointer)
        try readAnswer(json, kind, pointer, into: &reply)
        if let copies = json["duplicate"] {
            guard let count = copies.int, (2...100).contains(count) else {
                throw .badValue(
                    pointer: pointer + "/duplicate", expected: "a number of answers from 2 to 100")
            }
            reply.copies = Int(count)
        }
        return reply
    }

    /// When: at most one word of it.
    private func readTiming(
        _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> Stub.Reply {
        var reply = Stub.Reply(after: 0, answer: nil)
        let given = Self.timing.filter { json[$0] != nil }
        guard given.count <= 1 else {
            throw .badValue(
                pointer: "\(pointer)/\(given[1])", expected: "allowed beside \"\(given[0])\"")
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
    private func readAnswer(
        _ json: JSONValue, _ kind: Kind?, _ pointer: String, into reply: inout Stub.Reply
    ) throws(HostError) {
        switch kind {
        case .never?:
            try requireTrue(json, "never", pointer)
            guard Self.timing.allSatisfy({ json[$0] == nil }) else {
                throw .badValue(pointer: pointer + "/never", expected: "alone: it has no time")
            }
        case .fail?:
            guard let kind = json["fail"]?.string else {
                throw .badValue(pointer: pointer + "/fail", expected: "a word such as \"refused\"")
            }
            guard let message = (json["message"] ?? "a stub answered so").string else {
                throw .badValue(pointer: pointer + "/message", expected: "text")
            }
            reply.answer = .failure(kind: kind, message: message)
        case .value?: reply.answer = .json(json["value"] ?? .null)
        case .chunks?: try readChunks(json, pointer, into: &reply)
        case .reset?: reply.shape = try readReset(json, pointer)
        case .empty?:
            try requireTrue(json, "empty", pointer)
            var answer = try httpHead(json, pointer)
            answer["body"] = ""
            reply.answer = .json(.object(answer))
        case .malformed?: try readMalformed(json, pointer, into: &reply)
        case nil:
            guard isHTTP else {
                throw .badValue(pointer: pointer + "/value", expected: "there: what to answer")
            }
            var answer = try httpHead(json, pointer)
            if let body = try httpBody(json, pointer) { answer["body"] = .string(body) }
            reply.answer = .json(.object(answer))
        }
    }

    private func requireTrue(
        _ json: JSONValue, _ word: String, _ pointer: String
    ) throws(HostError) {
        guard json[word] == true else {
            throw .badValue(pointer: "\(pointer)/\(word)", expected: "true")
        }
    }

    // MARK: Faults

    private func readReset(
        _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> Stub.Shape {
        let place = pointer + "/reset"
        if json["reset"] == true {
            for word in Self.http where json[word] != nil {
                throw .badValue(
                    pointer: "\(pointer)/\(word)",
                    expected: "allowed: nothing comes before this reset; "
                        + "give it as {\"after\": bytes}")
            }
            return .reset(head: nil, after: 0, of: nil)
        }
        guard case .object(let members)? = json["reset"] else {
            throw .badValue(
                pointer: place,
                expected: isHTTP ? "true or {\"after\": bytes}" : "true")
        }
        for member in members.members where member.name != "after" {
            throw .unknownWord(member.name, at: place, among: ["after"])
        }
        guard isHTTP else {
            throw .badValue(
                pointer: place, expected: "true; only the body of http is counted in bytes")
        }
        let head = try httpHead(json, pointer)
        let body = try httpBody(json, pointer).map { Array($0.utf8) }
        let limit = body?.count ?? Self.drawnBytes
        guard let count = json["reset"]?["after"]?.int, (0...Int64(limit)).contains(count) else {
            throw .badValue(
                pointer: place + "/after",
                expected: "a number of bytes from 0 to \(limit)"
                    + (body == nil ? "" : ", which the body has"))
        }
        return .reset(head: head, after: Int(count), of: body)
    }

    private func readMalformed(
        _ json: JSONValue, _ pointer: String, into reply: inout Stub.Reply
    ) throws(HostError) {
        let head = isHTTP ? try httpHead(json, pointer) : nil
        let given = json["malformed"] ?? .null
        if given == true {
            reply.shape = .garbage(head: head)
        } else if var answer = head {
            guard case .string = given else {
                throw .badValue(
                    pointer: pointer + "/malformed", expected: "true or the text of a body")
            }
            answer["body"] = given
            reply.answer = .json(.object(answer))
        } else {
            reply.answer = .json(given)
        }
    }

    // MARK: Chunks

    private func readChunks(
        _ json: JSONValue, _ pointer: String, into reply: inout Stub.Reply
    ) throws(HostError) {
        let place = pointer + "/chunks"
        guard let items = json["chunks"]?.array, !items.isEmpty else {
            throw .badValue(pointer: place, expected: "a list of at least one answer")
        }
        if isHTTP, items[0]["value"] == nil {
            reply.shape = try readPieces(items, json, pointer)
            return
        }
        var chunks: [TimedAnswer] = []
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            let here = "\(place)/\(index)"
            let one = try readChunk(item, here, isLast: isLast, after: chunks.last?.after ?? 0)
            guard let answer = one.answer else { throw Self.noChunk(here) }
            chunks.append(TimedAnswer(after: one.after, isLast ? answer : answer.part))
        }
        reply.chunks = chunks
    }

    /// The pieces of a body; the head stands beside them, or in the first.
    private func readPieces(
        _ items: [JSONValue], _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> Stub.Shape {
        var head = try httpHead(json, pointer)
        var pieces: [Stub.Piece] = []
        for (index, item) in items.enumerated() {
            let here = "\(pointer)/chunks/\(index)"
            let isLast = index == items.count - 1
            let one = try readChunk(item, here, isLast: isLast, after: pieces.last?.after ?? 0)
            if case .failure? = one.answer {
                let failure = one.answer.map { TimedAnswer(after: one.after, $0) }
                return .pieces(head: head, pieces, failure: failure)
            }
            guard item["value"] == nil, one.shape == nil else { throw Self.noChunk(here) }
            for word in ["status", "headers"] {
                guard let given = item[word] else { continue }
                if index == 0, json[word] == nil {
                    head[word] = given
                } else if given != head[word] {
                    throw .badValue(
                        pointer: "\(here)/\(word)", expected: "allowed: the head came before")
                }
            }
            pieces.append(
                Stub.Piece(after: one.after, text: try httpBody(item, here) ?? ""))
        }
        return .pieces(head: head, pieces, failure: nil)
    }

    private func readChunk(
        _ item: JSONValue, _ pointer: String, isLast: Bool, after before: Int64
    ) throws(HostError) -> Stub.Reply {
        let reply = try read(item, pointer)
        guard reply.answer != nil, reply.at == nil, reply.release == nil, reply.spread == 0,
            reply.copies == 1
        else { throw Self.noChunk(pointer) }
        guard reply.after >= before else {
            throw .badValue(
                pointer: pointer + "/after", expected: "not before the chunk before it")
        }
        if case .failure? = reply.answer, !isLast {
            throw .badValue(
                pointer: pointer + "/fail",
                expected: "the last chunk: nothing comes behind a failure")
        }
        return reply
    }

    private static func noChunk(_ pointer: String) -> HostError {
        .badValue(pointer: pointer, expected: "one answer or failure, with \"after\"")
    }

    // MARK: HTTP

    private func httpHead(
        _ json: JSONValue, _ pointer: String
    ) throws(HostError) -> JSONObject {
        guard let status = (json["status"] ?? .int(200)).int, (100...599).contains(status) else {
            throw .badValue(pointer: pointer + "/status", expected: "a status from 100 to 599")
        }
        var head = JSONObject([("status", .int(status))])
        if let headers = json["headers"] {
            guard let object = headers.object,
                object.members.allSatisfy({ $0.value.string != nil })
            else { throw .badValue(pointer: pointer + "/headers", expected: "an object of texts") }
            head["headers"] = headers
        }
        return head
    }

    private func httpBody(_ json: JSONValue, _ pointer: String) throws(HostError) -> String? {
        if let body = json["json"] {
            guard json["body"] == nil else {
                throw .badValue(pointer: pointer + "/body", expected: "allowed beside \"json\"")
            }
            return body.text
        }
        guard let body = json["body"] else { return nil }
        guard let text = body.string else {
            throw .badValue(pointer: pointer + "/body", expected: "text; for JSON use \"json\"")
        }
        return text
    }
}
