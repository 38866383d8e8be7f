// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

/// The command line's root.
struct Marblectl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "marblectl",
        abstract: "Talks to marbled, the daemon that hosts reactive features.",
        discussion: """
            A first look, with a daemon of its own for the length of one command:

              marblectl --spawn features
              marblectl --spawn play find-number

            With a daemon that runs (`marbled`, or `systemctl start marbled`), time by hand:

              i=$(marblectl open find-number --virtual)
              marblectl send $i gameStart
              marblectl advance $i 300ms
              marblectl get $i round

            Tables on a terminal, JSON in a pipe; -o table|json|jsonl chooses. Exit codes: \
            \(ExitStatus.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")).
            """,
        version: MarbledVersion.current.description,
        subcommands: [Man.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Daemon",
                subcommands: [
                    Ping.self, Status.self, Clients.self, Reload.self, DoctorVerb.self, Plugin.self,
                ]),
            CommandGroup(name: "Feature", subcommands: [Features.self, Describe.self, Play.self]),
            CommandGroup(
                name: "Instance",
                subcommands: [
                    Open.self, Close.self, List.self, Inspect.self, Send.self, Get.self, Watch.self,
                    RecordVerb.self, StubVerb.self,
                ]),
            CommandGroup(
                name: "Clock",
                subcommands: [Now.self, Advance.self, Step.self, RunVerb.self]),
            CommandGroup(
                name: "Other", subcommands: [Test.self, ReplayVerb.self, Wire.self, Call.self]),
        ])

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    /// The names that verbs are typed by.
    static func names(of verbs: [any ParsableCommand.Type]) -> [String] {
        verbs.compactMap { $0.configuration.commandName }
    }
}
