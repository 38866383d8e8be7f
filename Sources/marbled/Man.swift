// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import Manual
internal import MarbledDaemon

/// Prints the manual pages, from the declarations that the daemon runs by; `make install` puts them in place.
struct Man: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "man", abstract: "Print a manual page, for man(1).",
        discussion: """
              marbled man marbled.yaml | man -l -
            """,
        shouldDisplay: false)

    enum Page: String, CaseIterable, ExpressibleByArgument {
        case marbled
        case settings = "marbled.yaml"
        case `protocol` = "marbled-protocol"
    }

    @ArgumentParser.Argument(help: "The page.")
    var page = Page.marbled

    func run() throws {
        let text =
            switch page {
            case .marbled: try Self.marbled()
            case .settings: Self.settings
            case .protocol: Self.protocol
            }
        print(text, terminator: "")
    }

    // MARK: The pages

    private static func marbled() throws -> String {
        guard
            let manual = CommandManual(dump: try JSONValue(parsing: Marbled._dumpHelp())),
            let serve = manual.subcommands.first(where: { $0.name == "serve" })
        else { preconditionFailure("the command line does not describe itself") }
        var page = ManualPage("marbled", section: 8, summary: "host of reactive features")
        page.heading("Synopsis")
        page.synopsis([.literal("marbled"), .optional("options")])
        let others = manual.leaves.filter { $0.command.name != serve.name }
        for (words, command) in others {
            page.synopsis(
                [.literal((["marbled"] + words).joined(separator: " "))] + command.synopsis)
        }
        page.heading("Description")
        page.paragraph(manual.abstract)
        page.discussion(manual.discussion)
        page.heading("Options")
        page.options(serve.own)
        page.item([.literal("--version")], "Print the version.")
        page.heading("Commands")
        for (words, command) in others { page.command(["marbled"] + words, command) }
        page.heading("Environment")
        for setting in Setting.table {
            guard let variable = setting.variable else { continue }
            page.item([.literal(variable)], "The setting `\(setting.name)`. \(setting.doc)")
        }
        page.item([.literal("MARBLED_CONFIG")], "The file to read settings from.")
        page.heading("Exit status")
        for (code, meaning) in [
            (0, "It was told to stop, or did what was asked."),
            (1, "It could not start, or a command failed; a sentence says why."),
            (3, "A setting is wrong; a sentence says which, and what would be right."),
        ] { page.item([.literal("\(code)")], meaning) }
        page.seeAlso(["marblectl(1)", "marbled.yaml(5)", "marbled-protocol(7)"])
        return page.text
    }

    private static var settings: String {
        var page = ManualPage(
            "marbled.yaml", section: 5,
            summary: "settings of marbled, the host of reactive features")
        page.heading("Synopsis")
        page.synopsis([.literal(Configuration.systemFile)])
        page.heading("Description")
        page.paragraph(
            "A mapping in YAML. Flags go before the environment, the environment before the file, and the "
                + "file before what holds where nothing is said. A name that is none is refused with the file "
                + "and the line. `marbled --check` prints what is in force; SIGHUP and `marblectl reload` "
                + "read the file again, and keep the old settings where the new ones are wrong.")
        page.example([
            "mode: 0660", "group: marbled", "access:", "  users: {ann: admin}",
            "  groups: {operators: control}", "  others: read", "limits:", "  connections: 200",
        ])
        page.heading("Settings")
        for setting in Setting.table {
            let others = [setting.flag, setting.variable].compactMap { $0 }.map { "`\($0)`" }
            page.item(
                [.joined([.literal(setting.name), .mark(": "), .placeholder(setting.value)])],
                "\(setting.doc) Default: \(setting.standard)."
                    + (others.isEmpty ? "" : " Also \(others.joined(separator: ", ")).")
            )
        }
        page.heading("Access")
        page.paragraph(
            "Who a client is, the kernel says when it connects. Each method needs `read`, `control` or "
                + "`admin`; a level holds those before it. Root and the daemon's own user have `admin`. What is "
                + "said of a user counts before what is said of its groups; of its groups the one with most "
                + "counts; then what is said of others. Who may connect at all is up to the socket's mode and "
                + "group.")
        page.heading("Limits")
        page.paragraph(
            "Each stands under `limits` with a whole number. `marblectl status` tells how often one struck."
        )
        for limit in DaemonLimits.table {
            page.item(
                [.joined([.literal(limit.name), .mark(": "), .placeholder("\(limit.standard)")])],
                limit.doc)
        }
        page.heading("Files")
        page.item([.literal(Configuration.systemFile)], "Read where `--config` names no other.")
        page.seeAlso(["marbled(8)", "marblectl(1)", "marbled-protocol(7)"])
        return page.text
    }

    private static var `protocol`: String {
        var page = ManualPage(
            "marbled-protocol", section: 7, summary: "JSON-RPC over the socket of marbled")
        page.markdown(ProtocolPage().text)
        page.seeAlso(["marbled(8)", "marblectl(1)", "marbled.yaml(5)"])
        return page.text
    }
}
