// SPDX-License-Identifier: Apache-2.0

internal import YAML

/// YAML: every error has a place in the text, and what is accepted reads back from a plain print of it.
enum YAMLSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let text = String(decoding: bytes, as: UTF8.self)
        let documents: [YAMLNode]
        do {
            documents = try YAMLReader.documents(text)
        } catch {
            try requirePlace(error.line, error.column, in: text)
            return
        }
        for document in documents { try checkPlaces(document, in: text, depth: 0) }
        let printed = documents.map { "---\n\($0.flow)\n" }.joined()
        let again: [YAMLNode]
        do { again = try YAMLReader.documents(printed) } catch {
            throw FuzzFinding("\(error)\n\(printed)")
        }
        try requireSame(
            again.map(\.flow).joined(separator: "\n"),
            documents.map(\.flow).joined(separator: "\n"),
            "printed and read")
    }

    static func requirePlace(
        _ line: Int, _ column: Int, in text: String
    ) throws(FuzzFinding) {
        // YAML knows five line ends, one of which is two bytes of another.
        try require(
            line >= 1 && line <= text.unicodeScalars.count + 2 && column >= 1
                && column <= text.unicodeScalars.count + 2, "a place at \(line):\(column)")
    }

    private static func checkPlaces(
        _ node: YAMLNode, in text: String, depth: Int
    ) throws(FuzzFinding) {
        try requirePlace(node.line, node.column, in: text)
        try require(depth < 64, "nested too deep")
        switch node.content {
        case .scalar: break
        case .sequence(let items):
            for item in items { try checkPlaces(item, in: text, depth: depth + 1) }
        case .mapping(let pairs):
            for pair in pairs {
                try checkPlaces(pair.key, in: text, depth: depth + 1)
                try checkPlaces(pair.value, in: text, depth: depth + 1)
            }
        }
    }
}

extension YAMLNode {
    /// The node in flow style, every scalar in quotes and in ASCII.
    fileprivate var flow: String {
        switch content {
        case .scalar(let text, _): Self.quoted(text)
        case .sequence(let items): "[\(items.map(\.flow).joined(separator: ", "))]"
        // A key that is marked as one may be of any length.
        case .mapping(let pairs):
            "{\(pairs.map { "? \($0.key.flow) : \($0.value.flow)" }.joined(separator: ", "))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"", "\\": "\\\(scalar)"
                case " "..."~": "\(scalar)"
                default:
                    "\\U" + String(repeating: "0", count: 8 - String(scalar.value, radix: 16).count)
                        + String(scalar.value, radix: 16)
                }
            }.joined() + "\""
    }
}
