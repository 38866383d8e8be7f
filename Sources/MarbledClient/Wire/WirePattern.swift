// SPDX-License-Identifier: Apache-2.0

/// A line with places that may differ; see `WireScript`.
package struct WirePattern: Sendable {
    private let parts: [Part]

    private enum Part: Sendable {
        case literal([UInt8])
        /// `{name}`: inside a string a part of it, elsewhere one whole JSON value.
        case value(String, isInString: Bool)
        /// `{...}`: anything.
        case anything
    }

    /// Where a line left the pattern: as many bytes of the line fit, and the pattern went on so.
    package struct Difference: Equatable {
        package let matched: Int
        package let expected: String

        package init(matched: Int, expected: String) {
            self.matched = matched
            self.expected = expected
        }
    }

    /// Reads a pattern. What stands in braces and is neither a name nor dots is meant as it stands.
    package init(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var literal: [UInt8] = []
        var isInString = false
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{"),
                let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")),
                let part = Self.part(bytes[(index + 1)..<end], isInString: isInString)
            {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(part)
                index = end + 1
                continue
            }
            if bytes[index] == UInt8(ascii: "\\"), isInString, index + 1 < bytes.count {
                literal.append(bytes[index])
                index += 1
            } else if bytes[index] == UInt8(ascii: "\"") {
                isInString.toggle()
            }
            literal.append(bytes[index])
            index += 1
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.parts = parts
    }

    private static func part(_ name: ArraySlice<UInt8>, isInString: Bool) -> Part? {
        let name = String(decoding: name, as: UTF8.self)
        if name == "..." { return .anything }
        guard name.first?.isLetter == true, name.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return nil
        }
        return .value(name, isInString: isInString)
    }

    /// Every name in braces; dots where anything may stand.
    package var names: [String] {
        parts.compactMap {
            switch $0 {
            case .literal: nil
            case .value(let name, _): name
            case .anything: "..."
            }
        }
    }

    /// Whether a name keeps what it stood for.
    package static func isVariable(_ name: String) -> Bool { name != "any" && name != "..." }

    /// The text with the values of all names in it.
    package func text(_ values: [String: [UInt8]]) -> [UInt8] {
        parts.flatMap { part -> [UInt8] in
            switch part {
            case .literal(let bytes): bytes
            case .value(let name, _): values[name] ?? Array("{\(name)}".utf8)
            case .anything: Array("{...}".utf8)
            }
        }
    }

    // MARK: Matching

    /// Compares with a whole line. Names that had no value in `values` get one if the line fits;
    /// else the answer says where it first left every way to read the pattern.
    package func match(
        _ line: [UInt8], _ values: inout [String: [UInt8]]
    ) -> Difference? {
        var search = Search(parts: parts, line: line)
        if let found = search.match(0, 0, values) {
            values = found
            return nil
        }
        return Difference(
            matched: search.furthest,
            expected: String(decoding: search.rest, as: UTF8.self))
    }

    /// One comparison. Places of unknown length are tried from the shortest on.
    private struct Search {
        let parts: [Part]
        let line: [UInt8]
        /// The most bytes of the line that fitted, and what the pattern wanted behind them.
        var furthest = -1
        var rest: [UInt8] = []

        init(parts: [Part], line: [UInt8]) {
            self.parts = parts
            self.line = line
        }

        mutating func match(
            _ part: Int, _ index: Int, _ values: [String: [UInt8]]
        ) -> [String: [UInt8]]? {
            guard part < parts.count else {
                if index == line.count { return values }
                fail(at: index, [], part, values)
                return nil
            }
            switch parts[part] {
            case .literal(let bytes):
                let fitting = zip(bytes, line[index...]).prefix { $0 == $1 }.count
                guard fitting == bytes.count else {
                    fail(at: index + fitting, Array(bytes[fitting...]), part + 1, values)
                    return nil
                }
                return match(part + 1, index + fitting, values)
            case .anything:
                return matchRun(part, index, nil, values) { _ in true }
            case .value(let name, let isInString):
                if WirePattern.isVariable(name), let known = values[name] {
                    let fitting = zip(known, line[index...]).prefix { $0 == $1 }.count
                    guard fitting == known.count else {
                        fail(at: index + fitting, Array(known[fitting...]), part + 1, values)
                        return nil
                    }
                    return match(part + 1, index + fitting, values)
                }
                if isInString {
                    return matchRun(part, index, name, values) { $0 != UInt8(ascii: "\"") }
                }
                guard let end = JSONText.endOfValue(line, from: index) else {
                    fail(at: index, [], part, values)
                    return nil
                }
                return match(part + 1, end, values.binding(name, to: line[index..<end]))
            }
        }

        private mutating func matchRun(
            _ part: Int, _ index: Int, _ name: String?, _ values: [String: [UInt8]],
            while isInside: (UInt8) -> Bool
        ) -> [String: [UInt8]]? {
            var end = index
            while true {
                let bound = name.map { values.binding($0, to: line[index..<end]) } ?? values
                if let found = match(part + 1, end, bound) { return found }
                guard end < line.count, isInside(line[end]) else { return nil }
                end += 1
            }
        }

        private mutating func fail(
            at index: Int, _ wanted: [UInt8], _ next: Int, _ values: [String: [UInt8]]
        ) {
            guard index > furthest else { return }
            furthest = index
            rest = wanted
            for part in parts[min(next, parts.count)...] {
                switch part {
                case .literal(let bytes): rest += bytes
                case .value(let name, _): rest += values[name] ?? Array("{\(name)}".utf8)
                case .anything: rest += Array("{...}".utf8)
                }
            }
        }
    }
}

extension [String: [UInt8]] {
    fileprivate func binding(_ name: String, to value: ArraySlice<UInt8>) -> Self {
        guard WirePattern.isVariable(name) else { return self }
        var values = self
        values[name] = Array(value)
        return values
    }
}

/// Finds its way in a JSON text without judging it.
private enum JSONText {
    /// Where the value that begins at `start` ends; nil where none begins.
    static func endOfValue(_ text: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var index = start
        while index < text.count {
            switch text[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(text, from: index) else { return nil }
                index = end
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index > start ? index : nil }
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ","):
                if depth == 0 { return index > start ? index : nil }
            default: break
            }
            index += 1
        }
        return depth == 0 && index > start ? index : nil
    }

    private static func endOfString(_ text: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < text.count {
            if text[index] == UInt8(ascii: "\"") { return index + 1 }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}
