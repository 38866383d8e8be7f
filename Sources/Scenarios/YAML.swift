// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Yams

/// The fields of a mapping whose keys are known.
struct Fields {
    private let node: Node
    private let what: String
    private let fields: [(key: Node, value: Node)]

    /// Refuses keys that are not known, and keys that stand twice.
    init(_ node: Node, of what: String, known: [String]) throws(ScenarioError) {
        self.node = node
        self.what = what
        fields = try node.pairs(what)
        var seen: Set<String> = []
        for (key, _) in fields {
            guard known.contains(key.plainText) else {
                let hint = NearestName.find(key.plainText, among: known).map { "; did you mean \($0)?" } ?? ""
                throw key.error(
                    "\(what) has no key \"\(key.plainText)\"\(hint) (known: \(known.joined(separator: ", ")))"
                )
            }
            guard seen.insert(key.plainText).inserted else {
                throw key.error("\(key.plainText) stands twice")
            }
        }
    }

    subscript(_ name: String) -> Node? {
        fields.first { $0.key.plainText == name }?.value
    }

    func require(_ name: String) throws(ScenarioError) -> Node {
        guard let value = self[name] else { throw node.error("\(what) needs `\(name)`") }
        return value
    }
}

extension Node {
    /// An error at this place.
    func error(_ message: String) -> ScenarioError {
        ScenarioError(message, line: mark?.line, column: mark?.column)
    }

    /// The text of a scalar, or nothing.
    var plainText: String {
        if case .scalar(let scalar) = self { scalar.string } else { "" }
    }

    /// The text of a scalar.
    func text(_ what: String) throws(ScenarioError) -> String {
        guard case .scalar(let scalar) = self else {
            throw error("\(what) is a single value here")
        }
        return scalar.string
    }

    /// The pairs of a mapping, in the order of the file.
    func pairs(_ what: String) throws(ScenarioError) -> [(key: Node, value: Node)] {
        guard case .mapping(let mapping) = self else {
            throw error("\(what) is a mapping of names to values")
        }
        var pairs: [(Node, Node)] = []
        for (key, value) in mapping { pairs.append((key, value)) }
        return pairs
    }

    /// The node as JSON.
    func json() throws(ScenarioError) -> JSONValue {
        switch self {
        case .scalar(let scalar):
            switch scalar.style {
            case .singleQuoted, .doubleQuoted, .literal, .folded: return .string(scalar.string)
            case .any, .plain: return YAMLScalar.json(scalar.string)
            }
        case .sequence(let items):
            var values: [JSONValue] = []
            for item in items { values.append(try item.json()) }
            return .array(values)
        case .mapping:
            var members: [(String, JSONValue)] = []
            for (key, value) in try pairs("a mapping") {
                members.append((key.plainText, try value.json()))
            }
            return .object(members)
        case .alias:
            throw error("an alias is not known here")
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
    /// What the YAML parser says, with its place.
    init(_ error: YamlError) {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            self.init("this is not YAML: \(problem)", line: mark.line, column: mark.column)
        default:
            self.init("this is not YAML: \(error)")
        }
    }
}
