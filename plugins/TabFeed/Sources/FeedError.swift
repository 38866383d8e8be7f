// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// Why a page did not come.
package enum FeedError: String, Error, CaseIterable, PortValue {
    /// The service could not be reached, or refused.
    case networkError
    /// The service answered something that is not the page of that tab.
    case decodingError

    /// What a failure of a page source means to who reads the feed.
    init(_ failure: any Error) {
        self = failure as? FeedError ?? .networkError
    }
}
