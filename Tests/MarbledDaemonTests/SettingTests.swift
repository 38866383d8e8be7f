// SPDX-License-Identifier: Apache-2.0

import MarbledDaemon
import Testing

/// The table of settings: it names what can be set, and the daemon takes what it names.
@Suite struct SettingTests {
    private static func yaml(_ setting: Setting) -> String {
        let parts = setting.name.split(separator: ".")
        return parts.count == 1
            ? "\(setting.name): \(setting.example)"
            : "\(parts[0]): {\(parts[1]): \(setting.example)}"
    }

    @Test func `each setting stands once`() {
        let names = Setting.table.map(\.name)
        #expect(Set(names).count == names.count)
        let variables = Setting.variables
        #expect(Set(variables).count == variables.count)
    }

    @Test(arguments: Setting.table.indices)
    func `the file takes the setting`(_ index: Int) throws {
        let settings = try Settings(yaml: Self.yaml(Setting.table[index]), name: "f")
        #expect(settings != Settings())
    }

    @Test(arguments: Setting.table.indices)
    func `the environment takes the variable, to the same effect as the file`(_ index: Int) throws {
        let setting = Setting.table[index]
        guard let variable = setting.variable else { return }
        let value = setting.example.filter { !"[]".contains($0) }
        #expect(
            try Settings(environment: [variable: value])
                == Settings(yaml: Self.yaml(setting), name: "f"))
    }

    @Test func `an empty variable counts as not set`() throws {
        let names = Setting.table.compactMap(\.variable)
        let empty = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
        #expect(try Settings(environment: empty) == Settings())
        let configuration = try Configuration.load(
            flags: Settings(), file: nil, environment: ["MARBLED_CONFIG": ""],
            executableFolder: nil)
        #expect(configuration.file != "")
    }

    @Test(arguments: [
        ("clock: real\nsocket: /a\nsocket: /b", "f:3: socket stands twice, first in line 2"),
        ("limits: {queue: 1}", "f:1: limits has no \"queue\""),
        ("limits:\n  connections: 5\n  connections: 6", "f:3: limits.connections stands twice"),
        ("limits:\n  conections: 5", "f:2: limits has no \"conections\"; did you mean"),
        ("limits:\n  connections: -5", "f:2: limits.connections is -5; it is at least 1"),
        ("limits:\n  connections: many", "f:2: limits.connections is not a whole number"),
        ("clock: real\nstate-directory: here", "f:2: state-directory is \"here\"; it is an abs"),
        ("socket: \"/a\\0b\"", "f:1: socket has a zero byte"),
        ("access:\n  users:\n    ann: write", "f:3: access.users.ann is \"write\""),
        (
            "http:\n  authorities: /no/file",
            "f:2: http.authorities: /no/file cannot be read: No such"
        ),
        ("http:\n  secretMembers: [a]\n  authority: /f", "f:3: http.authority is no setting"),
    ])
    func `what is wrong in a file is refused with the line`(_ yaml: String, _ sentence: String) {
        let error = #expect(throws: ConfigurationError.self) { try Settings(yaml: yaml, name: "f") }
        #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("group: nobody-here", "group: there is no group \"nobody-here\""),
        ("access: {users: {nobody-here: read}}", "access.users: there is no user \"nobody-here\""),
        ("socket: \"\"", "cannot be a socket path"),
    ])
    func `what means nothing on this system is refused before the start`(
        _ yaml: String, _ sentence: String
    ) throws {
        let settings = try Settings(yaml: yaml, name: "f")
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(
                flags: settings, file: nil, environment: [:], executableFolder: nil)
        }
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("sockett: /s", "did you mean \"socket\"?"), ("sockett: /s", "limits"),
        ("access: {user: {}}", "did you mean \"users\"?"),
        ("http: {authority: /f}", "known: authorities, secretHeaders"),
    ])
    func `a name that is none is refused with what there is`(_ yaml: String, _ hint: String) {
        let error = #expect(throws: ConfigurationError.self) { try Settings(yaml: yaml, name: "f") }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }
}
