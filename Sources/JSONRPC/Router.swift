// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The methods that a front serves, found by the bytes of their names.
///
/// Made once at start-up and never changed; every session of a front shares it.
package final class Router<Context: AnyObject> {
    /// Every method, in the order registered.
    package let methods: [Method<Context>]

    /// Open addressing, at most half full; an entry is an index into `methods`, or −1.
    private let table: [Int32]

    package init(_ methods: [Method<Context>]) {
        var size = 16
        while size < 2 * methods.count { size *= 2 }
        var table = [Int32](repeating: -1, count: size)
        for (index, method) in methods.enumerated() {
            let name = method.nameBytes
            var slot = Self.hash(name) & (size - 1)
            while table[slot] >= 0 {
                precondition(
                    !methods[Int(table[slot])].isNamed(name),
                    "two methods are called \(method.name)")
                slot = (slot + 1) & (size - 1)
            }
            table[slot] = Int32(index)
        }
        self.methods = methods
        self.table = table
    }

    package func method(named name: UnsafeRawBufferPointer) -> Method<Context>? {
        var slot = Self.hash(name) & (table.count - 1)
        while table[slot] >= 0 {
            let method = methods[Int(table[slot])]
            if method.isNamed(name) { return method }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// Nobody is called that; perhaps somebody nearly is.
    func unknownMethod(_ name: UnsafeRawBufferPointer) -> RPCError {
        let name = String(decoding: name.prefix(256), as: UTF8.self)
        return RPCError(
            .methodNotFound, detail: "no method is called \"\(name.shortened)\"",
            expected: "one of the methods that rpc.discover lists",
            suggestion: NearestName.find(name, among: methods.lazy.map(\.name.description)))
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

extension Method {
    fileprivate var nameBytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    }

    fileprivate func isNamed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return name.utf8CodeUnitCount == 0 }
        return bytes.count == name.utf8CodeUnitCount
            && memcmp(name.utf8Start, start, bytes.count) == 0
    }
}
