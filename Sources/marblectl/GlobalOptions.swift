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

    /// Whether the word after this option belongs to it.
    static func takesValue(_ word: String) -> Bool {
        ["--socket", "-o", "--output", "--timeout"].contains(word)
    }

    func validate() throws {
        guard spawn, socket != nil else { return }
        throw ValidationError("--spawn makes a socket of its own; leave --socket out.")
    }
}
