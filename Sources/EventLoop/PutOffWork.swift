// SPDX-License-Identifier: Apache-2.0

internal import CLibuv

/// The work behind `EventLoop.nextTurn`: a check handle runs it after the loop has polled, and an idle
/// handle keeps that poll from waiting while there is some.
///
/// Owned by its loop and closed with it.
final class PutOffWork {
    private let check: Check
    private let idle: Idle
    private var waiting: [() -> Void] = []
    private var running: [() -> Void] = []

    init(on loop: EventLoop) {
        check = Check(on: loop)
        idle = Idle(on: loop)
        check.work = { [unowned self] in runWaiting() }
    }

    func append(_ work: @escaping () -> Void) {
        if waiting.isEmpty {
            check.start()
            idle.start()
        }
        waiting.append(work)
    }

    func removeAll() {
        waiting.removeAll()
    }

    private func runWaiting() {
        // Two arrays take turns, so that a loop under load stops allocating.
        swap(&waiting, &running)
        for work in running { work() }
        running.removeAll(keepingCapacity: running.capacity <= 1024)
        guard waiting.isEmpty else { return }
        check.stop()
        idle.stop()
    }
}

/// Calls `work` in each iteration after the poll, while started.
private final class Check: LoopHandle {
    var work: () -> Void = {}

    init(on loop: EventLoop) {
        super.init(on: loop, memory: Self.make(on: loop, uv_check_init))
    }

    func start() {
        guard isOpen else { return }
        uv_check_start(check) { Check.recover($0?.pointee.data).work() }
    }

    func stop() {
        guard isOpen else { return }
        uv_check_stop(check)
    }

    private var check: UnsafeMutablePointer<uv_check_t> {
        memory.assumingMemoryBound(to: uv_check_t.self)
    }
}

/// Does nothing in each iteration while started, which is why the loop does not wait.
private final class Idle: LoopHandle {
    init(on loop: EventLoop) {
        super.init(on: loop, memory: Self.make(on: loop, uv_idle_init))
    }

    func start() {
        guard isOpen else { return }
        uv_idle_start(idle) { _ in }
    }

    func stop() {
        guard isOpen else { return }
        uv_idle_stop(idle)
    }

    private var idle: UnsafeMutablePointer<uv_idle_t> {
        memory.assumingMemoryBound(to: uv_idle_t.self)
    }
}
