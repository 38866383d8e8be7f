// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
internal import Scheduling

/// A timer for housekeeping: strikes once, or again and again, to the millisecond and never early.
///
/// Instances have `LoopScheduler`, which keeps an order among its timers; this one does not. Calls
/// `onStrike` on the loop's thread. Its owner closes it.
package final class LoopTimer: LoopHandle {
    /// Called at each strike; may start, stop and close the timer.
    package var onStrike: () -> Void

    private static let nanosecondsPerMillisecond: UInt64 = 1_000_000
    /// The loop's millisecond at which the timer strikes; nil when it is not armed.
    private var armed: UInt64?

    package init(on loop: EventLoop, onStrike: @escaping () -> Void = {}) {
        self.onStrike = onStrike
        super.init(on: loop, memory: Self.make(on: loop, uv_timer_init))
    }

    /// Strikes `delay` from now, then every `period` if one is given. A timer already started starts
    /// over.
    ///
    /// A period counts from one strike to the next, in whole milliseconds: it drifts, and skips what it
    /// misses. `PeriodicWork` does neither.
    package func start(after delay: Duration, every period: Duration? = nil) {
        let wait = UInt64(clamping: delay.wholeNanoseconds)
        let (due, overflow) = uv_hrtime().addingReportingOverflow(wait)
        // Zero would mean "once" to libuv.
        let every = period.map { max(1, Self.milliseconds($0.wholeNanoseconds)) } ?? 0
        start(at: overflow ? .max : due, every: every)
    }

    /// Strikes once when `EventLoop.monotonicNanoseconds` has reached `due`.
    package func start(atMonotonic due: Int64) {
        start(at: UInt64(clamping: due), every: 0)
    }

    /// Takes the strike back.
    package func stop() {
        guard isOpen, armed != nil else { return }
        armed = nil
        uv_timer_stop(timer)
    }

    override func willClose() {
        armed = nil
    }

    /// libuv strikes when its millisecond, the monotonic clock's rounded down, has reached start plus
    /// timeout, and it takes the start from a reading that may be a long callback old. So the target is
    /// computed as a millisecond of that clock, rounded up, and the timeout from that same old reading:
    /// what the reading lags cancels out.
    private func start(at due: UInt64, every period: UInt64) {
        guard isOpen else { return }
        let target =
            due / Self.nanosecondsPerMillisecond
            + (due % Self.nanosecondsPerMillisecond == 0 ? 0 : 1)
        if armed == target, period == 0, uv_timer_get_repeat(timer) == 0 { return }
        armed = target
        let reading = uv_now(loop.raw)
        let timeout = target > reading ? target - reading : 0
        uv_timer_start(timer, { LoopTimer.recover($0?.pointee.data).strike() }, timeout, period)
    }

    private func strike() {
        if uv_timer_get_repeat(timer) == 0 { armed = nil }
        onStrike()
    }

    private static func milliseconds(_ nanoseconds: Int64) -> UInt64 {
        let nanoseconds = UInt64(clamping: nanoseconds)
        return nanoseconds / nanosecondsPerMillisecond
            + (nanoseconds % nanosecondsPerMillisecond == 0 ? 0 : 1)
    }

    private var timer: UnsafeMutablePointer<uv_timer_t> {
        memory.assumingMemoryBound(to: uv_timer_t.self)
    }
}
