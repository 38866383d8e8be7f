// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// One thing that was looked at, how it is, and what to do where it is not well.
package struct Finding: Equatable, Sendable {
    package var subject: String
    package var isGood: Bool
    package var text: String
    package var advice: String?

    package init(_ subject: String, good text: String) {
        self.subject = subject
        isGood = true
        self.text = text
    }

    package init(_ subject: String, problem text: String, advice: String?) {
        self.subject = subject
        isGood = false
        self.text = text
        self.advice = advice
    }

    package var json: JSONValue {
        var value: JSONValue = .object([
            ("subject", .string(subject)), ("ok", .bool(isGood)), ("text", .string(text)),
        ])
        value["advice"] = advice.map { .string($0) }
        return value
    }

    package func lines(_ look: Look) -> [String] {
        let mark = isGood ? look.ink.good("ok     ") : look.ink.bad("problem")
        let line = "\(mark)  \(subject): \(text.printable)"
        return advice.map { [line, "         \($0.printable)"] } ?? [line]
    }
}

/// What the daemon's answers say about its health.
package enum Doctor {
    /// The protocol that this client speaks.
    private static let protocolVersion = Int64(MarbledVersion.protocol)

    /// Judges the answer to `daemon.hello`.
    package static func hello(_ hello: JSONValue, ownVersion: String) -> [Finding] {
        let spoken = hello["protocol"]?.int
        let version = hello["version"]?.string ?? "unknown"
        return [
            spoken == protocolVersion
                ? Finding("protocol", good: "\(protocolVersion)")
                : Finding(
                    "protocol",
                    problem: "the daemon speaks \(spoken.map { "\($0)" } ?? "none that it names"), "
                        + "marblectl speaks \(protocolVersion)",
                    advice: "Install marbled and marblectl from one release."),
            version == ownVersion
                ? Finding("version", good: version)
                : Finding(
                    "version", problem: "the daemon is \(version), marblectl is \(ownVersion)",
                    advice: isOlder(version, than: ownVersion)
                        ? "Restart the daemon after an update: `systemctl restart marbled`."
                        : "Update marblectl, or put the newer one first in PATH: `type -a marblectl`."
                ),
        ] + level(hello)
    }

    /// What the caller may do; a daemon of before says nothing.
    private static func level(_ hello: JSONValue) -> [Finding] {
        guard let level = hello["level"]?.string else { return [] }
        let meaning =
            switch level {
            case "read": "read: you may look, and change nothing"
            case "control": "control: you may do everything but administer the daemon"
            default: level
            }
        return [Finding("rights", good: meaning)]
    }

    /// Compares versions by their numbers; one without numbers is the older one.
    private static func isOlder(_ version: String, than other: String) -> Bool {
        func numbers(_ text: String) -> [Int] {
            text.split { $0 == "." || $0 == "-" }.map { Int($0) ?? -1 }
        }
        return numbers(version).lexicographicallyPrecedes(numbers(other))
    }

    /// A daemon that does not answer, by its process: its number, and the state that the kernel gives.
    package static func silent(process: Int32?, state: Character?) -> Finding {
        guard let process, process > 1 else {
            return Finding(
                "daemon", problem: "it accepts connections and does not answer",
                advice: "Restart it: `systemctl restart marbled`.")
        }
        if state == "T" {
            return Finding(
                "daemon", problem: "its process \(process) was stopped by a signal",
                advice: "Let it go on: `kill -CONT \(process)`.")
        }
        return Finding(
            "daemon",
            problem: "its process \(process) accepts connections and does not answer"
                + (state == "D" ? ": it waits for a disk" : state == "R" ? ": it is busy" : ""),
            advice: "A plugin may never return. Restart the daemon: `systemctl restart marbled`, "
                + "or `kill -KILL \(process)` and start it again.")
    }

    /// Judges what `daemon.status` says of the store; a daemon of before says nothing.
    package static func store(_ status: JSONValue) -> [Finding] {
        guard let store = status["store"] else { return [] }
        guard let file = store["file"]?.string else {
            return [
                Finding(
                    "store",
                    good:
                        "in memory, lost when the daemon ends; --state-directory names a place to keep it"
                )
            ]
        }
        guard let problem = store["problem"]?.string else { return [Finding("store", good: file)] }
        return [
            Finding(
                "store", problem: problem,
                advice: "Once that is mended, the next request finds it so: no restart is needed.")
        ]
    }

    /// Judges the answer to `plugin.list`.
    package static func plugins(_ answer: JSONValue) -> [Finding] {
        let plugins = answer["plugins"]?.array ?? []
        let refusals = answer["refusals"]?.array ?? []
        let names = plugins.compactMap { $0["id"]?.string }
        let list =
            plugins.isEmpty
            ? Finding(
                "plugins", problem: "none is installed",
                advice:
                    "`marbled manifest LIBRARY --write` makes a library's manifest; the folder is "
                    + "the daemon's --plugin-path.")
            : Finding("plugins", good: names.joined(separator: ", ") + Self.retired(answer))
        return [list]
            + refusals.map { refusal in
                Finding(
                    "plugin refused", problem: DaemonViews.refusal(refusal),
                    advice: "Build it against this version, or take the file away; then "
                        + "`marblectl reload`.")
            }
    }

    private static func retired(_ answer: JSONValue) -> String {
        let names = (answer["retired"]?.array ?? []).map(\.shown)
        return names.isEmpty ? "" : "; retired: \(names.joined(separator: ", "))"
    }

    /// Judges a library by what its code says of itself now, and the manifest that stands beside it.
    ///
    /// - Parameters:
    ///   - code: what `marbled manifest` printed; nil where the library could not be loaded.
    ///   - complaint: why not.
    package static func build(
        of plugin: String, library: String, code: JSONValue?, complaint: String,
        manifest: JSONValue?
    ) -> Finding? {
        guard let code else {
            return Finding(
                "plugin \(plugin)", problem: complaint,
                advice: "Build \(library) again for this version, then `marblectl plugin reload "
                    + "\(plugin)`.")
        }
        guard var manifest else { return nil }
        // The file's name stands in the file alone.
        manifest["library"] = nil
        var described = code
        described["library"] = nil
        guard described != manifest else { return nil }
        return Finding(
            "plugin \(plugin)",
            problem: "the code of \(library) is another build than its manifest describes",
            advice: "Write the manifest again: `marbled manifest \(library) --write`, then "
                + "`marblectl reload`.")
    }

    /// Judges the answer to `instance.list`.
    package static func instances(_ answer: JSONValue) -> Finding {
        let instances = answer["instances"]?.array ?? []
        let failed = instances.filter { $0["state"]?.string == "failed" }
            .compactMap { $0["instance"]?.string }
        guard !failed.isEmpty else {
            return Finding("instances", good: "\(instances.count) open, none failed")
        }
        return Finding(
            "instances", problem: "failed: \(failed.joined(separator: ", "))",
            advice: "`marblectl inspect \(failed[0])` tells why.")
    }
}
