// SPDX-License-Identifier: Apache-2.0

/// Reads scripts; see `WireScript`.
package struct WireScriptReader {
    private var rule: [Substring] = []
    private var ruleIsOver = false
    private var promises: [String] = []
    private var limits: [(name: String, value: Int64)] = []
    private var steps: [WireScript.Step] = []
    /// Names that an expected line has given a value to, so far.
    private var bound: Set<String> = []

    private static let words = [">", "<", "half", "raw", "end", "close", "closed"]

    /// Reads a whole file.
    package static func read(_ text: String) throws(WireScriptError) -> WireScript {
        var reader = WireScriptReader()
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            try reader.take(line, number)
        }
        guard !reader.rule.isEmpty else {
            throw WireScriptError(
                line: 1, sentence: "a script begins with its rule, in lines that begin with \"#\"")
        }
        guard !reader.steps.isEmpty else {
            throw WireScriptError(line: number, sentence: "nothing is sent and nothing expected")
        }
        return WireScript(
            rule: reader.rule.joined(separator: " "), promises: reader.promises,
            limits: reader.limits, steps: reader.steps)
    }

    private mutating func take(_ line: Substring, _ number: Int) throws(WireScriptError) {
        if line.hasPrefix("#") {
            if !ruleIsOver { rule.append(line.dropFirst().drop { $0 == " " }) }
            return
        }
        if !rule.isEmpty { ruleIsOver = true }
        let (word, rest) = Self.cut(line)
        guard !word.isEmpty else { return }
        if word == "promise" { return try takePromises(rest, number) }
        if word == "limits" { return try takeLimits(rest, number) }
        if Self.words.contains(String(word)) {
            return try take(word, rest, of: WireScript.onlyClient, number)
        }
        let (second, text) = Self.cut(rest)
        guard Self.isName(word), Self.words.contains(String(second)) else {
            throw WireScriptError(
                line: number,
                sentence: "\"\(word)\" is none of promise, limits, "
                    + Self.words.joined(separator: ", ") + ", and no client's name before one")
        }
        try take(second, text, of: String(word), number)
    }

    private mutating func take(
        _ word: Substring, _ text: Substring, of client: String, _ number: Int
    ) throws(WireScriptError) {
        let action: WireScript.Action
        switch word {
        case ">", "half":
            let pattern = WirePattern(text)
            if let name = pattern.names.first(where: { !bound.contains($0) }) {
                throw WireScriptError(
                    line: number,
                    sentence: "{\(name)} has no value yet: no expected line before gives it one")
            }
            action = .send(pattern, endsLine: word == ">")
        case "<":
            let pattern = WirePattern(text)
            bound.formUnion(pattern.names.filter { WirePattern.isVariable($0) })
            action = .expect(pattern)
        case "raw": action = .sendBytes(try Self.bytes(text, number))
        default:
            guard text.isEmpty else {
                throw WireScriptError(line: number, sentence: "nothing stands behind \"\(word)\"")
            }
            action = word == "end" ? .endInput : word == "close" ? .close : .expectEnd
        }
        steps.append(WireScript.Step(line: number, client: client, action: action))
    }

    private mutating func takePromises(
        _ text: Substring, _ number: Int
    ) throws(WireScriptError) {
        let names = text.split(separator: " ")
        guard !names.isEmpty, names.allSatisfy(Self.isName) else {
            throw WireScriptError(
                line: number, sentence: "\"\(text)\" is no promise such as idEchoed")
        }
        promises += names.map(String.init)
    }

    private mutating func takeLimits(
        _ text: Substring, _ number: Int
    ) throws(WireScriptError) {
        for setting in text.split(separator: " ") {
            let sides = setting.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2, Self.isName(sides[0]), let value = Int64(sides[1]), value > 0
            else {
                throw WireScriptError(
                    line: number, sentence: "\"\(setting)\" is no limit such as lineBytes=4096")
            }
            limits.append((String(sides[0]), value))
        }
    }

    /// The first word, and what stands behind the one blank that follows it.
    private static func cut(_ line: Substring) -> (Substring, Substring) {
        guard let blank = line.firstIndex(of: " ") else { return (line, "") }
        return (line[..<blank], line[line.index(after: blank)...])
    }

    private static func isName(_ word: Substring) -> Bool {
        word.first?.isLetter == true
            && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }

    private static func bytes(
        _ text: Substring, _ number: Int
    ) throws(WireScriptError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "\\"): bytes.append(byte)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                    fallthrough
                }
                rest = rest.dropFirst(2)
                bytes.append(value)
            default:
                throw WireScriptError(
                    line: number, sentence: #"an escape is one of \n, \r, \t, \\ and \xNN"#)
            }
        }
        return bytes
    }
}
