// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// A page worth coming back to, as the service tells it: `{"title": "…", "url": "…"}`.
package struct Bookmark: PortValue, Equatable, Sendable {
    /// What people call it.
    package var title: String
    /// Where it is.
    package var url: String

    package init(title: String, url: String) {
        self.title = title
        self.url = url
    }
}
