// SPDX-License-Identifier: Apache-2.0

/// Where a timeline stands inside the instant it runs: the same counting for both schedulers.
///
///     instant     10                       10, driven again
///     runs        a    b, made by a        c, sent from outside
///     microstep   0    1                   2
///     rank        0    1                   0
///
/// What people see counts on as long as the instant lasts. What ranks carry starts again whenever
/// nothing more is due, so an instant into which a client sends forever never runs out of ranks, and
/// a limit on microsteps strikes only work that makes itself again.
struct Microsteps {
    /// The microstep that runs, or ran last, counted since the clock came to this instant.
    private(set) var current: UInt32 = 0
    /// The rank that work made for this instant gets.
    private(set) var next: UInt32 = 0

    /// The rank that runs, or ran last.
    private var rank: UInt32 = 0
    /// How many microsteps were drained at this instant before rank zero.
    private var drained: UInt32 = 0

    /// The clock came to another instant; nothing of it has run.
    mutating func clockMoved() {
        self = Microsteps()
    }

    /// The clock moved under an item that goes on running: what the item makes comes after it.
    mutating func clockMovedUnderItem() {
        self = Microsteps()
        next = 1
    }

    /// An item begins. One that is overdue passes zero: its rank belongs to an instant gone by.
    mutating func itemBegins(rank itemRank: UInt32) {
        rank = max(rank, itemRank)
        next = rank &+ 1
        current = drained &+ rank
    }

    /// Nothing is due any more: what comes from outside at this same instant starts at rank zero.
    mutating func instantDrained() {
        drained &+= next
        rank = 0
        next = 0
    }
}
