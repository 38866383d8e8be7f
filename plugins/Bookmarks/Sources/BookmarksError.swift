// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What can go wrong; the feature goes on.
package enum BookmarksError: String, Error, CaseIterable, PortValue {
    /// The service could not be reached, or refused.
    case networkError
    /// The service answered something that is not a list of bookmarks.
    case decodingError
    /// The flag could not be read or kept.
    case storeError
}
