// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// Who may do what, as the configuration says it: names or numbers of users and groups, each with a word.
///
///     access:
///       users: {ann: admin, 1001: none}
///       groups: {operators: control}
///       others: read
package struct AccessSettings: Equatable, Sendable {
    /// The words of the configuration.
    package enum Grant: String, CaseIterable, Sendable {
        case none, read, control, admin

        /// What may be called; nil where nothing may.
        package var level: AccessLevel? { AccessLevel(rawValue: rawValue) }
    }

    package var users: [String: Grant] = [:]
    package var groups: [String: Grant] = [:]
    package var others: Grant?

    package init() {}

    /// These over `lower`, name by name.
    package func over(_ lower: AccessSettings) -> AccessSettings {
        var result = lower
        result.users.merge(users) { _, new in new }
        result.groups.merge(groups) { _, new in new }
        result.others = others ?? lower.others
        return result
    }
}

/// Decides what a peer may call, by the numbers that the kernel knows it by.
///
/// In this order: root and the daemon's own user have `admin`, whatever is said; a user that is named has
/// what is said; else the most that is said of any of its groups counts, and the socket's own group has
/// `control` where nothing is said of it; else what is said of others, which is nothing where nobody says
/// more.
package struct AccessPolicy: Equatable, Sendable {
    package var ownUser: UInt32
    package var socketGroup: UInt32?
    package var users: [UInt32: AccessSettings.Grant] = [:]
    package var groups: [UInt32: AccessSettings.Grant] = [:]
    package var others = AccessSettings.Grant.none

    package init(ownUser: UInt32, socketGroup: UInt32?) {
        self.ownUser = ownUser
        self.socketGroup = socketGroup
    }

    /// The rules of `settings`; `user` and `group` look names up.
    ///
    /// - Throws: for a name that nobody bears, and for root with less than `admin`, which would not hold.
    package init(
        _ settings: AccessSettings, ownUser: UInt32, socketGroup: UInt32?,
        user: (String) -> UInt32?, group: (String) -> UInt32?
    ) throws(ConfigurationError) {
        self.init(ownUser: ownUser, socketGroup: socketGroup)
        for (name, grant) in settings.users {
            guard let number = UInt32(name) ?? user(name) else {
                throw ConfigurationError("access.users: there is no user \"\(name)\"")
            }
            guard number != 0 || grant == .admin else {
                throw ConfigurationError(
                    "access.users.\(name) is \(grant.rawValue); root has admin, whatever is said")
            }
            users[number] = grant
        }
        for (name, grant) in settings.groups {
            guard let number = UInt32(name) ?? group(name) else {
                throw ConfigurationError("access.groups: there is no group \"\(name)\"")
            }
            groups[number] = grant
        }
        others = settings.others ?? .none
    }

    /// What a peer of that user and those groups may call; nil where nothing.
    package func level(user: UInt32, groups memberships: [UInt32]) -> AccessLevel? {
        if user == 0 || user == ownUser { return .admin }
        if let grant = users[user] { return grant.level }
        var isNamed = false
        var level: AccessLevel?
        for group in memberships {
            guard let grant = groups[group] ?? (group == socketGroup ? .control : nil) else {
                continue
            }
            isNamed = true
            if let granted = grant.level { level = max(level ?? granted, granted) }
        }
        return isNamed ? level : others.level
    }
}
