// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Scheduling

extension HTTPCall {
    /// What a request may say, in the order people write it.
    private static let known = [
        "method", "url", "headers", "body", "timeout", "connectTimeout", "redirects", "stream",
    ]
    /// Fields that say how the message is framed: only the client knows that.
    private static let framing = [
        "connection", "content-length", "expect", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Reads a request as features write it:
    ///
    ///     {"method": "POST", "url": "https://host/path", "headers": {"accept": "text/plain"},
    ///      "body": "text", "timeout": "5s", "connectTimeout": 500000000, "redirects": 0, "stream": true}
    ///
    /// Only `url` is needed. Times are whole nanoseconds or texts such as `"300ms"`; a body is text.
    package init(_ json: JSONValue) throws(HTTPError) {
        guard case .object(let members) = json else {
            throw HTTPError(.badRequest, "a request is an object such as {\"url\": \"http://…\"}")
        }
        if let other = members.members.first(where: { !Self.known.contains($0.name) }) {
            throw HTTPError(
                .badRequest,
                "a request has no \"\(other.name)\" (known: \(Self.known.joined(separator: ", ")))")
        }
        guard let url = json["url"]?.string else {
            throw HTTPError(.badRequest, "\"url\" is missing, or is no text")
        }
        self.init(address: try HTTPAddress(url))
        method = try Self.method(json["method"])
        fields = try Self.fields(json["headers"])
        if let body = json["body"], !body.isNull {
            guard let text = body.string else {
                throw HTTPError(.badRequest, "\"body\" is no text")
            }
            self.body = Array(text.utf8)
        }
        timeout = try Self.time(json["timeout"], "timeout")
        connectTimeout = try Self.time(json["connectTimeout"], "connectTimeout")
        if let redirects = json["redirects"], !redirects.isNull {
            guard let count = redirects.int, (0...100).contains(count) else {
                throw HTTPError(.badRequest, "\"redirects\" is no number from 0 to 100")
            }
            self.redirects = Int(count)
        }
        if let stream = json["stream"], !stream.isNull {
            guard let isStream = stream.bool else {
                throw HTTPError(.badRequest, "\"stream\" is neither true nor false")
            }
            self.isStream = isStream
        }
    }

    private static func method(_ json: JSONValue?) throws(HTTPError) -> String {
        guard let json, !json.isNull else { return "GET" }
        guard let method = json.string, HTTPField.isName(method), method.utf8.count <= 32,
            // It would make a tunnel of the connection, and the answer would never end.
            method.uppercased() != "CONNECT"
        else {
            throw HTTPError(.badRequest, "\"method\" is no method such as GET or POST")
        }
        return method
    }

    private static func fields(_ json: JSONValue?) throws(HTTPError) -> [HTTPField] {
        guard let json, !json.isNull else { return [] }
        guard let object = json.object else {
            throw HTTPError(.badRequest, "\"headers\" is no object of texts")
        }
        var fields: [HTTPField] = []
        for member in object.members {
            guard HTTPField.isName(member.name) else {
                throw HTTPError(.badRequest, "\"headers\" has a name that is none: \(member.name)")
            }
            guard !framing.contains(member.name.lowercased()) else {
                throw HTTPError(
                    .badRequest, "\"headers\" sets \(member.name), which the client does itself")
            }
            // The value is not said again: it may be a secret.
            guard let value = member.value.string, HTTPField.isValue(value) else {
                throw HTTPError(
                    .badRequest, "the header \(member.name) is no text, or has a line end in it")
            }
            fields.append(HTTPField(member.name, value))
        }
        return fields
    }

    private static func time(_ json: JSONValue?, _ name: String) throws(HTTPError) -> Int64? {
        guard let json, !json.isNull else { return nil }
        let time = json.int ?? json.string.flatMap { DurationText.nanoseconds($0.utf8) }
        guard let time, time > 0 else {
            throw HTTPError(.badRequest, "\"\(name)\" is not \(DurationText.expected), above zero")
        }
        return time
    }
}

extension JSONValue {
    fileprivate var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
