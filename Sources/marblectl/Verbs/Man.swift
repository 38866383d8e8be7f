// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import Manual
internal import MarbledClient

/// Prints the manual page, from the verbs' own declarations; `make install` puts it in place.
struct Man: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print the manual page, for man(1).",
        discussion: """
                marblectl man | man -l -
            """,
        shouldDisplay: false)

    func run() throws {
        guard let manual = CommandManual(dump: try JSONValue(parsing: Marblectl._dumpHelp())) else {
            preconditionFailure("the command line does not describe itself")
        }
        Output.standard.write(Self.page(manual))
    }

    private static func page(_ manual: CommandManual) -> String {
        var page = ManualPage(
            "marblectl", section: 1, summary: "talk to marbled, the host of reactive features")
        page.heading("Synopsis")
        page.synopsis([
            .literal("marblectl"), .optional("options"),
            .placeholder("verb"), .optional("words"),
        ])
        page.heading("Description")
        page.paragraph(manual.abstract)
        page.discussion(manual.discussion)
        page.heading("Options")
        page.paragraph("Every verb understands these, and they may stand before its name as well.")
        page.options(manual.arguments.filter { $0.group != nil })
        page.item([.literal("--version")], "Print the version.")
        page.item(
            [.joined([.literal("-h"), .mark(", "), .literal("--help")])],
            "Print what the verb does; `marblectl help` lists the verbs.")
        let leaves = manual.leaves
        for group in Marblectl.configuration.groupedSubcommands {
            page.heading("\(group.name) verbs")
            for name in Marblectl.names(of: group.subcommands) {
                for (words, verb) in leaves where words.first == name {
                    page.command(["marblectl"] + words, verb)
                }
            }
        }
        page.heading("Environment")
        for (name, meaning) in Terminal.variables { page.item([.literal(name)], meaning) }
        page.heading("Exit status")
        for status in ExitStatus.allCases {
            page.item([.literal("\(status.rawValue)")], "\(status.meaning).")
        }
        page.seeAlso(["marbled(8)", "marbled.yaml(5)", "marbled-protocol(7)"])
        return page.text
    }
}
