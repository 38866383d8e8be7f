// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledDaemon
import Testing

/// The table of limits: what it names can be set, and nothing else.
@Suite struct LimitTests {
    private func load(_ yaml: String) throws -> DaemonLimits {
        let flags = try Settings(yaml: yaml, name: "f")
        return try Configuration.load(
            flags: flags, file: nil, environment: [:], executableFolder: nil
        ).limits
    }

    @Test func `each limit stands once, and its default is one it allows`() {
        let names = DaemonLimits.table.map(\.name)
        #expect(Set(names).count == names.count)
        for limit in DaemonLimits.table { #expect(limit.range.contains(limit.standard)) }
    }

    @Test(arguments: DaemonLimits.table.map(\.name))
    func `the configuration sets the limit of that name and no other`(_ name: String) throws {
        let limits = try load("limits: {\(name): 1234567}")
        for limit in DaemonLimits.table {
            let expected = limit.name == name ? 1_234_567 : limit.standard
            #expect(limit.value(in: limits) == expected, "\(limit.name)")
        }
    }

    @Test(arguments: [
        ("connections: 0", "it is at least 1"), ("connections: -5", "it is at least 1"),
        ("lineBytes: 99999999", "from 1 to 16777216"), ("recordEntries: 1", "at least 2"),
        ("conections: 5", "did you mean \"connections\"?"), ("connections: many", "whole number"),
    ])
    func `a limit that cannot be is refused with what would be right`(
        _ setting: String, _ hint: String
    ) {
        let error = #expect(throws: ConfigurationError.self) { try load("limits: {\(setting)}") }
        #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
    }

    @Test func `--check prints every limit`() {
        let lines = Configuration(socket: "/s").summary.split(separator: "\n")
        for limit in DaemonLimits.table {
            #expect(lines.contains("  \(limit.name): \(limit.standard)"))
        }
    }

    @Test func `the help names every limit with its default`() {
        for limit in DaemonLimits.table {
            #expect(DaemonLimits.help.contains("  \(limit.name) (\(limit.standard))\n"))
        }
    }

    @Test func `the help needs no breaking of lines`() {
        let lines = DaemonLimits.help.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("  ") && $0.count <= 80 })
        let words = DaemonLimits.help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for limit in DaemonLimits.table {
            #expect(words.contains(limit.doc.replacing("`", with: "")))
        }
    }
}
