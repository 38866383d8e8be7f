// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What a tab shows, as the service answers it: `{"id": 2, "items": ["…"]}`.
package struct Page: PortValue, Equatable {
    /// The tab.
    package var id: Int
    /// Its headlines, the newest first.
    package var items: [String]

    package init(id: Int, items: [String]) {
        self.id = id
        self.items = items
    }
}
