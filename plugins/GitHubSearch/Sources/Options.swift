// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

extension GitHubSearch {
    /// What can be chosen when the search is opened.
    package struct Options: FeatureOptions, Equatable {
        /// Where the API is; for GitHub Enterprise `https://HOST/api/v3`.
        package var apiURL = "https://api.github.com"
        /// Where people sign in; for GitHub Enterprise `https://HOST`.
        package var signInURL = "https://github.com"
        /// The OAuth application that people sign in to.
        package var clientID = ""
        /// Its secret.
        package var clientSecret = ""
        /// Where GitHub sends people back to; empty means what the application says.
        package var redirectURI = ""
        /// How long the typing must rest before it is searched for, in milliseconds.
        package var debounce = 300
        /// Repositories on a page.
        package var perPage = 30
        /// How often a request that failed is sent again.
        package var retries = 3
        /// How long the first of these waits, in milliseconds; each further one twice as long.
        package var backOff = 500

        package init() {}

        /// Throws a sentence for options that make no sense.
        func check() throws {
            func require(_ name: String, _ value: Int, in range: ClosedRange<Int>) throws {
                guard range.contains(value) else {
                    throw PortValueError(
                        "\(name) is \(value); it must be \(range.lowerBound) to \(range.upperBound)"
                    )
                }
            }
            try require("debounce", debounce, in: 0...60_000)
            // The bounds of GitHub's API.
            try require("perPage", perPage, in: 1...100)
            try require("retries", retries, in: 0...10)
            try require("backOff", backOff, in: 1...60_000)
        }
    }
}
