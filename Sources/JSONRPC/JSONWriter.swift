// SPDX-License-Identifier: Apache-2.0

/// An append-only buffer of outgoing JSON text; the socket takes from its front.
///
///     |  sent  |  written, not sent  |  room  |
///     0      start                  end    capacity
///
/// The owner (a connection) passes it `inout` to whoever writes. It does not check what is
/// appended: the shape of the text is the writer's duty, commas apart (see `separate()`).
/// Bound: none of its own; the owner watches `count`. Memory falls back to 4 KiB once everything is
/// sent after it passed 64 KiB.
package struct JSONWriter: ~Copyable {
    package static let initialCapacity = 4096
    package static let retainedCapacity = 64 * 1024

    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity = JSONWriter.initialCapacity
    @usableFromInline var start = 0
    @usableFromInline var end = 0

    package init() {
        base = .allocate(byteCount: Self.initialCapacity, alignment: 16)
    }

    deinit { base.deallocate() }

    /// How many bytes wait to be sent.
    @inlinable package var count: Int { end - start }

    /// What waits to be sent; valid until the next mutating call.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base + start, count: end - start)
    }

    /// The first `count` bytes were sent.
    package mutating func dropFirst(_ count: Int) {
        precondition(
            count >= 0 && count <= self.count, "\(count) of \(self.count) bytes were dropped")
        start += count
        guard start == end else { return }
        removeAll()
    }

    /// Forgets everything; keeps the memory unless there is a lot of it.
    package mutating func removeAll() {
        start = 0
        end = 0
        guard capacity > Self.retainedCapacity else { return }
        base.deallocate()
        capacity = Self.initialCapacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    /// Takes back everything after the first `count` bytes.
    package mutating func truncate(to count: Int) {
        precondition(
            count >= 0 && count <= self.count, "cannot keep \(count) of \(self.count) bytes")
        end = start + count
    }

    /// Appends the text as it is.
    @inlinable package mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        room(count).copyMemory(from: text.utf8Start, byteCount: count)
        end += count
    }

    /// Appends the bytes as they are.
    @inlinable package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        room(bytes.count).copyMemory(from: source, byteCount: bytes.count)
        end += bytes.count
    }

    @inlinable package mutating func append(byte: UInt8) {
        room(1).storeBytes(of: byte, as: UInt8.self)
        end += 1
    }

    /// Appends a whole JSON text from elsewhere and keeps it on one line: in JSON a line end can
    /// only be white space, so a blank says the same.
    package mutating func append(payload: UnsafeRawBufferPointer) {
        let first = end
        append(payload)
        for offset in first..<end {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            if byte == 0x0A || byte == 0x0D {
                base.storeBytes(of: 0x20, toByteOffset: offset, as: UInt8.self)
            }
        }
    }

    /// Appends a comma, unless what stands before wants none. Every verb that adds a member or an
    /// element starts with this; strings end with a quote, so the last byte tells.
    @inlinable package mutating func separate() {
        guard end > start else { return }
        switch base.load(fromByteOffset: end - 1, as: UInt8.self) {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ","), 0x0A: break
        default: append(byte: UInt8(ascii: ","))
        }
    }

    /// The place to write `count` bytes at; move `end` afterwards.
    @inlinable @inline(__always)
    mutating func room(_ count: Int) -> UnsafeMutableRawPointer {
        if capacity - end < count { grow(count) }
        return base + end
    }

    @usableFromInline @inline(never)
    mutating func grow(_ count: Int) {
        let pending = end - start
        var larger = capacity
        // Sent bytes make room only when they are the larger half, so that moving stays rare.
        if start < capacity / 2 || pending + count > capacity {
            while larger < pending + count || larger == capacity { larger *= 2 }
        }
        let storage = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        storage.copyMemory(from: base + start, byteCount: pending)
        base.deallocate()
        base = storage
        capacity = larger
        start = 0
        end = pending
    }
}
