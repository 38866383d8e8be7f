// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What the daemon says of itself and of its plugins, for people.
package enum DaemonViews {
    /// The answer to `daemon.status`.
    package static func status(_ status: JSONValue, _ look: Look) -> [String] {
        var table = Table("", "")
        func add(_ name: String, _ text: String?) {
            if let text { table.add(name, text) }
        }
        func number(_ name: String) -> String? { status[name]?.int.map { "\($0)" } }
        add("version", status["version"]?.shown)
        add("pid", number("pid"))
        add("uptime", status["uptime"]?.int.map(Quantity.age))
        add("memory", status["memory"]?.int.map(Quantity.bytes))
        add("instances", number("instances"))
        add("connections", number("connections"))
        add("subscriptions", number("subscriptions"))
        add("plugins", number("plugins"))
        add("store", status["store"].map(store))
        for (name, value) in status["counters"]?.object?.members ?? [] {
            table.add(name, value.shown)
        }
        return table.lines(look, placeholder: "the daemon said nothing of itself")
    }

    /// Where what plugins store is kept.
    private static func store(_ store: JSONValue) -> String {
        guard let file = store["file"]?.shown else { return "in memory" }
        return store["problem"].map { "fails: \($0.shown)" } ?? file
    }

    /// The answer to `plugin.list`: the plugins, then the files that were refused, with the reasons.
    package static func plugins(_ answer: JSONValue, _ look: Look) -> [String] {
        var table = Table("PLUGIN", "VERSION", "LOADED", "FEATURES", "LIBRARY")
        for plugin in answer["plugins"]?.array ?? [] {
            table.add(
                plugin["id"]?.shown ?? "-", plugin["version"]?.shown ?? "-",
                plugin["loaded"]?.bool == true ? "yes" : "when needed",
                (plugin["features"]?.array ?? []).map(\.shown).joined(separator: ", "),
                plugin["library"]?.shown ?? "-")
        }
        var lines = table.lines(look, placeholder: "no plugins")
        for refusal in answer["refusals"]?.array ?? [] {
            lines.append("\(look.ink.bad("refused")) \(Self.refusal(refusal))")
        }
        return lines
    }

    package static func refusal(_ refusal: JSONValue) -> String {
        let file = refusal["file"]?.shown ?? "a file"
        return "\(file): \(refusal["reason"]?.shown ?? "no reason given")".printable
    }
}
