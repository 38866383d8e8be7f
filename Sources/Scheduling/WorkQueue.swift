// SPDX-License-Identifier: Apache-2.0

internal import CPrefetch

/// The one timer heap: work ordered by (time, microstep, phase, sequence).
///
/// The virtual and the real scheduler hold the same queue, so order, cancellation and repeats are the
/// same in a test and in service. The heap has four children per node, and its entries are plain
/// numbers: 24 bytes, moved without reference counting. The closures wait in slots of their own; a
/// token names a slot and its generation.
///
/// Cancelling empties the slot and leaves the entry behind; `compact()` sweeps once the dead outnumber
/// the living, so a debounce that restarts its timer a million times keeps a small heap.
///
/// Owned by exactly one scheduler, on its thread. Invariant: `live <= entries <= max(64, 2 * live + 1)`
/// after every cancellation.
struct WorkQueue: ~Copyable {
    /// One heap entry. `rank` packs microstep, phase and sequence, so that order is that of one number.
    struct Entry {
        var time: Int64
        var rank: UInt64
        var slot: UInt32
        var generation: UInt32

        @inline(__always)
        static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.key < rhs.key }

        /// Both in one number: two instructions compare it, and no branch that could be guessed wrong.
        @inline(__always)
        private var key: Int128 { Int128(time) &<< 64 | Int128(rank) }
    }

    /// Where a closure waits. An odd generation is occupied, an even one is free.
    struct Slot {
        var work: (() -> Void)?
        var label: WorkLabel
        var generation: UInt32
        var nextFree: UInt32
    }

    /// One item taken out of the queue, about to run.
    struct Item {
        var time: Int64
        var rank: UInt64
        var label: WorkLabel
        var work: () -> Void

        var step: UInt32 { Rank.step(of: rank) }
    }

    /// How `rank` is laid out: 16 bits of microstep, 3 of phase, 45 of sequence.
    ///
    /// 2^45 items at a hundred nanoseconds each are forty days of doing nothing else on one timeline;
    /// `push` stops the program with a sentence rather than wrap.
    enum Rank {
        static let phaseShift: UInt64 = 45
        static let stepShift: UInt64 = 48
        static let sequenceLimit: UInt64 = 1 << 45
        /// The largest microstep a rank can hold.
        static let stepLimit: UInt32 = 65_535

        static func step(of rank: UInt64) -> UInt32 {
            UInt32(truncatingIfNeeded: rank >> stepShift)
        }
    }

    var entries: UnsafeMutablePointer<Entry>
    var count = 0
    /// Small at first: a daemon holds a hundred thousand timelines, most of them with a timer or two.
    var capacity = 4
    var slots: UnsafeMutablePointer<Slot>
    var slotCount = 0
    var slotCapacity = 4
    var firstFree = UInt32.max
    var sequence: UInt64 = 0
    /// Items that will still run.
    private(set) var live = 0

    init() {
        entries = .allocate(capacity: capacity)
        slots = .allocate(capacity: slotCapacity)
    }

    deinit {
        entries.deallocate()
        slots.deinitialize(count: slotCount)
        slots.deallocate()
    }

    // MARK: Verbs

    /// Adds work and returns its token. `step` is held at the largest that a rank can carry; the
    /// scheduler's own limit strikes long before.
    mutating func push(
        time: Int64, step: UInt32, phase: Phase, label: WorkLabel, work: @escaping () -> Void
    ) -> WorkToken {
        precondition(
            sequence < Rank.sequenceLimit, "a timeline carries at most 2^45 items; open a new one")
        let rank =
            UInt64(min(step, Rank.stepLimit)) << Rank.stepShift
            | UInt64(phase.rawValue) << Rank.phaseShift | sequence
        sequence += 1
        let slot = occupySlot(label: label, work: work)
        let generation = slots[Int(slot)].generation
        live += 1
        if count == capacity { growEntries() }
        count += 1
        siftUp(
            Entry(time: time, rank: rank, slot: slot, generation: generation), from: count - 1)
        return WorkToken(rawValue: UInt64(generation) << 32 | UInt64(slot))
    }

    /// Takes work back. Returns nil for a token whose work ran, runs or was taken back.
    ///
    /// The closure is handed out so that the caller lets go of it when the queue is no longer being
    /// changed: that may run any `deinit`, which may come back here.
    mutating func cancel(_ token: WorkToken) -> (() -> Void)? {
        let slot = Int(truncatingIfNeeded: token.rawValue & 0xFFFF_FFFF)
        let generation = UInt32(truncatingIfNeeded: token.rawValue >> 32)
        guard slot < slotCount, generation & 1 == 1, slots[slot].generation == generation else {
            return nil
        }
        let work = releaseSlot(slot)
        live -= 1
        if count > 64, count > 2 * live { compact() }
        return work
    }

    /// The entry of the next item, or nil when nothing waits.
    @inline(__always)
    mutating func next() -> Entry? {
        dropDeadHead()
        return count == 0 ? nil : entries[0]
    }

    /// When the next item is due, or nil when nothing waits.
    @inline(__always)
    mutating func nextTime() -> Int64? {
        next()?.time
    }

    /// The microstep of the next item, zero when nothing waits.
    mutating func nextStep() -> UInt32 {
        next().map { Rank.step(of: $0.rank) } ?? 0
    }

    /// The label of the next item, or nil when nothing waits.
    mutating func nextLabel() -> WorkLabel? {
        dropDeadHead()
        return count == 0 ? nil : slots[Int(entries[0].slot)].label
    }

    /// Takes out the next item if it is due at `limit` or before.
    @inline(__always)
    mutating func pop(through limit: Int64) -> Item? {
        dropDeadHead()
        guard count > 0, entries[0].time <= limit else { return nil }
        let head = entries[0]
        removeHead()
        live -= 1
        let label = slots[Int(head.slot)].label
        guard let work = releaseSlot(Int(head.slot)) else {
            preconditionFailure("slot \(head.slot) is occupied and holds no work")
        }
        return Item(time: head.time, rank: head.rank, label: label, work: work)
    }

    /// The first `limit` items that wait, in the order they would run: for people, not for hot paths.
    ///
    /// They are taken out and put back, so a few of millions cost no look at the others, and an entry of
    /// cancelled work that stands before them is met once and not again.
    mutating func waiting(limit: Int) -> [(time: Int64, label: WorkLabel)] {
        var heads: [Entry] = []
        while heads.count < limit, let head = next() {
            heads.append(head)
            removeHead()
            live -= 1
        }
        for head in heads {
            siftUp(head, from: count)
            count += 1
            live += 1
        }
        return heads.map { ($0.time, slots[Int($0.slot)].label) }
    }

    /// Takes everything back, and hands the closures out for the reason that `cancel` does.
    mutating func removeAll() -> [() -> Void] {
        count = 0
        live = 0
        var works: [() -> Void] = []
        for slot in 0..<slotCount where slots[slot].generation & 1 == 1 {
            if let work = releaseSlot(slot) { works.append(work) }
        }
        return works
    }

    /// Stops the program when the heap's order or the books are wrong; tests call it.
    func checkInvariants() {
        for child in 1..<max(1, count) {
            precondition(!(entries[child] < entries[(child - 1) / 4]), "heap order is broken")
        }
        var alive = 0
        for index in 0..<count where isAlive(entries[index]) { alive += 1 }
        precondition(alive == live, "\(live) items are counted and \(alive) are there")
        var occupied = 0
        for slot in 0..<slotCount where slots[slot].generation & 1 == 1 { occupied += 1 }
        precondition(occupied == live, "\(occupied) slots are occupied for \(live) items")
    }

    // MARK: Slots

    @inline(__always)
    private mutating func occupySlot(label: WorkLabel, work: @escaping () -> Void) -> UInt32 {
        if firstFree != .max {
            let slot = firstFree
            let place = slots + Int(slot)
            firstFree = place.pointee.nextFree
            place.pointee.work = work
            place.pointee.label = label
            place.pointee.generation &+= 1
            return slot
        }
        if slotCount == slotCapacity { growSlots() }
        (slots + slotCount).initialize(
            to: Slot(work: work, label: label, generation: 1, nextFree: .max))
        slotCount += 1
        return UInt32(slotCount - 1)
    }

    @inline(__always)
    private mutating func releaseSlot(_ slot: Int) -> (() -> Void)? {
        let place = slots + slot
        let work = place.pointee.work.take()
        place.pointee.generation &+= 1
        place.pointee.nextFree = firstFree
        firstFree = UInt32(slot)
        return work
    }

    @inline(__always)
    private func isAlive(_ entry: Entry) -> Bool {
        slots[Int(entry.slot)].generation == entry.generation
    }

    // MARK: Heap

    /// Asks no slot while nothing dead is in the heap: a slot is far away, and seldom in the cache.
    @inline(__always)
    private mutating func dropDeadHead() {
        while count > live, !isAlive(entries[0]) { removeHead() }
    }

    /// Fills the hole at the head from below. What comes last in the heap nearly always belongs near its
    /// bottom, so the hole sinks all the way without asking, and the last entry rises from there.
    private mutating func removeHead() {
        count -= 1
        var hole = 0
        var first = 1
        while first &+ 3 < count {
            fetchChildren(ofFour: first)
            let least = leastOfFour(first)
            entries[hole] = entries[least]
            hole = least
            first = hole << 2 &+ 1
        }
        if first < count {
            var least = first
            for child in first + 1..<count where entries[child] < entries[least] { least = child }
            entries[hole] = entries[least]
            hole = least
        }
        if hole < count { siftUp(entries[count], from: hole) }
        // Whoever takes this one out next needs its slot, which is far away in a long queue.
        marbled_prefetch(slots + Int(entries[0].slot))
    }

    /// Asks for the sixteen entries of which four are compared next, in a heap too long for the nearer
    /// caches; the four at `first` are compared meanwhile.
    @inline(__always)
    private func fetchChildren(ofFour first: Int) {
        guard count > 16_384 else { return }
        let line = UnsafeRawPointer(entries + (first << 2 &+ 1))
        for offset in stride(from: 0, to: 16 * MemoryLayout<Entry>.stride, by: 64) {
            marbled_prefetch(line + offset)
        }
    }

    /// The least of the four children that begin at `first`, worked out as a sum: which one it is cannot
    /// be foreseen, and a branch that is guessed wrong costs more than the whole level.
    @inline(__always)
    private func leastOfFour(_ first: Int) -> Int {
        let left = first &+ (entries[first &+ 1] < entries[first] ? 1 : 0)
        let right = first &+ 2 &+ (entries[first &+ 3] < entries[first &+ 2] ? 1 : 0)
        return left &+ (right &- left) &* (entries[right] < entries[left] ? 1 : 0)
    }

    @inline(__always)
    private func siftUp(_ entry: Entry, from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) >> 2
            guard entry < entries[parent] else { break }
            entries[index] = entries[parent]
            index = parent
        }
        entries[index] = entry
    }

    @inline(__always)
    private func siftDown(_ entry: Entry, from start: Int) {
        var index = start
        while true {
            let first = index << 2 + 1
            guard first < count else { break }
            var least = first
            let last = min(first + 4, count)
            var child = first + 1
            while child < last {
                if entries[child] < entries[least] { least = child }
                child += 1
            }
            guard entries[least] < entry else { break }
            entries[index] = entries[least]
            index = least
        }
        entries[index] = entry
    }

    /// Sweeps the entries of cancelled work and makes a heap of what is left (Floyd's method).
    private mutating func compact() {
        var kept = 0
        for index in 0..<count where isAlive(entries[index]) {
            entries[kept] = entries[index]
            kept += 1
        }
        count = kept
        guard count > 1 else { return }
        for index in stride(from: (count - 2) >> 2, through: 0, by: -1) {
            siftDown(entries[index], from: index)
        }
    }

    private mutating func growEntries() {
        let grown = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        grown.moveInitialize(from: entries, count: count)
        entries.deallocate()
        entries = grown
        capacity *= 2
    }

    private mutating func growSlots() {
        let grown = UnsafeMutablePointer<Slot>.allocate(capacity: slotCapacity * 2)
        grown.moveInitialize(from: slots, count: slotCount)
        slots.deallocate()
        slots = grown
        slotCapacity *= 2
    }
}
