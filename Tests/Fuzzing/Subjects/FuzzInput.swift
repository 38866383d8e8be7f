// SPDX-License-Identifier: Apache-2.0

/// The bytes of one run. A subject that needs choices takes them from the front; the rest is its text.
///
/// Where the bytes end, every choice is the first one.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() -> Int { Int(rest.popFirst() ?? 0) }

    mutating func choose<Choice>(_ choices: [Choice]) -> Choice {
        choices[byte() % choices.count]
    }

    /// The next `count` bytes, or as many as there are.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    /// The rest as text, what is not UTF-8 mended.
    var text: String { String(decoding: rest, as: UTF8.self) }
}
