// SPDX-License-Identifier: Apache-2.0

/// A body, or a piece of one: text where its bytes are UTF-8, bytes where they are not.
///
/// What the bytes are decides, and not what the answer's header says of them.
package enum HTTPBody: Equatable, Sendable {
    case text(String)
    case bytes([UInt8])

    package init(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            self = .bytes(bytes)
        }
    }
}

/// Cuts a stream of bytes between characters: what begins a character and does not end it waits for
/// the next piece, which is three bytes at most.
struct TextCutter {
    private var rest: [UInt8] = []

    /// Takes bytes and gives those that can go on: none, if all of them wait.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        let all = rest.isEmpty ? bytes : rest + bytes
        let cut = all.count - Self.unfinished(all)
        rest = Array(all[cut...])
        return Array(all[..<cut])
    }

    /// Gives what waits: nothing more comes.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return rest
    }

    /// How many bytes at the end begin a character that goes on behind it.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            // Bytes within a character are 10xxxxxx; the first says how many there are.
            guard byte & 0xC0 != 0x80 else { continue }
            let length =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 1
                }
            return length > back ? back : 0
        }
        return 0
    }
}

/// Base64 (RFC 4648, 4), with padding.
enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for index in 0..<3 {
                bits = bits << 8 | (index < group.count ? UInt32(group[start + index]) : 0)
            }
            for index in 0..<4 {
                let letter = letters[Int(bits >> (18 - 6 * UInt32(index)) & 63)]
                text.append(index <= group.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
