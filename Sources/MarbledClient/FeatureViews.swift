// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What can be opened, for people.
package enum FeatureViews {
    /// The answer to `feature.list`.
    package static func list(_ answer: JSONValue, _ look: Look) -> [String] {
        var table = Table("FEATURE", "VERSION", "PLUGIN", "ABOUT")
        for feature in answer["features"]?.array ?? [] {
            table.add(
                feature["name"]?.shown ?? "-", feature["version"]?.shown ?? "-",
                feature["plugin"]?.shown ?? "-", feature["doc"]?.shown ?? "")
        }
        return table.lines(look, placeholder: "no features; `marblectl doctor` says what to do")
    }

    /// The answer to `feature.describe`: ports with their types, options with what they start as,
    /// and an example to copy.
    package static func description(_ feature: JSONValue, _ look: Look) -> [String] {
        let name = feature["name"]?.shown ?? "the feature"
        var lines = [
            look.ink.heading(name.printable)
                + " \(feature["version"]?.shown ?? ""), plugin \(feature["plugin"]?.shown ?? "-")"
                .printable
        ]
        if let doc = feature["doc"]?.string, !doc.isEmpty { lines.append(doc.printable) }
        var ports = Table("INPUT", "TYPE", "ABOUT")
        let inputs = feature["inputs"]?.array ?? []
        for input in inputs {
            ports.add(
                input["name"]?.shown ?? "-", type(input["schema"]), input["doc"]?.shown ?? "")
        }
        lines += [""] + ports.lines(look, placeholder: "no inputs")
        var outputs = Table("OUTPUT", "KIND", "TYPE", "ABOUT")
        for output in feature["outputs"]?.array ?? [] {
            outputs.add(
                output["name"]?.shown ?? "-", output["kind"]?.shown ?? "-",
                type(output["schema"]), output["doc"]?.shown ?? "")
        }
        lines += [""] + outputs.lines(look, placeholder: "no outputs")
        lines += options(feature["options"], look)
        let effects = (feature["effects"]?.array ?? []).map { effect in
            effect.string ?? effect["name"]?.shown ?? effect.text
        }
        if !effects.isEmpty {
            lines += [
                "", "asks the outside world for \(effects.joined(separator: ", "))".printable,
            ]
        }
        lines += ["", look.ink.faint("try     marblectl open \(name) --virtual".printable)]
        if let input = inputs.first {
            let value = input["schema"]?["type"]?.string == "null" ? "" : " VALUE"
            lines.append(
                look.ink.faint(
                    "        marblectl send i1 \(input["name"]?.shown ?? "")\(value)".printable))
        }
        return lines
    }

    private static func options(_ options: JSONValue?, _ look: Look) -> [String] {
        let defaults = options?["defaults"]?.object?.members ?? []
        let properties = options?["schema"]?["properties"]
        var table = Table("OPTION", "TYPE", "DEFAULT", "ABOUT")
        let names = properties?.object?.names ?? defaults.map(\.name)
        for name in names {
            table.add(
                name, type(properties?[name]), options?["defaults"]?[name]?.text ?? "-",
                properties?[name]?["description"]?.shown ?? "")
        }
        return table.isEmpty ? [] : [""] + table.lines(look, placeholder: "")
    }

    /// A JSON Schema in a word or two.
    package static func type(_ schema: JSONValue?) -> String {
        guard let schema else { return "any" }
        if let words = schema["enum"]?.array {
            return words.map(\.text).joined(separator: " | ")
        }
        if let value = schema["const"] { return value.text }
        for key in ["anyOf", "oneOf"] {
            if let cases = schema[key]?.array {
                return cases.map { type($0) }.joined(separator: " | ")
            }
        }
        if let types = schema["type"]?.array {
            return types.map(\.shown).joined(separator: " | ")
        }
        switch schema["type"]?.string {
        case "null": return "nothing"
        case "array": return "[\(type(schema["items"]))]"
        case "object":
            guard let members = schema["properties"]?.object?.members, !members.isEmpty else {
                return "object"
            }
            return "{\(members.map { "\($0.name): \(type($0.value))" }.joined(separator: ", "))}"
        case "integer", "number":
            let name = schema["type"]?.shown ?? "number"
            let low = schema["minimum"]?.text
            let high = schema["maximum"]?.text
            return switch (low, high) {
            case (let low?, let high?): "\(name) \(low)…\(high)"
            case (let low?, nil): "\(name) ≥ \(low)"
            case (nil, let high?): "\(name) ≤ \(high)"
            case (nil, nil): name
            }
        case let name?: return name
        case nil: return schema["$ref"]?.shown ?? "any"
        }
    }
}
