// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds a name's index by the name's bytes, without making a String.
///
/// Open addressing, at most half full, never changed after `init`. Not generic, so that the one
/// lookup that every request makes is compiled for what it does.
struct NameTable {
    private let names: [StaticString]

    /// Indices into `names`; −1 where there is none.
    private let table: [Int32]

    init(_ names: [StaticString]) {
        var size = 16
        while size < 2 * names.count { size *= 2 }
        var table = [Int32](repeating: -1, count: size)
        for (index, name) in names.enumerated() {
            var slot = Self.hash(name.bytes) & (size - 1)
            while table[slot] >= 0 {
                precondition(!names[Int(table[slot])].equals(name.bytes), "\(name) stands twice")
                slot = (slot + 1) & (size - 1)
            }
            table[slot] = Int32(index)
        }
        self.names = names
        self.table = table
    }

    func index(of name: RawString) -> Int? {
        name.isEscaped ? name.withBytes { index(of: $0) } : index(of: name.bytes)
    }

    func index(of name: UnsafeRawBufferPointer) -> Int? {
        var slot = Self.hash(name) & (table.count - 1)
        while table[slot] >= 0 {
            let index = Int(table[slot])
            if names[index].equals(name) { return index }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// Mixes the length with the first and the last eight bytes, in which method names differ.
    private static func hash(_ name: UnsafeRawBufferPointer) -> Int {
        var head: UInt64 = 0
        var tail: UInt64 = 0
        if name.count >= 8 {
            head = name.loadUnaligned(as: UInt64.self)
            tail = name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
        } else {
            for byte in name { head = head << 8 | UInt64(byte) }
        }
        let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15)) &+ UInt64(name.count)
        return Int(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) >> 32)
    }
}

extension StaticString {
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }

    /// Whether these are the bytes of the word.
    func equals(_ other: UnsafeRawBufferPointer) -> Bool {
        guard other.count == utf8CodeUnitCount else { return false }
        guard let start = other.baseAddress else { return true }
        return memcmp(utf8Start, start, other.count) == 0
    }
}
