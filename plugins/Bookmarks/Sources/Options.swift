// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

extension Bookmarks {
    /// What can be chosen when it is opened.
    package struct Options: FeatureOptions, Equatable {
        /// Where the list of bookmarks is.
        package var url = "http://localhost:8080/bookmarks"

        package init() {}

        /// Throws a sentence unless `url` can be asked for.
        func check() throws {
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
                throw PortValueError("url is \"\(url)\"; it must begin with http:// or https://")
            }
        }
    }
}
