// SPDX-License-Identifier: Apache-2.0

/// Everything that happened to one instance, in order: inputs, effects, answers, cancels, outputs.
///
/// Entries are numbered from 0 for the life of the instance. The payloads lie in one run of bytes,
/// encoded once; subscribers, cursors and `instance.record` all read from here.
///
/// Bounded: past `maxEntries` or `maxBytes` the oldest half is dropped, and a reader who asks for it
/// learns where the record begins now.
package struct Record {
    /// What an entry tells of.
    package enum Kind: UInt8 {
        case input
        case effect
        case answer
        case output
        /// An effect was given up before its answer came; the value is what was asked.
        case cancel

        package var name: StaticString {
            switch self {
            case .input: "input"
            case .effect: "effect"
            case .answer: "answer"
            case .output: "output"
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
        /// When, in nanoseconds since the instance opened.
        package var at: Int64
        /// Which microstep of that instant.
        package var step: UInt32
        package var kind: Kind
        package var event: Event
        /// The port's number among inputs or outputs, or the effect's among the instance's effects.
        package var port: UInt16
        fileprivate var offset: Int
        fileprivate var length: Int
    }

    package let maxEntries: Int
    package let maxBytes: Int
    private var entries: [Entry] = []
    private var payloads: [UInt8] = []
    /// The number of the oldest entry that is kept.
    package private(set) var first = 0

    package init(maxEntries: Int = 1_000_000, maxBytes: Int = 64 << 20) {
        precondition(maxEntries > 1 && maxBytes > 1, "a record keeps at least its newest entry")
        self.maxEntries = maxEntries
        self.maxBytes = maxBytes
    }

    /// The number that the next entry gets.
    package var next: Int { first + entries.count }

    /// Adds an entry and returns its number.
    @discardableResult
    package mutating func append(
        at: Int64, step: UInt32, kind: Kind, port: Int, event: Event,
        value: UnsafeRawBufferPointer
    ) -> Int {
        if entries.count >= maxEntries || payloads.count &+ value.count > maxBytes { dropOldest() }
        entries.append(
            Entry(
                at: at, step: step, kind: kind, event: event,
                port: UInt16(truncatingIfNeeded: port),
                offset: payloads.count, length: value.count))
        payloads.append(contentsOf: value)
        return first + entries.count - 1
    }

    /// Takes the entry of that number back if it is still the newest: an input that was refused.
    mutating func takeBack(_ number: Int) {
        guard number == next - 1, let entry = entries.popLast() else { return }
        payloads.removeLast(entry.length)
    }

    /// Calls `body` with the entries from number `since` on, oldest first, until it returns false. A
    /// number that was dropped means the oldest that is kept, one that has not come means none.
    package func forEach(since: Int, _ body: (Int, Entry, UnsafeRawBufferPointer) -> Bool) {
        let begin = min(max(since, first), next) - first
        payloads.withUnsafeBytes { bytes in
            for index in begin..<entries.count {
                let entry = entries[index]
                let value = UnsafeRawBufferPointer(
                    rebasing: bytes[entry.offset..<entry.offset + entry.length])
                guard body(first + index, entry, value) else { return }
            }
        }
    }

    /// Forgets the older half; amortised, an entry is moved once.
    private mutating func dropOldest() {
        let count = max(1, entries.count / 2)
        guard count <= entries.count, !entries.isEmpty else { return }
        let cut = count == entries.count ? payloads.count : entries[count].offset
        entries.removeFirst(count)
        payloads.removeFirst(cut)
        for index in entries.indices { entries[index].offset -= cut }
        first += count
    }
}
