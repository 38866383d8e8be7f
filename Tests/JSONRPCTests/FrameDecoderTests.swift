// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import TestSupport
import Testing

/// Something other than what the test is about went wrong first.
private struct Unexpected: Error {
    let what: String
}

struct FrameDecoderTests {
    /// Feeds the text in chunks and lists what comes out; "!" is a line that was too long.
    private func lines(_ text: String, limit: Int = 100, chunk: () -> Int) -> [String] {
        var decoder = FrameDecoder(limit: limit)
        var rest = Array(text.utf8)[...]
        var lines: [String] = []
        while !rest.isEmpty {
            let part = rest.prefix(chunk())
            rest = rest.dropFirst(part.count)
            part.withUnsafeBytes { decoder.append($0) }
            reading: while true {
                decoder.checkInvariants()
                switch decoder.next() {
                case .frame(let frame): lines.append(String(decoding: frame.bytes, as: UTF8.self))
                case .needsBytes: break reading
                case .lineTooLong: return lines + ["!"]
                }
            }
        }
        return lines
    }

    struct Case {
        let text: String
        let lines: [String]
    }

    static let cases = [
        Case(text: "", lines: []),
        Case(text: "\n\n\r\n", lines: []),
        Case(text: "one\ntwo\n", lines: ["one", "two"]),
        Case(text: "one\r\n\r\ntwo\r\nhalf", lines: ["one", "two"]),
        Case(text: "a\rb\n\r\r\n", lines: ["a\rb", "\r"]),
        Case(text: "12345678\n", lines: ["12345678"]),
        Case(text: "12345678\r\n9\n", lines: ["12345678", "9"]),
        Case(text: "a\n123456789\nb\n", lines: ["a", "!"]),
        Case(text: "a\n123456789\r\nb\n", lines: ["a", "!"]),
        Case(text: "a\n12345678\rx", lines: ["a", "!"]),
        Case(text: "a\n12345678\r\r\n", lines: ["a", "!"]),
        Case(text: "a\n123456789", lines: ["a", "!"]),
    ]

    @Test(arguments: cases)
    func `chunks do not matter`(_ example: Case) {
        for size in 1...12 {
            #expect(lines(example.text, limit: 8) { size } == example.lines, "chunks of \(size)")
        }
        #expect(lines(example.text, limit: 8) { .max } == example.lines, "all at once")
    }

    @Test func `random chunks of long lines give the lines`() {
        for seed in 0..<20 {
            var random = SeededRandom(seed: UInt64(seed))
            let written = (0..<40).map { _ in
                String(repeating: "x", count: Int.random(in: 1...9000, using: &random))
            }
            let text = written.map { $0 + "\n" }.joined()
            let read = lines(text, limit: 9000) { Int.random(in: 1...6000, using: &random) }
            #expect(read == written, "seed \(seed)")
        }
    }

    @Test func `a line that never ends is given up at the limit`() throws {
        var decoder = FrameDecoder(limit: 100_000)
        var received = 0
        let chunk = [UInt8](repeating: 0x78, count: 1000)
        reading: while true {
            chunk.withUnsafeBytes { decoder.append($0) }
            received += chunk.count
            switch decoder.next() {
            case .needsBytes: continue
            case .lineTooLong: break reading
            case .frame: throw Unexpected(what: "a line without an end was given out")
            }
        }
        #expect(received == 101_000)
        let isFailed = if case .lineTooLong = decoder.next() { true } else { false }
        #expect(isFailed, "the decoder stays failed")
    }

    @Test func `memory grows for a long line and comes back`() throws {
        var decoder = FrameDecoder(limit: 1 << 20)
        let line = [UInt8](repeating: 0x78, count: 500_000) + [0x0A]
        let before = decoder.capacity
        line.withUnsafeBytes { decoder.append($0) }
        let during = decoder.capacity
        guard case .frame(let frame) = decoder.next() else { throw Unexpected(what: "no line") }
        #expect(frame.bytes.count == 500_000)
        guard case .needsBytes = decoder.next() else { throw Unexpected(what: "two lines") }
        let after = decoder.capacity
        #expect(before == 4096)
        #expect(during >= 500_001)
        #expect(after == 4096)
    }

    @Test func `the socket reads straight into the room`() throws {
        var decoder = FrameDecoder(limit: 100)
        for _ in 0..<10_000 {
            let room = decoder.room(atLeast: 3)
            room.copyBytes(from: [0x61, 0x0A, 0x62])
            decoder.didRead(3)
            guard case .frame = decoder.next() else { throw Unexpected(what: "no line") }
            let pending = decoder.pendingCount
            #expect(pending == 1)
            decoder.room(atLeast: 1).copyBytes(from: [0x0A])
            decoder.didRead(1)
            guard case .frame(let frame) = decoder.next(), frame.bytes.elementsEqual([0x62])
            else { throw Unexpected(what: "the second line is lost") }
        }
        let capacity = decoder.capacity
        #expect(capacity == 4096, "short lines need no more room than at the start")
    }
}
