// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Scheduling

/// What words of a command line mean as JSON.
package enum ArgumentText {
    /// JSON where the text is JSON, else a string: `3`, `[1,2]` and `true` are values, `abc` is text.
    package static func value(_ text: String) -> JSONValue {
        (try? JSONValue(parsing: text)) ?? .string(text)
    }

    /// `key=value` words as an object; a repeated key is a mistake.
    package static func members(_ words: [String]) throws(Complaint) -> JSONValue {
        var object = JSONObject()
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
                throw .usage(
                    "\"\(word)\" is not of the form key=value",
                    advice: "For example: seed=7, or tags='[\"a\",\"b\"]' for a list.")
            }
            let name = String(word[..<equals])
            guard object[name] == nil else {
                throw .usage("\"\(name)\" is given twice", advice: "Keep one of them.")
            }
            object[name] = value(String(word[word.index(after: equals)...]))
        }
        return .object(object)
    }

    /// The parameters of any call: one JSON object, or `key=value` words.
    package static func parameters(_ words: [String]) throws(Complaint) -> JSONValue {
        guard words.count == 1, let first = words.first,
            first.drop(while: \.isWhitespace).first == "{"
        else { return try members(words) }
        return try json(first)
    }

    /// A whole JSON text.
    package static func json(_ text: String) throws(Complaint) -> JSONValue {
        do {
            return try JSONValue(parsing: text)
        } catch {
            throw .usage(
                "the parameters are not JSON: \(error.sentence)",
                advice: "Quote the whole object: '{\"instance\": \"i1\"}', or write instance=i1.")
        }
    }

    /// A duration or a point in time, as the daemon takes it: the text itself, once it is judged.
    ///
    /// A number without a unit is refused: the wire would take it as nanoseconds, and people hardly
    /// ever mean those.
    package static func time(_ text: String, of name: String) throws(Complaint) -> JSONValue {
        .int(try nanoseconds(text, of: name))
    }

    package static func nanoseconds(_ text: String, of name: String) throws(Complaint) -> Int64 {
        if text == "0" { return 0 }
        if let nanoseconds = DurationText.nanoseconds(text.utf8) { return nanoseconds }
        if Int64(text) != nil, !text.hasPrefix("-") {
            throw .usage(
                "\(name) \(text) has no unit", advice: "Write \(text)ms, \(text)s or \(text)ns.")
        }
        if text.hasPrefix("-"), DurationText.nanoseconds(text.dropFirst().utf8) != nil {
            throw .usage(
                "\(name) \(text) is negative",
                advice: "Time goes forward: write \(text.dropFirst()).")
        }
        let advice = "Durations look like 300ms, 1.5s or 2m (ns, us, ms, s, m, h)"
        throw .usage(
            "\(name) \"\(text.printable)\" is no duration", advice: "\(advice), 292 years at most.")
    }

    package static func duration(_ text: String, of name: String) throws(Complaint) -> Duration {
        .nanoseconds(try nanoseconds(text, of: name))
    }

    /// Stubs: a list, one object, or an object with a member `stubs`, as in a scenario file.
    package static func stubs(_ text: String) throws(Complaint) -> [JSONValue] {
        let value: JSONValue
        do {
            value = try FlowText.parse(text)
        } catch {
            throw .usage(
                "the stubs cannot be read: \(error.message)",
                advice: "For example: '{http: GET */random*, reply: {json: [2]}}'.")
        }
        if let list = value.array { return list }
        if let list = value["stubs"]?.array { return list }
        guard case .object = value else {
            throw .usage(
                "stubs are objects, and this is \(value.text)",
                advice: "For example: '{http: GET */random*, reply: {json: [2]}}'.")
        }
        return [value]
    }
}
