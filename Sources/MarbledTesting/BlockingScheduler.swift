// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Glibc
public import Scheduling

/// The real timeline of one blocking read: it runs on the thread that reads, and sleeps in between.
///
/// Made by each read of a `BlockingObservable` and closed at its end; inside the stream it is
/// `CurrentScheduler.scheduler`. The thread sleeps until the next item is due, until another thread sends
/// work in through `mailbox`, or until an async task of the timeline can go on.
public final class BlockingScheduler: RealTimeScheduler {
    /// The door for other threads.
    public let mailbox = BlockingMailbox()

    init() {
        super.init(
            clock: { Int64(clamping: DispatchTime.now().uptimeNanoseconds) },
            wallClock: {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            })
        executor.onArrival { [mailbox] in mailbox.ring() }
    }

    /// Runs what is due and what is sent in, until `isOver` or `timeout` has passed since the timeline
    /// was made. What was due in time runs, late as it may be.
    func run(until isOver: () -> Bool, timeout: Duration) {
        let deadline = Instant.zero.advanced(by: timeout)
        while true {
            for work in mailbox.takeAll() where !isOver() { CurrentScheduler.with(self, work) }
            // One item at a time, and the clock in between: work that makes itself again without a delay
            // must not outlive the deadline.
            repeat {
                runDue(atMost: 1)
                sampleClock()
            } while !isOver() && nextDue.map { $0 <= min(now, deadline) } ?? false
            guard !isOver(), now < deadline else { return }
            let wake = min(nextDue ?? deadline, deadline)
            if wake > now { mailbox.wait(nanoseconds: wake.nanoseconds - now.nanoseconds) }
        }
    }

    /// Ends the read; what is sent in afterwards is dropped.
    public override func close() {
        mailbox.close()
        super.close()
    }
}
