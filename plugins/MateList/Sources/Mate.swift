// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// Somebody the user knows, or somebody who is near.
package struct Mate: PortValue, Equatable {
    package var id: String
    package var name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// A picture of a mate.
package struct ProfileImage: PortValue, Equatable {
    /// The mate's id.
    package var mate: String
    /// The picture's bytes, base64.
    package var data: String

    package init(mate: String, data: String) {
        self.mate = mate
        self.data = data
    }
}

/// What somebody tells of themselves.
package struct Profile: PortValue, Equatable {
    package var mate: Mate
    /// A line about them.
    package var about: String

    package init(mate: Mate, about: String) {
        self.mate = mate
        self.about = about
    }
}
