// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import TestSupport
import Testing

/// Bent input: whatever comes in, what goes out is JSON, a line for a line.
struct FuzzTests {
    private static let seeds = [
        Request.ping(1),
        Request.call("echo", 2, #"{"value":{"a":[1,2.5e3,"x\u00e9\n"]},"count":7}"#),
        Request.notify("daemon.ping"), "[\(Request.ping(3)),\(Request.call("echo", 4)),1]",
        #"{"jsonrpc":"2.0","method":"daemon\u002eping","id":"a\"b","x":[[[{}]]]}"#,
        #"{"jsonrpc":"2.0","method":"drop","id":1e400}"#, "[]", "[[],{}]",
    ].map { Array($0.utf8) }

    private static let alphabet: [UInt8] =
        Array(#"{}[]",:\0123456789.eE+-truefalsn  u"#.utf8) + [
            0x00, 0x09, 0x0D, 0x7F, 0x80, 0xC3, 0xFF,
        ]

    private static func bend(_ line: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let at = Int.random(in: 0...line.count, using: &random)
            let byte = alphabet.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: line.insert(byte, at: at)
            case 1 where at < line.count: line.remove(at: at)
            case 2 where at < line.count: line[at] = byte
            case 3: line.removeSubrange(at...)
            default:
                let part = seeds.randomElement(using: &random) ?? []
                line.insert(contentsOf: part.prefix(Int.random(in: 0...20, using: &random)), at: at)
            }
        }
        line.removeAll { $0 == 0x0A }
    }

    @Test(arguments: 0..<8)
    func `bent lines give valid answers, one for each request`(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let front = Front()
        for _ in 0..<2500 {
            var line = Self.seeds.randomElement(using: &random) ?? []
            Self.bend(&line, &random)
            front.receive(line + [0x0A]) { Int.random(in: 1...64, using: &random) }
            let answers = front.takeLines()
            let text = String(decoding: line, as: UTF8.self)
            #expect(front.session.callsInFlight == 0, "\(text)")
            let expected = Self.expectedAnswers(line)
            #expect(answers.count == (expected > 0 ? 1 : 0), "\(text)")
            guard let answer = answers.first else { continue }
            // Ids may be numbers beyond doubles, which a tree refuses: judge the text instead.
            let isValid = Array(answer.utf8).withUnsafeBytes { bytes in
                guard JSONValidator().validate(bytes) == nil else { return false }
                let value = RawJSON(validated: bytes)
                let count = value.kind == .array ? value.elements.count { _ in true } : 1
                return count == expected
            }
            #expect(isValid, "\(text)\n\(answer)")
        }
    }

    /// How many answers a line deserves, worked out from a tree, the slow way.
    private static func expectedAnswers(_ line: [UInt8]) -> Int {
        let line = line.last == 0x0D ? line.dropLast() : line[...]
        if line.isEmpty { return 0 }
        return line.withUnsafeBytes { bytes in
            guard JSONValidator().validate(bytes) == nil else { return 1 }
            let value = RawJSON(validated: bytes)
            guard value.kind == .array else { return isNotification(value) ? 0 : 1 }
            let items = Array(value.elements)
            return items.isEmpty ? 1 : items.count { !isNotification($0) }
        }
    }

    private static func isNotification(_ value: RawJSON) -> Bool {
        guard value.kind == .object else { return false }
        let names = value.members.map(\.key.string)
        let known = ["jsonrpc", "method", "params", "id"]
        let isUnique = known.allSatisfy { name in names.count { $0 == name } <= 1 }
        let tree = JSONValue(value)
        let hasParams =
            tree["params"] == nil || tree["params"]?.object != nil || tree["params"]?.array != nil
        return isUnique && !names.contains("id") && tree["jsonrpc"] == "2.0"
            && tree["method"]?.string != nil && hasParams
    }
}
