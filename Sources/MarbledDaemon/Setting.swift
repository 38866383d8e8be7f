// SPDX-License-Identifier: Apache-2.0

/// A setting of the daemon: its place in the file, and the flag and the variable that go before it.
///
/// `table` names each once. The help, the manual pages and the messages about names that are none read
/// that table; the limits, under `limits`, have one of their own: `DaemonLimits.table`.
package struct Setting: Sendable {
    /// Its place in the file, with a dot below a mapping: `http.authorities`.
    package let name: String
    /// What stands there: a word for the kind of value.
    package let value: String
    package let flag: String?
    package let variable: String?
    /// What holds where nothing is said.
    package let standard: String
    /// What it is for: one sentence or two.
    package let doc: String
    /// A value as YAML has it.
    package let example: String

    private init(
        _ name: String, _ value: String, flag: String? = nil, variable: String? = nil,
        standard: String, example: String, _ doc: String
    ) {
        self.name = name
        self.value = value
        self.flag = flag
        self.variable = variable
        self.standard = standard
        self.doc = doc
        self.example = example
    }

    /// Every setting but the limits, in the order that documents list them.
    package static let table: [Setting] = [
        Setting(
            "socket", "path", flag: "--socket", variable: "MARBLED_SOCKET",
            standard: "$XDG_RUNTIME_DIR/marbled.sock, else /run/marbled/marbled.sock",
            example: "/run/marbled/marbled.sock", "Where to listen: the path of a Unix socket."),
        Setting(
            "mode", "octal", flag: "--mode", variable: "MARBLED_MODE", standard: "0600",
            example: "0660",
            "The socket's rights, octal: 0600 for its owner alone, 0660 for a group as well."),
        Setting(
            "group", "group", flag: "--group", variable: "MARBLED_GROUP",
            standard: "the group of the process", example: "marbled",
            "The group the socket belongs to."),
        Setting(
            "plugins", "folders", flag: "--plugin-path", variable: "MARBLED_PLUGIN_PATH",
            standard: "beside the program, and where plugins are installed",
            example: "[/usr/lib/marbled/plugins]",
            "Folders to look for plugins in: a list in the file, elsewhere separated by colons."),
        Setting(
            "clock", "clock", flag: "--clock", variable: "MARBLED_CLOCK", standard: "real",
            example: "virtual",
            "The clock of instances that are opened without saying which: real or virtual."),
        Setting(
            "state-directory", "path", flag: "--state-directory",
            variable: "MARBLED_STATE_DIRECTORY",
            standard: "$STATE_DIRECTORY, else $XDG_STATE_HOME/marbled", example: "/var/lib/marbled",
            "Where what plugins store is kept: an absolute path, or none to keep it in memory."),
        Setting(
            "log", "level", flag: "--log", variable: "MARBLED_LOG", standard: "info",
            example: "debug",
            "What to log: trace, debug, info, notice, warning, error or critical."),
        Setting(
            "access.users", "mapping", standard: "{}", example: "{root: admin}",
            "What users may do: names or numbers, each with none, read, control or admin."),
        Setting(
            "access.groups", "mapping", standard: "{}", example: "{root: control}",
            "What the members of groups may do, in the same words. The group that the socket belongs "
                + "to has control where nothing is said of it."),
        Setting(
            "access.others", "level", standard: "none", example: "read",
            "What everybody else may do."),
        Setting(
            "http.authorities", "path", variable: "MARBLED_HTTP_AUTHORITIES",
            standard: "the system's alone", example: "/etc/hostname",
            "A file of certificates (PEM) that HTTP trusts beside the system's."),
        Setting(
            "http.secretHeaders", "names", standard: "[]", example: "[X-Token]",
            "Headers whose values are never shown, beside those that never are."),
        Setting(
            "http.secretQueryNames", "names", standard: "[]", example: "[token]",
            "Names in queries whose values are never shown."),
        Setting(
            "http.secretMembers", "names", standard: "[]", example: "[password]",
            "Members of JSON whose values are never shown."),
    ]

    /// The sentence of a setting, for the flag that sets it.
    package static func doc(_ name: String) -> String {
        guard let setting = table.first(where: { $0.name == name }) else {
            preconditionFailure("no setting is called \(name)")
        }
        return setting.doc
    }

    /// The variables that the daemon looks at, those of settings first.
    package static let variables = table.compactMap(\.variable) + ["MARBLED_CONFIG"]

    /// The names that may stand below `mapping`, or in the file itself.
    static func names(below mapping: String? = nil) -> [String] {
        let prefix = mapping.map { "\($0)." } ?? ""
        let all = (table.map(\.name) + ["limits"]).filter { $0.hasPrefix(prefix) }
        var names: [String] = []
        for name in all.compactMap({ $0.dropFirst(prefix.count).split(separator: ".").first })
        where !names.contains(String(name)) { names.append(String(name)) }
        return names
    }
}
