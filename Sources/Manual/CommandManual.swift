// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// A command, as swift-argument-parser describes it to tools: what a manual page says of it.
package struct CommandManual {
    package let name: String
    package let abstract: String
    package let discussion: String
    package let subcommands: [CommandManual]
    package let arguments: [Argument]

    /// One word of the command line, or a kind of it.
    package struct Argument: Equatable {
        package let kind: Kind
        /// As they are typed: `-o`, `--output`.
        package let names: [String]
        package let value: String
        package let isOptional: Bool
        package let isRepeating: Bool
        package let doc: String
        package let standard: String?
        /// The group that it belongs to; nil for the command's own.
        package let group: String?

        package enum Kind: String { case positional, option, flag }
    }

    /// Reads what `--experimental-dump-help` prints; nil where it is something else.
    package init?(dump: JSONValue) {
        guard let command = dump["command"] else { return nil }
        self.init(command: command)
    }

    private init?(command: JSONValue) {
        guard let name = command["commandName"]?.string else { return nil }
        self.name = name
        abstract = command["abstract"]?.string ?? ""
        discussion = command["discussion"]?.string ?? ""
        // `help` and `--help` are every command's, and the formatter's page is help itself.
        subcommands = (command["subcommands"]?.array ?? []).filter(\.isShown)
            .compactMap(CommandManual.init(command:)).filter { $0.name != "help" }
        arguments = (command["arguments"]?.array ?? []).filter(\.isShown)
            .compactMap(Argument.init).filter { $0.names != ["-h", "--help"] }
    }

    /// The command's own arguments, without those of all commands.
    package var own: [Argument] { arguments.filter { $0.group == nil && !$0.isVersion } }

    /// What may stand behind the name.
    package var synopsis: [ManualWord] {
        own.filter { $0.kind == .positional }.map(\.place)
            + own.filter { $0.kind != .positional }.map(\.place)
    }

    /// Every command below this one that does something itself, with the words that lead to it.
    package var leaves: [(words: [String], command: CommandManual)] {
        subcommands.flatMap { command in
            command.subcommands.isEmpty
                ? [([command.name], command)]
                : command.leaves.map { ([command.name] + $0.words, $0.command) }
        }
    }
}

extension CommandManual.Argument {
    fileprivate init?(_ argument: JSONValue) {
        guard let kind = argument["kind"]?.string.flatMap(Kind.init(rawValue:)) else { return nil }
        self.kind = kind
        names = (argument["names"]?.array ?? []).compactMap { name in
            name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
        }.sorted { $0.utf8.count < $1.utf8.count }
        value = argument["valueName"]?.string ?? ""
        isOptional = argument["isOptional"]?.bool ?? false
        isRepeating = argument["isRepeating"]?.bool ?? false
        doc = argument["abstract"]?.string ?? ""
        standard = argument["defaultValue"]?.string
        group = argument["sectionTitle"]?.string
    }

    var isVersion: Bool { names == ["--version"] }

    /// As it stands in a synopsis.
    var place: ManualWord {
        let word: [ManualWord] =
            switch kind {
            case .positional: [.placeholder(value)]
            case .flag: [.literal(names.last ?? "")]
            case .option: [.literal(names.last ?? ""), .mark(" "), .placeholder(value)]
            }
        let dots: [ManualWord] = isRepeating ? [.mark("...")] : []
        return .joined(isOptional ? [.mark("[")] + word + [.mark("]")] + dots : word + dots)
    }

    /// As it stands before its explanation.
    var term: [ManualWord] {
        guard kind != .positional else { return [.placeholder(value)] }
        let spelled = names.enumerated().flatMap { index, name -> [ManualWord] in
            index == 0 ? [.literal(name)] : [.mark(", "), .literal(name)]
        }
        let tail: [ManualWord] = kind == .option ? [.mark(" "), .placeholder(value)] : []
        return [.joined(spelled + tail)]
    }

    /// The explanation, with what holds where nothing is given.
    var sentence: String {
        guard let standard, kind == .option else { return doc }
        return "\(doc) (default: \(standard))"
    }
}

extension JSONValue {
    fileprivate var isShown: Bool { self["shouldDisplay"]?.bool ?? true }
}

extension ManualPage {
    /// A command under a heading of its own: how it is typed, what its words mean, how it is used.
    package mutating func command(_ words: [String], _ command: CommandManual) {
        subheading(words.dropFirst().joined(separator: " "))
        synopsis([.literal(words.joined(separator: " "))] + command.synopsis)
        paragraph(command.abstract)
        for argument in command.own { item(argument.term, argument.sentence) }
        discussion(command.discussion)
    }

    /// The options of a group, each with what is said of it.
    package mutating func options(_ arguments: [CommandManual.Argument]) {
        for argument in arguments { item(argument.term, argument.sentence) }
    }
}
