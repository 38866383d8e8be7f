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

    static let inputs = CompletionKind.custom { words, _, _ in ports("inputs", words) }
    static let outputs = CompletionKind.custom { words, _, _ in ports("outputs", words) }

    private static func names(
        _ method: String, _ list: String, _ member: String, _ words: [String]
    ) -> [String] {
        (ask(method, [:], words)?[list]?.array ?? []).compactMap { $0[member]?.string }
    }

    /// The ports of the instance that was typed after the verb.
    private static func ports(_ list: String, _ words: [String]) -> [String] {
        guard let verb = words.firstIndex(where: { ["send", "get", "watch", "run"].contains($0) }),
            let instance = words[(verb + 1)...].first(where: { !$0.hasPrefix("-") && !$0.isEmpty }),
            let report = ask("instance.inspect", ["instance": .string(instance)], words)
        else { return [] }
        return (report[list]?.array ?? []).compactMap { $0.string ?? $0["name"]?.string }
    }

    private static func ask(
        _ method: String, _ params: JSONValue, _ words: [String]
    ) -> JSONValue? {
        let end = Deadline.after(patience)
        let named = words.firstIndex(of: "--socket").map { $0 + 1 }
        let socket = named.flatMap { words.indices.contains($0) ? words[$0] : nil }
        let paths = SocketPath.candidates(option: socket, environment: Terminal.variable)
        guard let client = try? Client.connect(to: paths, timeout: patience),
            let id = try? client.begin(method, params)
        else { return nil }
        return (try? client.answer(to: id, until: end)) ?? nil
    }
}
