// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What a request is told of its answer.
///
///     one answer   answer
///     stream       head chunk* completed
///     either       failure, instead of what would still have come
package enum HTTPEvent: Equatable, Sendable {
    /// The whole answer. `url` is where it comes from, if that is not where it was asked.
    case answer(HTTPHead, HTTPBody, url: String?)
    /// The head of a streamed answer.
    case head(HTTPHead, url: String?)
    /// A piece of its body.
    case chunk(HTTPBody)
    /// The end of its body.
    case completed
    /// There will be no more.
    case failure(HTTPError)
}

extension HTTPEvent {
    /// What a feature gets of it:
    ///
    ///     {"status": 200, "headers": {"content-type": "text/plain"}, "body": "text", "url": "http://…"}
    ///
    /// Names of headers are in lower case; values of one name are joined by ", ", those of `set-cookie`
    /// by line ends, since they may have commas in them. A body that is not UTF-8 stands under
    /// `base64`, as base64 text, in the place of `body`. A head has no body, and a chunk nothing else.
    package var json: JSONValue {
        switch self {
        case .answer(let head, let body, let url):
            .object(Self.members(head) + [Self.member(body)] + Self.member(url))
        case .head(let head, let url): .object(Self.members(head) + Self.member(url))
        case .chunk(let body): .object([Self.member(body)])
        case .completed: .null
        case .failure(let error):
            .object([("kind", .string(error.kind.rawValue)), ("message", .string(error.message))])
        }
    }

    private static func members(_ head: HTTPHead) -> [(String, JSONValue)] {
        var names: [String] = []
        var values: [String: String] = [:]
        for field in head.fields {
            let name = field.name.lowercased()
            if let before = values[name] {
                values[name] = before + (name == "set-cookie" ? "\n" : ", ") + field.value
            } else {
                names.append(name)
                values[name] = field.value
            }
        }
        let headers = JSONValue.object(names.map { ($0, .string(values[$0] ?? "")) })
        return [("status", .int(Int64(head.status))), ("headers", headers)]
    }

    private static func member(_ body: HTTPBody) -> (String, JSONValue) {
        switch body {
        case .text(let text): ("body", .string(text))
        case .bytes(let bytes): ("base64", .string(Base64.text(bytes)))
        }
    }

    private static func member(_ url: String?) -> [(String, JSONValue)] {
        url.map { [("url", .string($0))] } ?? []
    }
}
