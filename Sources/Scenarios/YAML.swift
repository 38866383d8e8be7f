// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import YAML

/// The fields of a mapping whose keys are known.
struct Fields {
    private let node: YAMLNode
    private let what: String
    private let fields: [YAMLNode.Pair]

    /// Refuses keys that are not known, and keys that stand twice.
    init(_ node: YAMLNode, of what: String, known: [String]) throws(ScenarioError) {
        self.node = node
        self.what = what
        fields = try node.pairs(what)
        var seen: Set<String> = []
        for key in fields.map(\.key) {
            guard known.contains(key.plainText) else {
                let hint =
                    NearestName.find(key.plainText, among: known).map { "; did you mean \($0)?" }
                    ?? ""
                throw key.error(
                    "\(what) has no key \"\(key.plainText)\"\(hint) (known: \(known.joined(separator: ", ")))"
                )
            }
            guard seen.insert(key.plainText).inserted else {
                throw key.error("\(key.plainText) stands twice")
            }
        }
    }

    subscript(_ name: String) -> YAMLNode? {
        fields.first { $0.key.plainText == name }?.value
    }

    func require(_ name: String) throws(ScenarioError) -> YAMLNode {
        guard let value = self[name] else { throw node.error("\(what) needs `\(name)`") }
        return value
    }
}

extension YAMLNode {
    var place: Scenario.Place { Scenario.Place(line: line, column: column) }

    /// An error at this place.
    func error(_ message: String) -> ScenarioError {
        ScenarioError(message, line: line, column: column)
    }

    /// The text of a scalar, or nothing.
    var plainText: String {
        text ?? ""
    }

    /// The text of a scalar.
    func text(_ what: String) throws(ScenarioError) -> String {
        guard let text else { throw error("\(what) is a single value here") }
        return text
    }

    /// The pairs of a mapping, in the order of the file.
    func pairs(_ what: String) throws(ScenarioError) -> [Pair] {
        guard case .mapping(let pairs) = content else {
            throw error("\(what) is a mapping of names to values")
        }
        return pairs
    }

    /// The node as JSON.
    func json() throws(ScenarioError) -> JSONValue {
        switch content {
        case .scalar(let text, let isQuoted):
            return isQuoted ? .string(text) : YAMLScalar.json(text)
        case .sequence(let items):
            var values: [JSONValue] = []
            for item in items { values.append(try item.json()) }
            return .array(values)
        case .mapping(let pairs):
            var members: [(String, JSONValue)] = []
            for pair in pairs { members.append((pair.key.plainText, try pair.value.json())) }
            return .object(members)
        }
    }

    /// The node as JSON, for code of the host that throws its own errors.
    func jsonForHost() throws(HostError) -> JSONValue {
        do {
            return try json()
        } catch {
            throw .badValue(pointer: "", expected: error.message)
        }
    }
}

/// What a plain scalar means: YAML's core schema, where `yes` and `on` are words like others.
enum YAMLScalar {
    static func json(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if let int = Int64(text) { return .int(int) }
        let looksNumeric = text.first.map { $0.isNumber || "+-.".contains($0) } ?? false
        if looksNumeric, let double = Double(text), double.isFinite { return .double(double) }
        return .string(text)
    }
}

extension ScenarioError {
    /// What the YAML reader says, with its place.
    init(_ error: YAMLError) {
        self.init(error.message, line: error.line, column: error.column)
    }
}
