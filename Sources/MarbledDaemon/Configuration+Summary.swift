// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import Logging
internal import MarbledHost

extension Configuration {
    /// The settings in force, as `--check` prints them.
    package var summary: String {
        var lines = [
            "socket: \(socket)",
            "mode: 0\(String(mode, radix: 8))",
            "group: \(group ?? "(the process's own)")",
            "clock: \(clock.rawValue)",
            "state-directory: \(stateDirectory ?? "none")",
            "log: \(logLevel.rawValue)",
            "file: \(file ?? "(none)")",
            "plugins:",
        ]
        lines += pluginPath.map { "  - \($0)" }
        lines.append("http:")
        lines.append("  authorities: \(authorities ?? "(the system's)")")
        let secrets = [
            ("secretHeaders", redaction.headers), ("secretQueryNames", redaction.queryNames),
            ("secretMembers", redaction.members),
        ]
        lines += secrets.map { "  \($0.0): [\($0.1.sorted().joined(separator: ", "))]" }
        lines.append("access:")
        for (kind, grants) in [("users", access.users), ("groups", access.groups)] {
            let shown = grants.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.rawValue)" }
            lines.append("  \(kind): {\(shown.joined(separator: ", "))}")
        }
        lines.append("  others: \((access.others ?? .none).rawValue)")
        lines.append("limits:")
        lines += limits.named.map { "  \($0.0): \($0.1)" }
        return lines.joined(separator: "\n")
    }
}

/// The version, for the program's command line.
package enum DaemonVersion {
    package static var text: String { MarbledVersion.current.description }
}
