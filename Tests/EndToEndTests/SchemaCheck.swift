// SPDX-License-Identifier: Apache-2.0

import JSONRPC

/// The part of JSON Schema that the daemon describes itself in. A keyword that is not known here is a
/// fault, and so is a member that is not described: what is written down is to be all there is.
enum SchemaCheck {
    static func faults(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        guard let object = schema.object else { return ["\(place): no schema: \(schema.text)"] }
        var found: [String] = []
        for (keyword, rule) in object.members {
            switch keyword {
            case "title", "description", "required": break
            case "enum":
                if rule.array?.contains(value) != true {
                    found.append("\(place) is \(value.text), none of \(rule.text)")
                }
            case "anyOf":
                let all = (rule.array ?? []).map { faults(value, $0, place) }
                if !all.contains([]) { found += all.flatMap { $0 } }
            case "type":
                let types = rule.array ?? [rule]
                if !types.contains(where: { isOf($0.string ?? "", value) }) {
                    found.append("\(place) is \(value.text), not \(rule.text)")
                }
            case "minimum":
                if let number = value.double, number < rule.double ?? 0 {
                    found.append("\(place) is below \(rule.text)")
                }
            case "pattern":
                guard let regex = try? Regex(rule.string ?? "") else {
                    found.append("\(place): no pattern: \(rule.text)")
                    break
                }
                if let text = value.string, text.firstMatch(of: regex) == nil {
                    found.append("\(place) is \(value.text), not like \(rule.text)")
                }
            case "items":
                for (index, element) in (value.array ?? []).enumerated() {
                    found += faults(element, rule, "\(place)/\(index)")
                }
            case "properties", "additionalProperties": break
            default: found.append("\(place): the keyword \(keyword) is not known")
            }
        }
        return found + members(value, schema, place)
    }

    private static func members(
        _ value: JSONValue, _ schema: JSONValue, _ place: String
    ) -> [String] {
        guard let members = value.object?.members else { return [] }
        var found: [String] = []
        let described = schema["properties"]
        for (name, member) in members {
            if let rule = described?[name] ?? schema["additionalProperties"] {
                found += faults(member, rule, "\(place)/\(name)")
            } else if described != nil {
                found.append("\(place)/\(name) is not described")
            }
        }
        for name in schema["required"]?.array ?? [] where value[name.string ?? ""] == nil {
            found.append("\(place) has no \(name.text)")
        }
        return found
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .int), ("number", .int),
            ("number", .double), ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }
}
