// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import MarbledClient

/// The command line's argument, where JSONRPC has one of its own.
typealias Argument = ArgumentParser.Argument

extension OutputFormat: ExpressibleByArgument {}

/// What every verb understands, before its name or after it.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket; else $MARBLED_SOCKET, $XDG_RUNTIME_DIR/marbled.sock, "
                + "/run/marbled/marbled.sock.",
            valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(
        name: [.short, .customLong("output")],
        help: "How to print: table, json or jsonl; else table on a terminal and json in a pipe.")
    var output: OutputFormat?

    @Option(
        help: ArgumentHelp(
            "How long to wait for an answer, such as 500ms; else 10s, and without end where the "
                + "clock is driven.",
            valueName: "duration"))
    var timeout: String?

    @Flag(help: "Start a private daemon for the length of this command.")
    var spawn = false

    /// How many words this option takes, itself included; nil where it is none of these.
    static func wordCount(_ word: String) -> Int? {
        switch word {
        case "--socket", "-o", "--output", "--timeout": 2
        case "--spawn": 1
        case _ where word.hasPrefix("--") && word.contains("="): 1
        default: nil
        }
    }

    func validate() throws {
        guard spawn, socket != nil else { return }
        throw ValidationError("--spawn makes a socket of its own; leave --socket out.")
    }
}
