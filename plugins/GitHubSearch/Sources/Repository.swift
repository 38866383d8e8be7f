// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit

/// A repository, in GitHub's own words; what is not named here is not read.
package struct Repository: PortValue, Equatable {
    package var id: Int
    /// Owner and name: `owner/name`.
    package var fullName: String
    package var about: String?
    package var language: String?
    package var stars: Int

    private enum CodingKeys: String, CodingKey {
        case id, language
        case fullName = "full_name"
        case about = "description"
        case stars = "stargazers_count"
    }
}

/// A page of a search.
package struct SearchPage: PortValue, Equatable {
    /// How many repositories there are on all pages.
    package var totalCount: Int
    package var items: [Repository]

    private enum CodingKeys: String, CodingKey {
        case items
        case totalCount = "total_count"
    }
}

/// A person on GitHub.
package struct User: PortValue, Equatable {
    package var login: String
    package var name: String?
}

/// A star that is given, or taken back.
package struct StarChange: PortValue, Equatable {
    /// The full name: `owner/name`.
    package var repository: String
    package var isStarred: Bool

    package init(repository: String, isStarred: Bool) {
        self.repository = repository
        self.isStarred = isStarred
    }
}
