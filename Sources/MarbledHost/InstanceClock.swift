// SPDX-License-Identifier: Apache-2.0

package import Scheduling

/// The one timeline of an instance: on the loop's clock, or its own.
package enum InstanceClock {
    case real(RealTimeScheduler)
    case virtual(VirtualTimeScheduler)

    /// The timeline, for those who only put work on it.
    package var scheduler: any Scheduler {
        switch self {
        case .real(let scheduler): scheduler
        case .virtual(let scheduler): scheduler
        }
    }

    package var isVirtual: Bool {
        if case .virtual = self { true } else { false }
    }

    /// `real` or `virtual`, as clients spell it.
    package var name: StaticString {
        switch self {
        case .real: "real"
        case .virtual: "virtual"
        }
    }

    package var now: Instant {
        switch self {
        case .real(let scheduler): scheduler.now
        case .virtual(let scheduler): scheduler.now
        }
    }

    package var microstep: UInt32 {
        switch self {
        case .real(let scheduler): scheduler.microstep
        case .virtual(let scheduler): scheduler.microstep
        }
    }

    /// When something that comes from outside arrives.
    package func arrivalInstant() -> Instant {
        switch self {
        case .real(let scheduler): scheduler.arrivalInstant()
        case .virtual(let scheduler): scheduler.now
        }
    }

    /// How far the real clock is ahead of `now`; never in virtual time.
    var lateness: Int64 {
        switch self {
        case .real(let scheduler): scheduler.lateness
        case .virtual: 0
        }
    }

    package var nextDue: Instant? {
        switch self {
        case .real(let scheduler): scheduler.nextDue
        case .virtual(let scheduler): scheduler.nextDue
        }
    }

    package var pendingCount: Int {
        switch self {
        case .real(let scheduler): scheduler.pendingCount
        case .virtual(let scheduler): scheduler.pendingCount
        }
    }

    package func pending(limit: Int) -> [PendingWork] {
        switch self {
        case .real(let scheduler): scheduler.pending(limit: limit)
        case .virtual(let scheduler): scheduler.pending(limit: limit)
        }
    }

    /// What keeps a virtual clock from moving, by label.
    package var holds: [String] {
        switch self {
        case .real: []
        case .virtual(let scheduler): scheduler.holdLabels
        }
    }

    /// Ends the timeline: nothing on it runs any more.
    func close() {
        switch self {
        case .real(let scheduler): scheduler.close()
        case .virtual(let scheduler): scheduler.close()
        }
    }
}
