// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledDaemon
import Testing

/// Who may do what, by the rules of the configuration.
@Suite struct AccessTests {
    private static let users: [String: UInt32] = ["ann": 1_001, "bob": 1_002, "eve": 1_003]
    private static let groups: [String: UInt32] = ["operators": 50, "guests": 60, "marbled": 70]

    /// A daemon of user 900 with a socket of group `marbled`.
    private func policy(_ yaml: String) throws -> AccessPolicy {
        let settings = try Settings(yaml: yaml, name: "f").access
        return try AccessPolicy(
            settings, ownUser: 900, socketGroup: 70, user: { Self.users[$0] },
            group: { Self.groups[$0] })
    }

    @Test(
        arguments: [
            // Nothing said: root, the daemon's own user, the socket's group, others.
            ("", 0, [0], .admin), ("", 900, [900], .admin), ("", 1_001, [70], .control),
            ("", 1_001, [5, 70], .control), ("", 1_001, [5, 60], nil), ("", 1_001, [], nil),
            // Others.
            ("access: {others: read}", 1_001, [5], .read),
            ("access: {others: read}", 1_001, [70], .control),
            ("access: {others: admin}", 1_001, [70], .control),
            // Users come before groups, up and down.
            ("access: {users: {ann: admin}}", 1_001, [70], .admin),
            ("access: {users: {ann: read}}", 1_001, [70], .read),
            ("access: {users: {ann: none}, others: read}", 1_001, [70], nil),
            ("access: {users: {1001: control}}", 1_001, [5], .control),
            ("access: {users: {ann: none}}", 1_002, [70], .control),
            // Root and the daemon cannot be locked out.
            ("access: {users: {0: admin, 900: read}}", 0, [0], .admin),
            ("access: {users: {0: admin, 900: read}}", 900, [900], .admin),
            // Of groups the one with most counts.
            ("access: {groups: {operators: admin, guests: read}}", 1_001, [60, 50], .admin),
            ("access: {groups: {operators: admin, guests: read}}", 1_001, [60], .read),
            ("access: {groups: {guests: none}, others: read}", 1_001, [60], nil),
            ("access: {groups: {guests: none}}", 1_001, [60, 70], .control),
            // What is said of the socket's group counts for it.
            ("access: {groups: {marbled: read}}", 1_001, [70], .read),
            ("access: {groups: {marbled: none}}", 1_001, [70], nil),
        ] as [(String, UInt32, [UInt32], AccessLevel?)])
    func `a peer has the level that the rules give it`(
        _ yaml: String, _ user: UInt32, _ groups: [UInt32], _ level: AccessLevel?
    ) throws {
        #expect(try policy(yaml).level(user: user, groups: groups) == level)
    }

    @Test(arguments: [
        ("access: {users: {nobody-here: read}}", "there is no user \"nobody-here\""),
        ("access: {groups: {nobody-here: read}}", "there is no group \"nobody-here\""),
        ("access: {users: {ann: write}}", "one of none, read, control, admin"),
        ("access: {others: [read]}", "one of none, read, control, admin"),
        ("access: {user: {ann: read}}", "known: users, groups, others"),
        ("access: {users: {0: none}}", "root has admin, whatever is said"),
        ("access: read", "a mapping of users"), ("access: {users: ann}", "a mapping of names"),
    ])
    func `rules that cannot be are refused with what would be right`(
        _ yaml: String, _ hint: String
    ) {
        let error = #expect(throws: ConfigurationError.self) { try policy(yaml) }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test func `rules lie over each other name by name`() throws {
        var upper = AccessSettings()
        upper.users = ["ann": .read]
        var lower = AccessSettings()
        lower.users = ["ann": .admin, "bob": .control]
        lower.others = .read
        #expect(upper.over(lower).users == ["ann": .read, "bob": .control])
        #expect(upper.over(lower).others == .read)
    }
}
