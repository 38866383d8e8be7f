// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import JSONRPC
internal import MarbledClient

/// The way in and out: reads the command line, runs a verb, and turns every ending into a status.
enum Entry {
    static func run(_ words: [String]) -> ExitStatus {
        let status = perform(words)
        PrivateDaemons.stop()
        guard Output.fault == 0 else {
            return complain(
                .usage(
                    "the output could not be written: \(String(cString: strerror(Output.fault)))",
                    advice: "What is there is not whole; make room, or write somewhere else."))
        }
        return status
    }

    private static func perform(_ words: [String]) -> ExitStatus {
        do {
            try parseAndRun(words)
            return .ok
        } catch let complaint as Complaint {
            return complain(complaint)
        } catch let error as ClientError {
            return complain(Complaint(error))
        } catch let ending as Ending {
            return ending.status
        } catch {
            // What is left is the parser's: help and versions, completion scripts, usage errors.
            let isGood = Marblectl.exitCode(for: error) == .success
            let text = Marblectl.fullMessage(for: error)
            if !text.isEmpty {
                let output = isGood ? Output.standard : Output.error
                output.write(text.hasSuffix("\n") ? text : text + "\n")
            }
            return isGood ? .ok : .usage
        }
    }

    private static func parseAndRun(_ words: [String]) throws {
        if var command = ShortPath.command(words) { return try command.run() }
        try requireKnownVerb(words)
        var command: any ParsableCommand = try Marblectl.parseAsRoot(words)
        try command.run()
    }

    private static func complain(_ complaint: Complaint) -> ExitStatus {
        let ink = Ink(isOn: Terminal.allowsColour && Output.error.isTerminal)
        Output.error.write(lines: complaint.lines(ink))
        return complaint.status
    }

    /// The parser only says that a word is unexpected; here it is said what it may have meant.
    private static func requireKnownVerb(_ words: [String]) throws(Complaint) {
        var rest = words[...]
        while let word = rest.first, word.hasPrefix("-") {
            // Help, versions and completion have words of their own.
            guard let count = GlobalOptions.wordCount(word) else { return }
            rest = rest.dropFirst(count)
        }
        // `help stub set` is about verbs as well.
        if rest.first == "help" { rest = rest.dropFirst() }
        var known: [any ParsableCommand.Type] = Marblectl.configuration.subcommands
        var path = "marblectl help"
        while !known.isEmpty, let verb = rest.popFirst(), !verb.hasPrefix("-") {
            guard let command = known.first(where: { $0.configuration.commandName == verb }) else {
                if known.count == Marblectl.configuration.subcommands.count, verb == "help" {
                    return
                }
                let names = Marblectl.names(of: known.filter { $0.configuration.shouldDisplay })
                throw .usage(
                    "there is no verb \"\(verb.printable)\"",
                    advice: NearestName.find(verb, among: names).map { "Did you mean \"\($0)\"?" }
                        ?? "`\(path)` lists the verbs.")
            }
            known = command.configuration.subcommands
            path += " \(verb)"
        }
    }
}

/// A command has said everything itself and ends with this status.
struct Ending: Error {
    var status: ExitStatus
}
