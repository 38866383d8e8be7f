// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import MarbledDaemon

/// The daemon's command line.
@main
struct Marbled: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marbled",
        abstract: "Hosts reactive features and serves them as JSON-RPC over a Unix socket.",
        discussion: """
            Start it and talk to it:

              marbled --socket /tmp/marbled.sock &
              marblectl --socket /tmp/marbled.sock open find-number --virtual

            Settings come from flags, then the environment (\
            \(Setting.variables.joined(separator: ", "))), then a YAML file (--config, else \
            \(Configuration.systemFile) when it is there), then defaults. SIGTERM ends it in order, \
            SIGHUP reads the file and the plugins again.

            HTTP goes through the proxies that http_proxy, https_proxy, all_proxy and no_proxy name.
            """,
        version: DaemonVersion.text,
        subcommands: [Serve.self, WriteManifest.self, Check.self, Man.self],
        defaultSubcommand: Serve.self)

    static func main() {
        Process.holdStandardDescriptors()
        main(nil)
    }
}
