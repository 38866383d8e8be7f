// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// What can go wrong in the scene.
package enum MateListError: String, Error, CaseIterable, PortValue {
    /// The database could not be reached, or refused.
    case databaseFailed
    /// There is no device that could find somebody near.
    case nearbyAbsent
    /// The device found nobody, or the connection broke.
    case nearbyFailed
    /// The database or the device answered something else than was asked for.
    case badAnswer

    /// What a failure of a use case means to who looks at the scene. The ports fail with cases of this
    /// type; anything else is an answer that could not be read.
    init(_ failure: any Error) {
        self = failure as? MateListError ?? .badAnswer
    }
}
