// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

/// What the shell offers while a command is typed: names that the daemon knows. It must never be in
/// the way, so it has 200 ms, and says nothing where there is no daemon.
enum Completion {
    private static let patience = Duration.milliseconds(200)

    static let features = CompletionKind.custom { words, _, _ in
        names("feature.list", "features", "name", words)
    }

    static let instances = CompletionKind.custom { words, _, _ in
        names("instance.list", "instances", "instance", words)
    }

    static let plugins = CompletionKind.custom { words, _, _ in
        names("plugin.list", "plugins", "id", words)
    }

    static let inputs = CompletionKind.custom { words, _, _ in ports("inputs", words) }
    static let outputs = CompletionKind.custom { words, _, _ in ports("outputs", words) }
    /// Outputs that have a value to read.
    static let states = CompletionKind.custom { words, _, _ in ports("outputs", words, "state") }

    /// A feature's options, each with its default to be changed: `min=1`.
    static let settings = CompletionKind.custom { words, _, _ in
        guard let feature = argument(words),
            let answer = ask("feature.describe", ["feature": .string(feature)], words)
        else { return [] }
        return (answer["options"]?["defaults"]?.object?.members ?? []).map {
            "\($0.name)=\($0.value.shown)"
        }
    }

    static let methods = CompletionKind.custom { words, _, _ in
        methods(words).compactMap { $0["name"]?.string }
    }

    /// The parameters of the method that was typed; of those that name something, what there is.
    static let parameters = CompletionKind.custom { words, _, _ in
        guard let name = argument(words),
            let method = methods(words).first(where: { $0["name"]?.string == name })
        else { return [] }
        return (method["params"]?.array ?? []).compactMap { $0["name"]?.string }.flatMap { name in
            let values =
                switch name {
                case "instance": names("instance.list", "instances", "instance", words)
                case "feature": names("feature.list", "features", "name", words)
                case "plugin": names("plugin.list", "plugins", "id", words)
                default: [""]
                }
            return values.map { "\(name)=\($0)" }
        }
    }

    // MARK: What there is

    private static func names(
        _ method: String, _ list: String, _ member: String, _ words: [String]
    ) -> [String] {
        (ask(method, [:], words)?[list]?.array ?? []).compactMap { $0[member]?.string }
    }

    private static func methods(_ words: [String]) -> [JSONValue] {
        ask("rpc.discover", [:], words)?["methods"]?.array ?? []
    }

    /// The ports of the instance that was typed after the verb.
    private static func ports(
        _ list: String, _ words: [String], _ kind: String? = nil
    ) -> [String] {
        guard let instance = argument(words),
            let report = ask("instance.inspect", ["instance": .string(instance)], words)
        else { return [] }
        return (report[list]?.array ?? [])
            .filter { kind == nil || $0["kind"]?.string == kind }
            .compactMap { $0.string ?? $0["name"]?.string }
    }

    // MARK: What was typed

    /// The first word after the verb: what the words behind it are about.
    private static func argument(_ words: [String]) -> String? {
        let plain = plainWords(words)
        return plain.count > 1 ? plain[1] : nil
    }

    /// The verb and what follows it, without the options that every verb has.
    private static func plainWords(_ words: [String]) -> [String] {
        var rest = words.dropFirst()
        var plain: [String] = []
        while let word = rest.first {
            if let count = GlobalOptions.wordCount(word) {
                rest = rest.dropFirst(count)
            } else {
                rest = rest.dropFirst()
                if !word.hasPrefix("-"), !word.isEmpty { plain.append(word) }
            }
        }
        return plain
    }

    private static func socket(_ words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word == "--socket" {
                return words.indices.contains(index + 1) ? words[index + 1] : nil
            }
            if word.hasPrefix("--socket=") { return String(word.dropFirst("--socket=".count)) }
        }
        return nil
    }

    private static func ask(
        _ method: String, _ params: JSONValue, _ words: [String]
    ) -> JSONValue? {
        let end = Deadline.after(patience)
        let paths = SocketPath.candidates(option: socket(words), environment: Terminal.variable)
        guard let client = try? Client.connect(to: paths, timeout: patience),
            let id = try? client.begin(method, params, until: end)
        else { return nil }
        return (try? client.answer(to: id, until: end)) ?? nil
    }
}
