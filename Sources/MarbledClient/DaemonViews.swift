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
        for (name, value) in status["limits"]?.object?.members ?? [] {
            table.add("limit \(name)", "struck \(value.shown) times")
        }
        return table.lines(look, placeholder: "the daemon said nothing of itself")
    }

    /// Where what plugins store is kept.
    private static func store(_ store: JSONValue) -> String {
        guard let file = store["file"]?.shown else { return "in memory" }
        return store["problem"].map { "fails: \($0.shown)" } ?? file
    }

    /// The answer to `daemon.clients`.
    package static func clients(_ answer: JSONValue, _ look: Look) -> [String] {
        var table = Table(
            "CLIENT", "PID", "UID", "LEVEL", "AGE", "STREAMS", "CALLS", "UNREAD", "LOST")
        for client in answer["clients"]?.array ?? [] {
            func shown(_ name: String) -> String { client[name]?.shown ?? "-" }
            let number = shown("client") + (client["self"]?.bool == true ? " (this)" : "")
            table.add(
                number, shown("pid"), shown("uid"), shown("level"),
                client["age"]?.int.map(Quantity.age) ?? "-", shown("subscriptions"),
                shown("callsInFlight"), client["unsentBytes"]?.int.map(Quantity.bytes) ?? "-",
                shown("lostEvents"))
        }
        return table.lines(look, placeholder: "nobody is connected")
    }

    /// The answer to `daemon.reload`.
    package static func reloaded(_ answer: JSONValue, _ look: Look) -> [String] {
        func names(_ member: String) -> [String] { (answer[member]?.array ?? []).map(\.shown) }
        let changed = names("changed")
        var lines = [
            changed.isEmpty ? "nothing changed" : "changed: " + changed.joined(separator: ", ")
        ]
        let waiting = names("needRestart")
        if !waiting.isEmpty { lines.append("after a restart: " + waiting.joined(separator: ", ")) }
        if let count = answer["refusals"]?.int, count > 0 {
            lines.append(
                look.ink.bad("plugins refused: \(count)") + "; see `marblectl plugin list`")
        }
        return lines
    }

    /// The answer to `plugin.load` and `plugin.reload`.
    package static func plugin(_ answer: JSONValue, _ look: Look) -> [String] {
        let name = "\(answer["id"]?.shown ?? "-") \(answer["version"]?.shown ?? "-")"
        if answer["changed"]?.bool == false {
            return ["\(name) is the build that is there already"]
        }
        var line = "\(name) from \(answer["library"]?.shown ?? "-")"
        if let older = answer["onOlderBuilds"]?.int, older > 0 {
            line += "; \(older) instances stay on older builds"
        }
        return [line]
    }

    /// The answer to `plugin.list`: the plugins, then those that were retired, then the files that were
    /// refused, with the reasons.
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
        for id in answer["retired"]?.array ?? [] {
            lines.append("retired \(id.shown); `marblectl plugin load MANIFEST` brings it back")
        }
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
