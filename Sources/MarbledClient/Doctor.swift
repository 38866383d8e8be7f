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
                    advice: "Restart the daemon after an update: `systemctl restart marbled`."),
        ]
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
        return [Finding("store", problem: problem, advice: nil)]
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
            : Finding("plugins", good: names.joined(separator: ", "))
        return [list]
            + refusals.map { refusal in
                Finding(
                    "plugin refused", problem: DaemonViews.refusal(refusal),
                    advice: "Build it against this version, or take the file away; then "
                        + "`marblectl call daemon.reload`.")
            }
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
