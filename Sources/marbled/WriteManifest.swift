// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import MarbledDaemon

/// Writes the manifest of a plugin: what its code says of itself, and the library's name.
struct WriteManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest",
        abstract: "Print or write the manifest of a plugin's library.",
        discussion: """
            The manifest stands beside the library as NAME.plugin.json, so that the daemon knows a plugin \
            without running its code:

              marbled manifest libFindNumber.so --write
            """)

    @Argument(help: "The plugin's shared library.", completion: .file(extensions: ["so"]))
    var library: String

    @Flag(help: "Write NAME.plugin.json beside the library instead of printing.")
    var write = false

    func run() throws {
        do {
            let manifest = try PluginManifest(library: library)
            guard write else { return print(manifest.text, terminator: "") }
            try manifest.write()
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
    }
}
