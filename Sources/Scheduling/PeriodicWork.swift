// SPDX-License-Identifier: Apache-2.0

/// Work that comes again and again, each time computed from its start, so that nothing drifts.
///
///     start 10, period 10    ----10----20----30----40----50-->
///     on time                    0     1     2     3     4
///     busy from 10 until 35
///       .burst                   0        (1 2)    3     4
///       .skip                    0          1      3     4
///       .delay                   0          1         2       next at 45, 55
///
/// Tick `k` is due at start + k * period. Each tick takes a new sequence number, given just before its
/// predecessor's work runs, so equal instants stay first come, first served. A tick costs no
/// allocation.
///
/// Belongs to its scheduler's thread and to whoever holds it: letting it go cancels it. It also ends
/// when its next tick would lie at the end of time.
public final class PeriodicWork {
    /// What to do about ticks that fell due while something else ran.
    public enum Overdue: Sendable, Hashable, CaseIterable {
        /// Each runs, late, one after the other, until the series has caught up.
        case burst
        /// One runs late; those before the next instant of the series that is yet to come are left out.
        case skip
        /// One runs late and the series goes on from there.
        case delay
    }

    /// One turn of the work.
    public struct Tick: Equatable, Sendable {
        /// The tick's number, from zero. Ticks left out keep their numbers.
        public let number: Int64
        /// When it was due, which is earlier than `now` when it is late.
        public let due: Instant
    }

    private let scheduler: any Scheduler
    private let period: Int64
    private let phase: Phase
    private let label: WorkLabel
    private let overdue: Overdue
    private let work: (Tick) -> Void
    /// Where tick zero is due; moves under `.delay`.
    private var start: Instant
    /// The number of the tick at `start`, which `.delay` moves along.
    private var startNumber: Int64 = 0
    private var next: Tick
    private var token = WorkToken.none
    private var isCancelled = false
    /// What the queue holds: made once, and it does not keep the work alive.
    private var strike: () -> Void = {}

    /// Starts the series.
    ///
    /// - Parameters:
    ///   - scheduler: where it runs; kept alive by the work.
    ///   - period: the time from one tick to the next.
    ///   - start: when tick zero is due; one period from now unless given.
    ///   - phase: the ticks' place among other work of their instant.
    ///   - label: the name shown when a limit strikes.
    ///   - overdue: what to do about ticks that are late.
    ///   - work: called at each tick; may cancel the series.
    /// - Throws: `.zeroPeriod`, or `.negativeDuration` for a period below zero.
    public init(
        on scheduler: any Scheduler, every period: Duration, from start: Instant? = nil,
        phase: Phase = .timer, label: WorkLabel = "periodic work", overdue: Overdue = .burst,
        work: @escaping (Tick) -> Void
    ) throws(SchedulingError) {
        guard period >= .zero else { throw .negativeDuration(period) }
        // A fraction of a nanosecond is no time either.
        guard period.wholeNanoseconds > 0 else { throw .zeroPeriod }
        let first = start ?? scheduler.instant(after: period)
        self.scheduler = scheduler
        self.period = period.wholeNanoseconds
        self.start = first
        self.phase = phase
        self.label = label
        self.overdue = overdue
        self.work = work
        next = Tick(number: 0, due: first)
        strike = { [unowned self] in tick() }
        token = scheduler.schedule(at: first, phase: phase, label: label, strike)
    }

    deinit {
        cancel()
    }

    /// Ends the series; from inside its work too. Calling it twice is harmless.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        scheduler.cancel(token)
    }

    private func tick() {
        let current = next
        next = tick(after: current)
        // Before the work, so that the work's own timers for the next tick's instant come after it.
        if next.due < .distantFuture {
            token = scheduler.schedule(at: next.due, phase: phase, label: label, strike)
        }
        work(current)
    }

    private func tick(after current: Tick) -> Tick {
        let now = scheduler.now
        switch overdue {
        case .burst:
            break
        case .skip where now > current.due:
            let passed = now.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
            // A clock that far from the start is at the end of time.
            guard !passed.overflow else { break }
            return tick(number: startNumber + passed.partialValue / period + 1)
        case .delay where now > current.due:
            start = now
            startNumber = current.number
        case .skip, .delay:
            break
        }
        return tick(number: current.number + 1)
    }

    private func tick(number: Int64) -> Tick {
        let (offset, overflow) = (number - startNumber).multipliedReportingOverflow(by: period)
        let due = overflow ? .distantFuture : start.advanced(byNanoseconds: offset)
        return Tick(number: number, due: due)
    }
}
