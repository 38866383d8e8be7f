// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// An absolute http or https URL, read by libcurl itself, so that what is checked is what is asked.
package struct HTTPAddress: Equatable, Sendable {
    /// The whole URL, as it is asked.
    package let text: String
    /// `http` or `https`.
    package let scheme: String
    /// Scheme, host and port: to whom the request goes.
    package let origin: String
    /// The URL without what may be secret (user, password, query): for messages.
    package let display: String
    /// The URL without user, password and fragment: for answers.
    package let reported: String

    /// Throws `badRequest` with what is wrong, or `unavailable` when libcurl is not there.
    package init(_ text: String) throws(HTTPError) {
        try Curl.load()
        let parts = try Parts()
        guard parts.set(text) else {
            throw HTTPError(
                .badRequest,
                "the URL is none; it is absolute, such as \"https://host/path\", with blanks and"
                    + " control characters as %20 and the like")
        }
        try self.init(parts)
        // libcurl forgives one slash and three, and then takes for the host what somebody else would not.
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        guard rest.starts(with: "://".utf8), rest.dropFirst(3).first != UInt8(ascii: "/") else {
            throw HTTPError(.badRequest, "the URL names no host behind \(scheme)://")
        }
    }

    /// The address to which `location` leads from here. Throws `redirect`.
    func followed(to location: String) throws(HTTPError) -> HTTPAddress {
        let parts = try Parts()
        guard parts.set(text), parts.set(location) else {
            throw HTTPError(.redirect, "it leads to what is no URL")
        }
        do { return try HTTPAddress(parts) } catch {
            throw HTTPError(.redirect, "it leads to where it must not: \(error.message)")
        }
    }

    private init(_ parts: Parts) throws(HTTPError) {
        guard let scheme = parts[CURLUPART_SCHEME], ["http", "https"].contains(scheme) else {
            let scheme = parts[CURLUPART_SCHEME] ?? ""
            throw HTTPError(.badRequest, "the URL's scheme is \(scheme); it is http or https")
        }
        guard let text = parts[CURLUPART_URL], let host = parts[CURLUPART_HOST], !host.isEmpty,
            let port = parts[CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)]
        else { throw HTTPError(.badRequest, "the URL names no host") }
        self.text = text
        self.scheme = scheme
        origin = "\(scheme)://\(host.lowercased()):\(port)"
        let place = parts[CURLUPART_PORT].map { "\(host):\($0)" } ?? host
        let path = parts[CURLUPART_PATH] ?? "/"
        let query = parts[CURLUPART_QUERY]
        display = "\(scheme)://\(place)\(path)\(query == nil ? "" : "?…")"
        reported = "\(scheme)://\(place)\(path)\(query.map { "?\($0)" } ?? "")"
    }
}

/// libcurl's own reading of a URL, for the length of a look.
private final class Parts {
    private let url: OpaquePointer

    init() throws(HTTPError) {
        guard let url = marbled_url_init() else {
            throw HTTPError(.unavailable, "there is no memory for a URL")
        }
        self.url = url
    }

    deinit {
        marbled_url_cleanup(url)
    }

    /// Sets the URL, or what it becomes relative to the one that was set before.
    func set(_ text: String) -> Bool {
        guard !text.utf8.contains(0) else { return false }
        return marbled_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME))
            == CURLUE_OK
    }

    subscript(part: CURLUPart, flags: UInt32 = 0) -> String? {
        guard let text = marbled_url_get(url, part, flags) else { return nil }
        defer { marbled_text_free(text) }
        return String(cString: text)
    }
}
