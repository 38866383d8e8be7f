// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
import Glibc

/// The loop that everything in the process runs on: libuv's, on one thread.
///
/// One iteration, in order:
///
/// 1. The loop's clock is read: milliseconds, once per iteration.
/// 2. Timers that are due strike: `LoopTimer`, and through it `LoopScheduler`.
/// 3. Callbacks put off by the last iteration come: a write that ended.
/// 4. With work put off by `nextTurn`, the wait of step 5 is cut to nothing.
/// 5. The kernel is asked what is ready, and waited for until the next timer. Then everything that is
///    ready has its turn: accepts, reads, writes, signals, and jobs of other threads (`Wakeup`).
/// 6. Work put off by `nextTurn` runs; what it puts off runs in the next iteration.
/// 7. Handles that were closed are let go of, and their owners told.
///
/// Loop-confined: made, run and closed on one thread; other threads have `wakeup` and nothing else.
/// Ends by `close()`, which its owner calls before letting it go.
package final class EventLoop {
    /// The one door for other threads.
    package let wakeup: Wakeup

    let raw: UnsafeMutablePointer<uv_loop_t>
    private(set) var isOpen = true
    private var isRunning = false
    private var putOff: PutOffWork?

    /// A loop with nothing on it but its door.
    ///
    /// From here on the process ignores SIGPIPE: a peer that went away is an error of one write, not the
    /// end of the daemon.
    package init() throws(LoopError) {
        signal(SIGPIPE, SIG_IGN)
        raw = .allocate(capacity: 1)
        wakeup = Wakeup()
        let status = uv_loop_init(raw)
        guard status == 0 else {
            raw.deallocate()
            isOpen = false
            throw LoopError(code: status, call: "uv_loop_init")
        }
        do {
            try wakeup.open(on: self)
        } catch {
            close()
            throw error
        }
    }

    deinit {
        precondition(!isOpen, "an event loop was let go without close()")
    }

    // MARK: Running

    /// Runs iterations until `stop()`.
    package func run() {
        turn(UV_RUN_DEFAULT)
    }

    /// Runs one iteration; waits for something to happen unless told not to.
    package func turn(waiting: Bool = true) {
        turn(waiting ? UV_RUN_ONCE : UV_RUN_NOWAIT)
    }

    /// Ends `run()` after the iteration that goes on. Asked before `run()`, that returns at once.
    package func stop() {
        guard isOpen else { return }
        uv_stop(raw)
    }

    /// Runs `work` once everything that is ready now has had its turn: how long work is cut in pieces
    /// without keeping others waiting.
    package func nextTurn(_ work: @escaping () -> Void) {
        precondition(isOpen, "work was put off to the next turn of an event loop that is closed")
        if putOff == nil { putOff = PutOffWork(on: self) }
        putOff?.append(work)
    }

    // MARK: Ending

    /// Closes the door and every handle, tells their owners, and gives everything back.
    ///
    /// Jobs that `wakeup` accepted still run, first; work put off by `nextTurn` does not. Owners told
    /// that a handle closed may open others, which are closed in turn.
    package func close() {
        precondition(!isRunning, "an event loop cannot be closed from inside its own callbacks")
        guard isOpen else { return }
        wakeup.close()
        putOff?.removeAll()
        var rounds = 0
        repeat {
            handles().forEach { $0.close() }
            turn(UV_RUN_NOWAIT)
            rounds += 1
            precondition(
                rounds < 1000,
                "handles keep being opened while the event loop closes: \(leakedNames())")
        } while !handles().isEmpty
        let status = uv_loop_close(raw)
        precondition(status == 0, "the event loop closed and left open: \(leakedNames())")
        isOpen = false
        raw.deallocate()
    }

    // MARK: Clocks

    /// Monotonic nanoseconds, from the kernel's clock and not from the loop's milliseconds.
    package static var monotonicNanoseconds: Int64 {
        Int64(bitPattern: uv_hrtime())
    }

    /// Nanoseconds since 1970-01-01 UTC.
    package static var wallNanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: Helpers

    private func turn(_ mode: uv_run_mode) {
        precondition(isOpen, "an event loop that is closed was run")
        precondition(!isRunning, "an event loop was run from inside its own callbacks")
        isRunning = true
        uv_run(raw, mode)
        isRunning = false
    }

    private func leakedNames() -> String {
        handles().map { "\(type(of: $0))" }.joined(separator: ", ")
    }

    /// Every handle that libuv still knows; its own, such as the one behind signals, it keeps to itself.
    private func handles() -> [LoopHandle] {
        var found: [LoopHandle] = []
        withUnsafeMutablePointer(to: &found) { found in
            uv_walk(
                raw,
                { handle, found in
                    found?.assumingMemoryBound(to: [LoopHandle].self).pointee
                        .append(LoopHandle.recover(handle?.pointee.data))
                }, found)
        }
        return found
    }
}
