// SPDX-License-Identifier: Apache-2.0
internal import CSimdJSON
internal import Glibc

/// One line without its end, borrowed from the decoder until its next mutating call.
package struct Frame {
    /// The line's bytes; `JSONValidator.padding` more are readable behind them.
    package let bytes: UnsafeRawBufferPointer
}

/// What the decoder found in the bytes that it has.
package enum FrameOutcome {
    /// A complete line.
    case frame(Frame)
    /// No further line is complete.
    case needsBytes
    /// A line passed the limit. The decoder has let its bytes go and stays in this state.
    case lineTooLong
}

/// Cuts a stream of bytes into lines, in one buffer that the socket reads into.
///
///     |  given out  |  no LF in here  |  not looked at  |  room  | padding |
///     0          consumed          scanned          received  capacity
///
/// A line ends with LF or CR LF; empty lines are skipped. The owner asks for room, reads into it,
/// says how much came and takes lines until there are none. No byte is looked at twice.
/// Bound: a line of `limit` bytes, plus what one read brought; beyond that it fails for good.
/// Memory starts at 4 KiB, doubles, and falls back once drained after it passed 16 KiB.
package struct FrameDecoder: ~Copyable {
    package static let initialCapacity = 4096
    package static let retainedCapacity = 16 * 1024

    /// The longest line allowed, in bytes, its end not counted.
    package let limit: Int

    private var base: UnsafeMutableRawPointer
    package private(set) var capacity: Int
    private var consumed = 0
    private var scanned = 0
    private var received = 0
    private var hasFailed = false

    package init(limit: Int) {
        precondition(limit > 0, "a line limit of \(limit) bytes lets nothing in")
        self.limit = limit
        capacity = Self.initialCapacity
        base = Self.makeStorage(capacity)
    }

    deinit { base.deallocate() }

    /// Room for at least `count` bytes; fill its front and call `didRead(_:)`.
    package mutating func room(atLeast count: Int) -> UnsafeMutableRawBufferPointer {
        if capacity - received < count { makeRoom(count) }
        return UnsafeMutableRawBufferPointer(start: base + received, count: capacity - received)
    }

    /// `count` bytes were put at the front of the room.
    package mutating func didRead(_ count: Int) {
        precondition(
            count >= 0 && count <= capacity - received,
            "\(count) bytes were read into room for \(capacity - received)")
        if !hasFailed { received += count }
    }

    /// Copies bytes in, for callers that have them already.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        room(atLeast: bytes.count).copyMemory(from: bytes)
        didRead(bytes.count)
    }

    /// The next line that is not empty.
    package mutating func next() -> FrameOutcome {
        while scanned < received, !hasFailed,
            let found = memchr(base + scanned, 0x0A, received - scanned)
        {
            let start = consumed
            let lineFeed = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            consumed = lineFeed + 1
            scanned = consumed
            let hasReturn = lineFeed > start && endsWithReturn(lineFeed)
            let count = lineFeed - start - (hasReturn ? 1 : 0)
            if count > limit { return fail() }
            if count > 0 {
                let bytes = UnsafeRawBufferPointer(start: base + start, count: count)
                return .frame(Frame(bytes: bytes))
            }
        }
        if hasFailed { return .lineTooLong }
        scanned = received
        // A CR behind a line of just the limit may yet turn out to be half of its end.
        let pending = received - consumed
        if pending > limit, pending > limit + 1 || !endsWithReturn(received) { return fail() }
        if pending == 0 { drained() }
        return .needsBytes
    }

    /// Takes the line back that `next()` gave last: it gives it again. Nothing may be done in between.
    package mutating func putBack(_ frame: Frame) {
        guard let start = frame.bytes.baseAddress else { return }
        consumed = start - UnsafeRawPointer(base)
        scanned = consumed + frame.bytes.count
    }

    /// Bytes that belong to no complete line yet.
    package var pendingCount: Int { received - consumed }

    package func checkInvariants() {
        precondition(
            0 <= consumed && consumed <= scanned && scanned <= received && received <= capacity,
            "frame cursors out of order: \(consumed), \(scanned), \(received) of \(capacity)")
        precondition(
            memchr(base + consumed, 0x0A, scanned - consumed) == nil,
            "a line end was passed over between \(consumed) and \(scanned)")
    }

    private func endsWithReturn(_ end: Int) -> Bool {
        base.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D
    }

    private mutating func fail() -> FrameOutcome {
        hasFailed = true
        drained()
        return .lineTooLong
    }

    private mutating func drained() {
        consumed = 0
        scanned = 0
        received = 0
        guard capacity > Self.retainedCapacity else { return }
        base.deallocate()
        capacity = Self.initialCapacity
        base = Self.makeStorage(capacity)
    }

    /// Moves what is pending to the front, into a larger buffer where this one is too small.
    private mutating func makeRoom(_ count: Int) {
        let pending = UnsafeRawBufferPointer(start: base + consumed, count: received - consumed)
        if pending.count + count <= capacity {
            base.copyMemory(from: base + consumed, byteCount: pending.count)
        } else {
            while capacity < pending.count + count { capacity *= 2 }
            let larger = Self.makeStorage(capacity)
            larger.copyMemory(from: base + consumed, byteCount: pending.count)
            base.deallocate()
            base = larger
        }
        scanned -= consumed
        received -= consumed
        consumed = 0
    }

    private static func makeStorage(_ capacity: Int) -> UnsafeMutableRawPointer {
        .allocate(byteCount: capacity + Int(SJ_PADDING), alignment: 64)
    }
}
