// SPDX-License-Identifier: Apache-2.0

@testable import Scheduling

/// The timelines that must agree, as arguments of the conformance suite.
enum TimelineKind: String, CaseIterable, Sendable {
    case virtual
    case real

    func make() -> any Timeline {
        switch self {
        case .virtual: VirtualTimeline()
        case .real: RealTimeline()
        }
    }
}

/// A timeline under test with somebody to drive it.
protocol Timeline: AnyObject {
    var scheduler: any Scheduler { get }
    var pendingCount: Int { get }
    var nextDue: Instant? { get }
    func pending() -> [PendingWork]
    func removeAll()
    func checkInvariants()
    /// Lets time pass up to and including `target`, and runs what falls due on the way.
    func advance(to target: Int64) throws
}

extension Timeline {
    /// Schedules in plain numbers.
    @discardableResult
    func at(
        _ due: Int64, _ phase: Phase = .timer, label: WorkLabel = "work",
        _ work: @escaping () -> Void
    ) -> WorkToken {
        scheduler.schedule(at: Instant(nanoseconds: due), phase: phase, label: label, work)
    }

    var now: Int64 { scheduler.now.nanoseconds }
}

final class VirtualTimeline: Timeline {
    let virtual: VirtualTimeScheduler
    /// How many items one slice runs.
    let slice: Int

    init(_ virtual: VirtualTimeScheduler = VirtualTimeScheduler(), slice: Int = .max) {
        self.virtual = virtual
        self.slice = slice
    }

    var scheduler: any Scheduler { virtual }
    var pendingCount: Int { virtual.pendingCount }
    var nextDue: Instant? { virtual.nextDue }
    func pending() -> [PendingWork] { virtual.pending() }
    func removeAll() { virtual.removeAll() }
    func checkInvariants() { virtual.checkInvariants() }

    func advance(to target: Int64) throws {
        var run = try virtual.beginRun(.through(Instant(nanoseconds: target)))
        while try !virtual.resume(&run, atMost: slice) {}
    }
}

/// A real timeline whose clock and alarm are numbers.
final class RealTimeline: Timeline {
    /// A clock and an alarm that strikes once, moved by hand.
    final class Kernel {
        /// Starts somewhere, as a monotonic clock does.
        static let origin: Int64 = 5_000_000_000
        var clock = Kernel.origin
        var alarm: Instant?
        var alarmsTold = 0
    }

    let kernel: Kernel
    let real: RealTimeScheduler
    /// How many items one pass runs.
    let pass: Int

    init(pass: Int = 10_000, catchUp: Duration = .zero) {
        let kernel = Kernel()
        self.kernel = kernel
        self.pass = pass
        real = RealTimeScheduler(
            clock: { kernel.clock }, wallClock: { 1_000_000_000 + kernel.clock },
            catchUp: catchUp,
            alarm: {
                kernel.alarm = $0
                kernel.alarmsTold += 1
            })
    }

    var scheduler: any Scheduler { real }
    var pendingCount: Int { real.pendingCount }
    var nextDue: Instant? { real.nextDue }
    func pending() -> [PendingWork] { real.pending() }
    func removeAll() { real.removeAll() }
    func checkInvariants() { real.checkInvariants() }

    func advance(to target: Int64) throws {
        let end = real.clockReading(at: Instant(nanoseconds: target))
        while let alarm = kernel.alarm, real.clockReading(at: alarm) <= end {
            kernel.clock = max(kernel.clock, real.clockReading(at: alarm))
            kernel.alarm = nil
            real.runDue(atMost: pass)
        }
        kernel.clock = max(kernel.clock, end)
        real.sampleClock()
    }
}

/// What a test writes down, in order.
final class Log<Entry> {
    private(set) var entries: [Entry] = []
    func add(_ entry: Entry) { entries.append(entry) }
}

/// Tells when it is let go, and may do something then.
final class Witness {
    private let onDeinit: () -> Void

    init(_ onDeinit: @escaping () -> Void) {
        self.onDeinit = onDeinit
    }

    deinit {
        onDeinit()
    }

    /// A closure's reason to hold on to the witness.
    func touch() {}
}
