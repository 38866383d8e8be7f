// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// libcurl, loaded by the first request: a daemon that asks nobody does without its thirty libraries.
enum Curl {
    /// Makes sure that it is there; the first call takes tens of milliseconds. Throws `unavailable`.
    static func load() throws(HTTPError) {
        guard let reason = marbled_curl_load() else { return }
        throw HTTPError(.unavailable, String(cString: reason))
    }
}
