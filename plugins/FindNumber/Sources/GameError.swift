// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What can go wrong while a number is fetched.
package enum GameError: String, Error, CaseIterable, PortValue {
    /// The service could not be reached, or refused.
    case networkError
    /// The service answered something that is not a list of one integer.
    case decodingError

    /// What a failure of a number source means to the player.
    init(_ failure: any Error) {
        self = failure as? GameError ?? .networkError
    }
}
