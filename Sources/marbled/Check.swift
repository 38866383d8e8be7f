// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import JSONRPC
internal import PluginCheck

/// The conformance check of a plugin, as lines for a program. `marblectl plugin check` shows them to people,
/// and outlives a plugin that crashes.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a plugin's library; one line of JSON for each finding.",
        discussion: """
            {"began": …} stands before each check, so that a crash can be told by what was tried last. \
            For people:

              marblectl plugin check libFindNumber.so
            """)

    @ArgumentParser.Argument(
        help: "The plugin's shared library.", completion: .file(extensions: ["so"]))
    var library: String

    // For tests of what is found.
    @Option(help: .private) var symbol = "marbled_plugin_v1"

    func run() throws {
        // What the plugin prints is not a finding.
        let lines = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        func write(_ value: JSONValue) {
            var text = value.text + "\n"
            text.withUTF8 { _ = Glibc.write(lines, $0.baseAddress, $0.count) }
        }
        var check = PluginCheck(
            library: library, symbol: symbol,
            report: CheckReport(
                began: { write(["began": .string($0)]) }, found: { write($0.json) }))
        let isGood = check.run()
        write(["finished": .bool(isGood)])
        if !isGood { throw ExitCode(1) }
    }
}
