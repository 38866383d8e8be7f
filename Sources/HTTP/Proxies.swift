// SPDX-License-Identifier: Apache-2.0

/// The proxies that an environment names, as every other program reads it.
///
/// `http_proxy` counts in lower case only: upper case is what a web server makes of a request's
/// header `Proxy`, and so could be said by anybody.
package struct Proxies: Equatable, Sendable {
    private let http: String?
    private let https: String?
    /// Hosts that are asked directly: names and suffixes with commas between, or `*`.
    let exceptions: String

    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = value("no_proxy", "NO_PROXY") ?? ""
    }

    /// The proxy for a scheme; empty for none.
    func proxy(for scheme: String) -> String {
        (scheme == "https" ? https : http) ?? ""
    }
}
