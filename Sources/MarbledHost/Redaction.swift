// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// Which parts of HTTP requests and answers are secret, and how they look where people read: in records,
/// in `instance.inspect`, in `stub.calls`. What a feature gets is never touched.
///
/// Secret are the values of some headers, of some names in a query, a fragment or a form, of some members
/// of a JSON body, and user and password in a URL. Each is shown as `***`; everything else keeps its
/// bytes. Pure: values in, values out.
///
/// The pieces of a streamed body are looked at one by one: a name and its value in two pieces are not
/// seen together. A body in base64 is not looked into.
package struct Redaction: Sendable, Equatable {
    /// Names of headers, in lower case.
    package var headers: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie",
    ]
    /// Names in queries, fragments and forms, in lower case.
    package var queryNames: Set<String> = [
        "access_token", "client_secret", "code", "refresh_token",
    ]
    /// Names of members of JSON bodies, at any depth, in lower case. What a request says under a query name
    /// is secret in its JSON body too.
    package var members: Set<String> = [
        "access_token", "client_secret", "id_token", "refresh_token",
    ]

    /// What stands in a secret's place.
    package static let mark = "***"
    /// Headers whose values are URLs.
    private static let addresses: Set<String> = ["content-location", "location", "referer"]

    package init() {}

    /// Whether an effect's requests are shown otherwise than they are.
    func concerns(_ effect: String) -> Bool { effect == "http" }

    /// Whether a request was made of what a record shows: a mark stands in it where a secret should.
    package static func isIn(_ request: JSONValue) -> Bool {
        request.text.contains(mark)
    }

    /// A request as it may be shown: that of HTTP without its secrets, any other as it is.
    package func shown(_ request: JSONValue, of effect: String) -> JSONValue {
        concerns(effect) ? redact(request: request) : request
    }

    /// An HTTP request without its secrets.
    package func redact(request: JSONValue) -> JSONValue {
        redact(request, members: members.union(queryNames))
    }

    /// An HTTP answer, or a piece of one, without its secrets.
    package func redact(answer: JSONValue) -> JSONValue {
        redact(answer, members: members)
    }

    /// The options of an instance without secrets: texts whose names are those of secret members, however
    /// they are spelled (`clientSecret`), and what stands in URLs.
    package func redact(options: JSONValue) -> JSONValue {
        guard case .object(let object) = options else { return options }
        let secret = Set(members.map(Self.spelled))
        return .object(
            object.members.map { name, value in
                guard let text = value.string, !text.isEmpty else { return (name, value) }
                if secret.contains(Self.spelled(name)) { return (name, .string(Self.mark)) }
                return (
                    name,
                    text.unicodeScalars.firstRange(of: "://".unicodeScalars) == nil
                        ? value : .string(redact(url: text))
                )
            })
    }

    /// A name without case and without what stands between its words.
    private static func spelled(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    /// A URL without user, password and the values of secret names.
    package func redact(url: String) -> String {
        // By scalars: to a character belongs what combines with it, and a sign would not be found.
        var text = url.unicodeScalars[...]
        var shown = String.UnicodeScalarView()
        if let scheme = text.firstRange(of: "://".unicodeScalars) {
            shown.append(contentsOf: text[..<scheme.upperBound])
            text = text[scheme.upperBound...]
        }
        let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = authority.lastIndex(of: "@") {
            shown.append(contentsOf: Self.mark.unicodeScalars)
            text = text[at...]
        }
        let path = text.prefix { $0 != "?" && $0 != "#" }
        shown.append(contentsOf: path)
        text = text[path.endIndex...]
        // A fragment is written like a query where tokens are handed over in it.
        while let sign = text.first {
            let part = text.dropFirst().prefix { $0 != "#" }
            shown.append(sign)
            shown.append(contentsOf: redact(pairs: part, names: queryNames).unicodeScalars)
            text = text[part.endIndex...]
        }
        return String(shown)
    }

    private func redact(_ message: JSONValue, members names: Set<String>) -> JSONValue {
        guard case .object = message else { return message }
        var shown = message
        if let url = message["url"]?.string { shown["url"] = .string(redact(url: url)) }
        if let fields = message["headers"]?.object {
            shown["headers"] = .object(
                fields.members.map { ($0.name, redact($0.value, header: $0.name.lowercased())) })
        }
        if let body = message["body"]?.string {
            shown["body"] = .string(redact(body: body, members: names))
        }
        return shown
    }

    private func redact(_ value: JSONValue, header name: String) -> JSONValue {
        if headers.contains(name) { return .string(Self.mark) }
        guard Self.addresses.contains(name), let url = value.string else { return value }
        return .string(redact(url: url))
    }

    private func redact(body: String, members names: Set<String>) -> String {
        let start = body.utf8.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
        if start == UInt8(ascii: "{") || start == UInt8(ascii: "[") {
            return JSONMask(names).mask(body)
        }
        // A form, if it is one: only pairs of a secret name change. A piece of JSON has its quotes.
        return body.utf8.contains(UInt8(ascii: "\""))
            ? JSONMask(names).mask(body)
            : redact(pairs: body.unicodeScalars[...], names: names.union(queryNames))
    }

    private func redact(pairs: Substring.UnicodeScalarView, names: Set<String>) -> String {
        pairs.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            guard let sign = pair.firstIndex(of: "="),
                names.contains(Self.meant(String(pair[..<sign])).lowercased())
            else { return String(pair) }
            return String(pair[...sign]) + Self.mark
        }.joined(separator: "&")
    }

    /// A name in a query without its escapes: `access%5Ftoken` is read as `access_token` by whoever gets it.
    private static func meant(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "%")) else { return name }
        let bytes = Array(name.utf8)
        var meant: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                meant.append(UInt8(high << 4 | low))
                index += 3
            } else {
                meant.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: meant, as: UTF8.self)
    }
}

/// Puts a mark in the place of the values of some names in JSON text, which may break off anywhere.
private struct JSONMask {
    private let names: [[UInt8]]

    init(_ names: Set<String>) {
        self.names = names.map { Array($0.utf8) }
    }

    func mask(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var masked: [UInt8] = []
        // Where what has not been copied begins, and where we look.
        var (rest, index) = (0, 0)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                index += 1
                continue
            }
            let end = Self.endOfString(bytes, from: index)
            let name = bytes[(index + 1)..<max(index + 1, end - 1)]
            index = end
            guard isSecret(name),
                let value = Self.startOfValue(bytes, behind: end)
            else { continue }
            index = Self.endOfValue(bytes, from: value)
            guard index > value else { continue }
            masked += bytes[rest..<value]
            masked += "\"\(Redaction.mark)\"".utf8
            rest = index
        }
        return rest == 0 ? text : String(decoding: masked + bytes[rest...], as: UTF8.self)
    }

    /// Whether a name is one of the secret ones, in any case and however it is escaped.
    private func isSecret(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.contains(where: { $0 == UInt8(ascii: "\\") || $0 >= 0x80 }) else {
            return names.contains { $0.elementsEqual(name.lazy.map(Self.lowercased)) }
        }
        let text = "\"\(String(decoding: name, as: UTF8.self))\""
        guard let meant = (try? JSONValue(parsing: text))?.string?.lowercased() else {
            return false
        }
        return names.contains { $0.elementsEqual(meant.utf8) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Behind the quote that ends the string which begins at `start`.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    /// Where the value of a name begins, or nil where no colon follows.
    private static func startOfValue(_ bytes: [UInt8], behind end: Int) -> Int? {
        var index = skipBlanks(bytes, from: end)
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return nil }
        index = skipBlanks(bytes, from: index + 1)
        return index
    }

    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
        var (index, depth) = (start, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = endOfString(bytes, from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","), 0x20, 0x09...0x0D:
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return index
    }

    private static func skipBlanks(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] == 0x20 || (0x09...0x0D).contains(bytes[index]) {
            index += 1
        }
        return index
    }
}
