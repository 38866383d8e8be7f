// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
internal import Scheduling

/// The door through which other threads reach the loop: a list of jobs behind one lock, and a wake-up.
///
/// Jobs run on the loop's thread in the order they were accepted. A job that was accepted runs: when
/// the loop closes, those still waiting run first, and from then on the door accepts nothing.
///
/// Sendable, and safe to hold and call for as long as anyone likes, also after the loop is gone. The
/// list has no bound of its own: whoever enqueues bounds what it has here at once.
package final class Wakeup: Sendable {
    /// Work for the loop's thread.
    package typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        /// What `uv_async_send` is given; nil before the door opens and after it closed.
        var bell: UnsafeMutablePointer<uv_async_t>?
    }

    private let state = Locked(State())

    /// Has `job` run on the loop's thread. Returns false, and lets go of it, when the loop is closed.
    @discardableResult
    package func enqueue(_ job: @escaping Job) -> Bool {
        state.withLock { state in
            guard let bell = state.bell else { return false }
            state.jobs.append(job)
            // One ring per batch. Under the lock, because the bell must not be closed meanwhile.
            if state.jobs.count == 1 { uv_async_send(bell) }
            return true
        }
    }

    /// Hangs the bell up.
    func open(on loop: EventLoop) throws(LoopError) {
        let bell = try Bell(on: loop, door: self)
        state.withLock { $0.bell = bell.async }
    }

    /// Takes the bell down, then runs what was accepted.
    func close() {
        state.withLock { $0.bell = nil }
        var spare: [Job] = []
        runJobs(using: &spare)
    }

    /// Runs the jobs that wait; those they enqueue have a turn of their own.
    fileprivate func runJobs(using spare: inout [Job]) {
        state.withLock { swap(&$0.jobs, &spare) }
        for job in spare { job() }
        spare.removeAll(keepingCapacity: spare.capacity <= 1024)
    }
}

/// The handle behind the door.
private final class Bell: LoopHandle {
    private let door: Wakeup
    /// Takes turns with the door's list, so that a busy door stops allocating.
    private var spare: [Wakeup.Job] = []

    init(on loop: EventLoop, door: Wakeup) throws(LoopError) {
        self.door = door
        let memory = try Self.make("uv_async_init", on: loop) { raw, async in
            uv_async_init(raw, async) { Bell.recover($0?.pointee.data).ring() }
        }
        super.init(on: loop, memory: memory)
    }

    var async: UnsafeMutablePointer<uv_async_t> {
        memory.assumingMemoryBound(to: uv_async_t.self)
    }

    private func ring() {
        door.runJobs(using: &spare)
    }
}
