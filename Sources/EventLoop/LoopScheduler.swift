// SPDX-License-Identifier: Apache-2.0

package import Scheduling

/// A timeline in real time on a loop: the queue's order, and one libuv timer for its head.
///
/// The queue decides what runs and in which order; libuv only says when to look. An item never runs
/// before its instant, and after it by at most a millisecond or so on a loop that keeps up.
///
/// What is due runs in passes of at most `passLimit` items; the rest waits until everybody else on the
/// loop had a turn. Loop-confined; its owner ends it with `close()`, before the loop closes.
package final class LoopScheduler: RealTimeScheduler {
    private let loop: EventLoop
    private let timer: LoopTimer
    private let passLimit: Int
    private var passWaits = false
    private var isOpen = true
    /// `pass()` as the loop takes it: made once, so that putting a pass off costs nothing.
    private var pass: () -> Void = {}

    /// A timeline whose zero is now; `catchUp` as for every timeline in real time.
    package init(on loop: EventLoop, passLimit: Int = 1_000, catchUp: Duration = .zero) {
        precondition(passLimit > 0, "a pass of \(passLimit) items runs nothing")
        self.loop = loop
        self.passLimit = passLimit
        timer = LoopTimer(on: loop)
        super.init(
            clock: { EventLoop.monotonicNanoseconds }, wallClock: { EventLoop.wallNanoseconds },
            catchUp: catchUp)
        pass = { [weak self] in self?.runPass() }
        timer.onStrike = { [weak self] in self?.runPass() }
        alarm = { [unowned self] in arm($0) }
    }

    deinit {
        timer.close()
    }

    /// Ends the timeline and lets go of the loop. Calling it twice is harmless.
    package override func close() {
        guard isOpen else { return }
        super.close()
        isOpen = false
        timer.close()
    }

    private func runPass() {
        guard isOpen else { return }
        passWaits = false
        runDue(atMost: passLimit)
    }

    private func arm(_ instant: Instant?) {
        guard isOpen, timer.isOpen else { return }
        guard let instant else { return timer.stop() }
        let due = clockReading(at: instant)
        guard due <= EventLoop.monotonicNanoseconds else { return timer.start(atMonotonic: due) }
        // Not a timer of zero: libuv would strike it again before it looks at anything else.
        timer.stop()
        guard !passWaits else { return }
        passWaits = true
        loop.nextTurn(pass)
    }
}
