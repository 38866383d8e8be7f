// SPDX-License-Identifier: Apache-2.0

/// One run of a virtual timeline toward a goal, carried on slice by slice.
///
/// Made by `VirtualTimeScheduler.beginRun(_:itemLimit:)`; a value, so a run that is given up costs nothing.
public struct Run {
    /// Where a run ends.
    public enum Goal: Equatable, Sendable {
        /// After everything due at the instant or before; the clock ends there.
        case through(Instant)
        /// Before anything due at the instant; the clock ends there.
        case before(Instant)
        /// After one item.
        case oneItem
        /// When nothing waits.
        case idle
    }

    /// Where this run ends.
    public let goal: Goal
    /// How many items it may run.
    public let itemLimit: Int
    /// How many it ran so far.
    public private(set) var ran = 0
    /// How the run stands after each slice, also one that a limit ended; final once `resume` returned
    /// true.
    public private(set) var progress: Progress

    /// The last items before the limit are counted by label, to name what repeats.
    private var labelCounts: [String: Int] = [:]
    private static let labelledTail = 256

    init(goal: Goal, itemLimit: Int, now: Instant, step: UInt32, idle: Bool) {
        self.goal = goal
        self.itemLimit = itemLimit
        progress = Progress(now: now, step: step, ran: 0, isIdle: idle, blockedBy: [])
    }

    @inline(__always)
    mutating func note(_ label: WorkLabel, limit: Int) {
        ran &+= 1
        if limit &- ran < Self.labelledTail { labelCounts[label.description, default: 0] += 1 }
    }

    mutating func report(now: Instant, step: UInt32, idle: Bool, blockedBy: [String]) {
        progress = Progress(now: now, step: step, ran: ran, isIdle: idle, blockedBy: blockedBy)
    }

    func repeatedLabels(or next: WorkLabel?) -> [String] {
        if labelCounts.isEmpty { return next.map { [$0.description] } ?? [] }
        return labelCounts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
    }
}

extension Run.Goal {
    /// The instant the clock is moved to when everything before it has run.
    var target: Instant? {
        switch self {
        case .through(let target), .before(let target): target
        case .oneItem, .idle: nil
        }
    }

    /// The last instant whose items belong to the run.
    var lastInstant: Instant {
        switch self {
        case .through(let target): target
        case .before(let target): target.advanced(byNanoseconds: -1)
        case .oneItem, .idle: .distantFuture
        }
    }

    var isOneItem: Bool { self == .oneItem }
}

/// What a run did.
public struct Progress: Equatable, Sendable {
    /// Where the clock stands.
    public var now: Instant
    /// The microstep that ran last at `now`.
    public var step: UInt32
    /// How many items ran.
    public var ran: Int
    /// Whether nothing waits.
    public var isIdle: Bool
    /// The holds that keep the clock from moving, by label; empty when none does.
    public var blockedBy: [String]
}

/// One piece of work that waits.
public struct PendingWork: Sendable {
    /// When it will run.
    public let due: Instant
    /// What it is.
    public let label: WorkLabel
}
