// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import JSONRPC
internal import MarbledClient

struct Plugin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin",
        abstract: "Plugins: what is installed, how to begin one, whether it keeps its promises.",
        discussion: """
              marblectl plugin list
              marblectl plugin new traffic-light
              marblectl plugin check .build/release/libTrafficLight.so
            """,
        subcommands: [
            PluginList.self, PluginLoad.self, PluginReload.self, PluginRetire.self, PluginNew.self,
            PluginCheckVerb.self,
        ],
        defaultSubcommand: PluginList.self)
}

struct PluginList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the plugins, and the files refused with the reason.",
        discussion: """
              marblectl plugin list
              marblectl plugin list -o json | jq '.refusals[].reason'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("plugin.list"), list: "plugins", DaemonViews.plugins)
    }
}

struct PluginCheckVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check whether a plugin's library keeps its promises.",
        discussion: """
            Needs no daemon: `marbled check` tries the plugin in a process of its own, in virtual time. \
            Ends with 0 when nothing failed, with 1 otherwise; warnings do not count.

              marblectl plugin check .build/release/libFindNumber.so
              marblectl plugin check libCounter.so -o json | jq '.findings[] | select(.outcome != "ok")'
            """)

    @Argument(help: "The plugin's shared library.", completion: .file(extensions: ["so"]))
    var library: String

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    /// A plugin that loops for ever is told after this long.
    private static let patience = Duration.seconds(120)

    func run() throws {
        let patience =
            try options.timeout.map { (text) throws(Complaint) in
                try ArgumentText.duration(text, of: "--timeout")
            } ?? Self.patience
        guard access(library, R_OK) == 0 else {
            throw Complaint.usage(
                "\(library) cannot be read: \(String(cString: strerror(errno)))",
                advice: "Name the plugin's shared library, such as .build/release/libFindNumber.so."
            )
        }
        let daemon = try PrivateDaemon.executable(path: Terminal.variable("PATH"))
        let child = try ChildRun.run([daemon, "check", library], patience: patience)
        let report = PluginReport(child.output, child.ending)
        switch options.output ?? .standard(isTerminal: Output.standard.isTerminal) {
        case .table: Output.standard.write(lines: report.text(Context.look()))
        case .json: Output.standard.write(lines: [report.json.prettyText])
        case .jsonl:
            Output.standard.write(lines: (report.json["findings"]?.array ?? []).map(\.text))
        }
        if !report.isGood { throw Ending(status: .refused) }
    }
}

struct PluginNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a plugin: a package that builds and passes its test.",
        discussion: """
            Writes a folder with sources, a test, a scenario, a README and a Makefile; never over a file \
            that is there. Needs no daemon.

              marblectl plugin new traffic-light
              marblectl plugin new traffic-light --marbled ~/src/marbled --path ~/src
              marblectl plugin new traffic-light --language c
            """)

    @Argument(help: "The feature's name: lower case with hyphens.")
    var name: String

    @Option(help: "What it is written in: swift or c.", completion: .list(["swift", "c"]))
    var language: String = "swift"

    @Option(help: "The folder to make the new one in.", completion: .directory)
    var path: String = "."

    @Option(
        help: ArgumentHelp(
            "Where marbled's sources are: a folder, or a URL of the repository; else the checkout that "
                + "marblectl was built in.",
            valueName: "path-or-url"),
        completion: .directory)
    var marbled: String?

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        guard let language = Scaffold.Language(rawValue: language) else {
            throw Complaint.usage(
                "\"\(language)\" is no language of plugins",
                advice: "It is swift, or c.")
        }
        let scaffold = try Scaffold(
            name: name, language: language, origin: try origin(for: language))
        let folder = "\(path)/\(name)"
        let files = scaffold.files
        guard access(folder, F_OK) != 0 else {
            throw Complaint.usage(
                "\(folder) is there already, and nothing is written over",
                advice: "Choose another name, another --path, or take the folder away.")
        }
        for file in files {
            let place = "\(folder)/\(file.path)"
            if let slash = place.lastIndex(of: "/") {
                try Files.makeFolder(String(place[..<slash]))
            }
            try Files.write(file.text, to: place)
        }
        switch options.output ?? .standard(isTerminal: Output.standard.isTerminal) {
        case .table:
            Output.standard.write(
                lines: files.map { "\(folder)/\($0.path)" } + [
                    "", "Next:  cd \(folder) && make && make test && make check",
                ])
        case .json, .jsonl:
            let report: JSONValue = .object([
                ("folder", .string(folder)), ("files", .array(files.map { .string($0.path) })),
            ])
            Output.standard.write(lines: [report.text])
        }
    }

    /// Where the new package finds marbled: as it was said, else where this program was built.
    private func origin(for language: Scaffold.Language) throws(Complaint) -> Scaffold.Origin {
        if let marbled {
            if marbled.contains("://") || marbled.hasPrefix("git@") { return .url(marbled) }
            guard let folder = Files.absolute(marbled),
                access("\(folder)/Package.swift", R_OK) == 0
                    || (language == .c
                        && Scaffold.headerFolder(in: folder, isThere: Files.isThere)
                            != nil)
            else {
                throw Complaint.usage(
                    "\(marbled) holds no Package.swift",
                    advice: "Name the folder that marbled was cloned into, or the repository's URL."
                )
            }
            return .folder(folder)
        }
        if let own = PrivateDaemon.ownExecutable,
            let folder = Scaffold.home(of: own, for: language, isThere: Files.isThere)
        {
            return .folder(folder)
        }
        throw Complaint.usage(
            "it is not known where marbled's sources are",
            advice:
                "Say it with --marbled: the folder that it was cloned into, or the repository's URL."
        )
    }
}
