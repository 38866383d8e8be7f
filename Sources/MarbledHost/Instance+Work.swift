// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import Scheduling

/// What the plugin asks of its timeline and its log.
extension Instance {
    func schedule(
        _ due: Int64, _ phase: UInt32, _ label: WorkLabel, _ work: @escaping marbled_work,
        _ data: UnsafeMutableRawPointer?
    ) -> UInt64 {
        guard isOpen else { return 0 }
        guard clock.pendingCount < host.limits.pendingWork else {
            host.strike("pendingWork")
            fail("it has \(host.limits.pendingWork) timers pending and asks for another")
            return 0
        }
        // Arrivals are the world's, in the order that a record keeps. A plugin's own work among them would
        // stand somewhere else when the record runs again.
        let wanted = Phase(rawValue: UInt8(clamping: phase)) ?? .timer
        let phase = wanted == .arrival ? .queued : wanted
        return clock.scheduler.schedule(
            at: Instant(nanoseconds: due), phase: phase, label: label
        ) { [unowned self] in
            guard isOpen else { return }
            callPlugin { work(data) }
        }.rawValue
    }

    func cancel(_ token: UInt64) -> Bool {
        clock.scheduler.cancel(WorkToken(rawValue: token))
    }

    /// Where a delay from now lands under the timeline's profile.
    func instant(after delay: Int64) -> Int64 {
        clock.scheduler.instant(after: .nanoseconds(delay)).nanoseconds
    }

    /// Work that one of the plugin's threads posted has reached the loop.
    func runPosted(_ work: @escaping marbled_work, _ data: UnsafeMutableRawPointer?) {
        let queued = UInt32(Phase.queued.rawValue)
        guard schedule(clock.arrivalInstant().nanoseconds, queued, "posted work", work, data) != 0
        else {
            return
        }
        runDueFromOutside()
    }

    /// Something came from outside any run: runs what is due, unless a run in slices comes to it.
    func runDueFromOutside() {
        guard activeRun == nil, !isInsidePlugin else { return }
        do { try runDue() } catch { host.log(.error, "instance \(name): \(error)") }
    }

    func log(_ level: UInt32, _ message: String) {
        let level = HostLogLevel(rawValue: Int(level)) ?? .info
        host.log(level, "\(name): \(message)")
    }
}
