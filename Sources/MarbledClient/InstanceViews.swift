// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// Instances, for people.
package enum InstanceViews {
    /// The answer to `instance.open`.
    package static func opened(_ answer: JSONValue, _ look: Look) -> [String] {
        let name = answer["instance"]?.shown ?? "-"
        return [look.ink.heading(name.printable)] + values(answer["outputs"])
    }

    /// The answer to `instance.list`.
    package static func list(_ answer: JSONValue, _ look: Look) -> [String] {
        var table = Table("INSTANCE", "FEATURE", "CLOCK", ">NOW", "STATE")
        for instance in answer["instances"]?.array ?? [] {
            table.add(
                instance["instance"]?.shown ?? "-", instance["feature"]?.shown ?? "-",
                instance["clock"]?.shown ?? "-", Quantity.time(instance["now"]), state(instance))
        }
        return table.lines(
            look, placeholder: "no instances; `marblectl open FEATURE` opens one")
    }

    /// The answer to `instance.inspect`.
    package static func inspection(_ instance: JSONValue, _ look: Look) -> [String] {
        var head = Table("", "")
        for name in ["instance", "feature", "clock"] {
            head.add(name, instance[name]?.shown ?? "-")
        }
        let step = instance["step"]?.int.map { ", step \($0)" } ?? ""
        head.add("now", Quantity.time(instance["now"]) + step)
        if let seed = instance["seed"] { head.add("seed", seed.shown) }
        head.add("state", state(instance))
        let inputs = (instance["inputs"]?.array ?? []).map { $0["name"]?.shown ?? $0.shown }
        head.add("inputs", inputs.isEmpty ? "none" : inputs.joined(separator: ", "))
        var lines = head.lines(look, placeholder: "")

        var outputs = Table("OUTPUT", "KIND", ">SINCE", "VALUE")
        for output in instance["outputs"]?.array ?? [] {
            outputs.add(
                output["name"]?.shown ?? "-", output["kind"]?.shown ?? "-",
                Quantity.time(output["at"]), output["value"]?.text ?? "-")
        }
        lines += [""] + outputs.lines(look, placeholder: "no outputs")

        var pending = Table(">DUE", "PENDING")
        let items = instance["pending"]?.array ?? []
        for item in items { pending.add(Quantity.time(item["at"]), item["label"]?.shown ?? "-") }
        if !pending.isEmpty {
            lines += [""] + pending.lines(look, placeholder: "")
            let rest = (instance["pendingCount"]?.int ?? 0) - Int64(items.count)
            if rest > 0 { lines.append(look.ink.faint("and \(rest) more")) }
        }
        var effects = Table("WAITS FOR", ">SINCE", ">FOR", "REQUEST")
        for effect in instance["effects"]?.array ?? [] {
            let waited = (instance["now"]?.int).flatMap { now in
                effect["since"]?.int.map { Quantity.time(max(0, now - $0)) }
            }
            effects.add(
                effect["effect"]?.shown ?? "-", Quantity.time(effect["since"]), waited ?? "-",
                effect["request"]?.shown ?? "")
        }
        if !effects.isEmpty { lines += [""] + effects.lines(look, placeholder: "") }
        let holds = (instance["holds"]?.array ?? []).map(\.shown)
        if !holds.isEmpty {
            lines += ["", "time is held by \(holds.joined(separator: ", "))".printable]
        }
        return lines
    }

    /// The answer to `instance.close`.
    package static func closed(_ answer: JSONValue) -> [String] {
        var lines: [String] = []
        let timers = answer["pendingTimers"]?.int ?? 0
        let effects = answer["openEffects"]?.int ?? 0
        if timers > 0 { lines.append("\(Quantity.count(Int(timers), "timer")) had not fired") }
        if effects > 0 { lines.append("\(Quantity.count(Int(effects), "effect")) had no answer") }
        for stub in answer["unusedStubs"]?.array ?? [] {
            lines.append("a stub was never asked: \(stub.shown)".printable)
        }
        let name = answer["instance"].map { "\($0.shown.printable): " } ?? ""
        return lines.isEmpty ? ["\(name)closed; nothing was pending"] : ["\(name)closed"] + lines
    }

    /// Outputs by name, one a line; `target   1`.
    package static func values(_ outputs: JSONValue?) -> [String] {
        var table = Table("", "")
        for (name, value) in outputs?.object?.members ?? [] { table.add(name, value.text) }
        return table.isEmpty ? [] : table.lines(Look(), placeholder: "")
    }

    /// The states of an inspected instance, as an object.
    package static func states(_ inspection: JSONValue) -> JSONValue {
        let outputs = inspection["outputs"]?.array ?? []
        return .object(
            outputs.compactMap { output in
                guard let name = output["name"]?.string, let value = output["value"] else {
                    return nil
                }
                return (name, value)
            })
    }

    private static func state(_ instance: JSONValue) -> String {
        let running = instance["running"]?.bool == true ? ", running" : ""
        let reason = instance["reason"]?.string.map { ": \($0)" } ?? ""
        return "\(instance["state"]?.shown ?? "-")\(running)\(reason)"
    }
}
