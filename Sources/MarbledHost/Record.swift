// SPDX-License-Identifier: Apache-2.0

/// Everything that happened to one instance, in order: inputs, effects, answers, cancels, outputs.
///
/// Entries are numbered from 0 for the life of the instance. The payloads are kept as the bytes they
/// were encoded to, once; subscribers, cursors, `instance.record` and record files all read from here.
///
/// Entries lie in chunks. Bounded: past `maxEntries` or `maxBytes` the oldest chunk goes, an eighth of
/// the record at most, and its room serves again; a reader who asks for what is gone learns where the
/// record begins now. So an entry costs no allocation of its own, and none is ever moved.
package struct Record {
    /// What an entry tells of.
    package enum Kind: UInt8 {
        case input
        case effect
        case answer
        case output
        /// The clock of real time jumped over work that was too late; the value is the instant at which
        /// the first of it was due.
        case jump
        /// An effect was given up before its answer came; the value is what was asked.
        case cancel

        package var name: StaticString {
            switch self {
            case .input: "input"
            case .effect: "effect"
            case .answer: "answer"
            case .output: "output"
            case .jump: "jump"
            case .cancel: "cancel"
            }
        }
    }

    /// What was said.
    package enum Event: UInt8 {
        case next
        case error
        case completed

        package var name: StaticString {
            switch self {
            case .next: "next"
            case .error: "error"
            case .completed: "completed"
            }
        }
    }

    /// One entry, without its payload.
    package struct Entry {
        /// When, in nanoseconds since the instance opened: the instant that the feature saw.
        package var at: Int64
        /// How far the clock was ahead of that; zero in virtual time.
        package var late: Int64
        /// Which microstep of that instant.
        package var step: UInt32
        /// Of an answer: how many entries before this one its effect was asked for. Else zero.
        package var cause: UInt32
        fileprivate var offset: UInt32
        fileprivate var length: UInt32
        /// The port's number among inputs or outputs, or the effect's among the instance's effects.
        package var port: UInt16
        package var kind: Kind
        package var event: Event
        /// Of an answer: whether its effect goes on.
        package var hasMore: Bool
    }

    package let maxEntries: Int
    package let maxBytes: Int
    /// What is written to.
    private var current = Chunk()
    /// What is full, oldest first.
    private var older: [Chunk] = []
    private var olderEntries = 0
    private var olderBytes = 0
    /// The room of the chunk that went last.
    private var spare: Chunk?
    /// The number of the oldest entry that is kept.
    package private(set) var first = 0

    package init(maxEntries: Int = 1_000_000, maxBytes: Int = 64 << 20) {
        precondition(maxEntries > 1 && maxBytes > 1, "a record keeps at least its newest entry")
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    private var chunkEntries: Int { min(4_096, max(1, maxEntries / 8)) }
    private var chunkBytes: Int { min(256 << 10, max(1, maxBytes / 8)) }

    /// The number that the next entry gets.
    package var next: Int { current.first + current.entries.count }

    /// Adds an entry and returns its number. `cause` is the number of the entry that asked for it.
    @discardableResult
    package mutating func append(
        at: Int64, late: Int64 = 0, step: UInt32, kind: Kind, port: Int, event: Event,
        cause: Int? = nil, hasMore: Bool = false, value: UnsafeRawBufferPointer
    ) -> Int {
        let offset = current.payloads.count
        if current.entries.count >= chunkEntries || offset &+ value.count > chunkBytes {
            makeRoom(for: value.count)
        }
        guard let port = UInt16(exactly: port) else {
            preconditionFailure("an entry about port \(port); a record numbers 65,536 of them")
        }
        let number = next
        current.entries.append(
            Entry(
                at: at, late: late, step: step,
                cause: cause.map { UInt32(truncatingIfNeeded: number &- $0) } ?? 0,
                offset: UInt32(truncatingIfNeeded: current.payloads.count),
                length: UInt32(truncatingIfNeeded: value.count),
                port: port, kind: kind, event: event,
                hasMore: hasMore))
        current.payloads.append(contentsOf: value)
        return number
    }

    /// Takes the entry of that number back if it is still the newest: an input that was refused.
    mutating func takeBack(_ number: Int) {
        guard number == next - 1, let entry = current.entries.popLast() else { return }
        current.payloads.removeLast(Int(entry.length))
    }

    /// Calls `body` with the entries from number `since` on, oldest first, until it returns false. A
    /// number that was dropped means the oldest that is kept, one that has not come means none.
    package func forEach(since: Int, _ body: (Int, Entry, UnsafeRawBufferPointer) -> Bool) {
        let begin = max(since, first)
        guard begin < next else { return }
        if begin < current.first {
            for chunk in older[chunkIndex(of: begin)...] {
                guard read(chunk, from: begin, body) else { return }
            }
        }
        _ = read(current, from: begin, body)
    }

    /// Calls `body` with the entries of these numbers that are kept, oldest first.
    package func forEach(
        in numbers: Range<Int>, _ body: (Int, Entry, UnsafeRawBufferPointer) -> Void
    ) {
        forEach(since: numbers.lowerBound) { number, entry, value in
            guard number < numbers.upperBound else { return false }
            body(number, entry, value)
            return true
        }
    }

    private func read(
        _ chunk: Chunk, from begin: Int,
        _ body: (Int, Entry, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        chunk.payloads.withUnsafeBytes { bytes in
            for index in max(0, begin - chunk.first)..<chunk.entries.count {
                let entry = chunk.entries[index]
                let start = Int(entry.offset)
                let value = UnsafeRawBufferPointer(
                    rebasing: bytes[start..<start + Int(entry.length)])
                guard body(chunk.first + index, entry, value) else { return false }
            }
            return true
        }
    }

    /// Which of the older chunks holds an entry.
    private func chunkIndex(of number: Int) -> Int {
        var (low, high) = (0, older.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if older[middle].first <= number { low = middle } else { high = middle }
        }
        return low
    }

    /// Begins another chunk, and lets the oldest go until there is room for a whole one.
    @inline(never)
    private mutating func makeRoom(for count: Int) {
        let next = next
        if !current.entries.isEmpty {
            olderEntries += current.entries.count
            olderBytes += current.payloads.count
            older.append(current)
            current = spare.take() ?? Chunk(like: current)
            current.first = next
        }
        let room = max(chunkBytes, count)
        while !older.isEmpty,
            olderEntries > maxEntries - chunkEntries || olderBytes > maxBytes - room
        {
            var oldest = older.removeFirst()
            olderEntries -= oldest.entries.count
            olderBytes -= oldest.payloads.count
            oldest.clear(keeping: 2 * chunkBytes)
            spare = oldest
        }
        first = older.first?.first ?? next
    }
}

extension Record {
    /// A run of a record's entries with their payloads.
    private struct Chunk {
        /// The number of its first entry.
        var first = 0
        var entries: [Entry] = []
        var payloads: [UInt8] = []

        /// The first chunk grows as it is written: most instances never fill one.
        init() {}

        /// Who filled one chunk fills another as large.
        init(like other: Chunk) {
            entries.reserveCapacity(other.entries.count)
            payloads.reserveCapacity(other.payloads.count)
        }

        /// Empties it; room for payloads beyond `bytes` was one large value's and goes.
        mutating func clear(keeping bytes: Int) {
            entries.removeAll(keepingCapacity: true)
            payloads.removeAll(keepingCapacity: payloads.capacity <= bytes)
        }
    }
}
