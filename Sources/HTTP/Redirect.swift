// SPDX-License-Identifier: Apache-2.0

/// What to do with a redirect (RFC 9110, 15.4): the client follows by itself, since libcurl could not
/// be told never to go from https to http.
enum Redirect {
    /// Says who is asked for something and must not be told to somebody else.
    private static let secrets = ["authorization", "cookie", "proxy-authorization", "host"]

    /// Whether `head` sends `call` elsewhere. A redirect that says not where is an answer like others.
    static func isMeant(_ head: HTTPHead, by call: HTTPCall) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status) && head.value("location") != nil
            && call.redirects != 0
    }

    /// The request that follows. Throws `redirect`.
    ///
    /// - Parameters:
    ///   - followed: how many redirects were followed so far.
    ///   - limit: how many are, for a request that does not say.
    ///   - secretFields: names, in lower case, of further fields that only the first host may see.
    static func next(
        _ call: HTTPCall, after head: HTTPHead, followed: Int, limit: Int,
        secretFields: Set<String>
    ) throws(HTTPError) -> HTTPCall {
        let most = call.redirects ?? limit
        guard followed < most else {
            throw HTTPError(
                .redirect, of: call,
                "redirected more than \(most) times; ask the last address, or raise \"redirects\"")
        }
        var next = call
        do {
            next.address = try call.address.followed(to: head.value("location") ?? "")
        } catch {
            throw HTTPError(error.kind, of: call, "redirected, and not followed: \(error.message)")
        }
        guard call.address.scheme != "https" || next.address.scheme == "https" else {
            throw HTTPError(
                .redirect, of: call,
                "redirected from https to \(next.address.display), and not followed: everybody on"
                    + " the way could read it")
        }
        // What everybody does with these, and what 303 asks for.
        let becomesGET = head.status == 303 || (head.status <= 302 && call.method == "POST")
        if becomesGET, call.method != "HEAD" {
            next.method = "GET"
            next.body = nil
            next.fields.removeAll { $0.name.lowercased().hasPrefix("content-") }
        }
        if next.address.origin != call.address.origin {
            next.fields.removeAll {
                let name = $0.name.lowercased()
                return secrets.contains(name) || secretFields.contains(name)
            }
        }
        return next
    }
}
