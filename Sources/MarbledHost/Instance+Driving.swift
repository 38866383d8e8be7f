// SPDX-License-Identifier: Apache-2.0

package import Scheduling

/// A run of a virtual instance that is carried on slice by slice, so that nobody else waits for it.
struct ActiveRun {
    var run: Run
    /// Ends the run early, looked at after every item.
    var condition: (() -> Bool)?
    let completion: (Result<Progress, HostError>) -> Void
}

extension Instance {
    /// Items between two looks at the clock.
    private static let batch = 256

    /// Whether a run is going on.
    package var isRunning: Bool { activeRun != nil }

    /// Whether what touches the instance now has to wait in `whenIdle`: for the end of a run, or for
    /// what waited before.
    package var isBusy: Bool { activeRun != nil || !waiting.isEmpty }

    /// The virtual timeline, or the error for an instance in real time.
    package func virtualClock() throws(HostError) -> VirtualTimeScheduler {
        try requireOpen()
        guard case .virtual(let scheduler) = clock else { throw .clockIsReal(name) }
        return scheduler
    }

    /// Begins a run; `completion` is called once, from inside this call or a later slice.
    ///
    /// A run that fits one slice is over when this returns.
    package func drive(
        _ goal: Run.Goal, limit: Int? = nil, until condition: (() -> Bool)? = nil,
        completion: @escaping (Result<Progress, HostError>) -> Void
    ) throws(HostError) {
        let scheduler = try virtualClock()
        guard activeRun == nil else {
            throw .conflict("\"\(name)\" is being run already; wait for that answer first")
        }
        let run: Run
        do {
            run = try scheduler.beginRun(goal, itemLimit: limit)
        } catch {
            throw Self.hostError(error, goal)
        }
        activeRun = ActiveRun(run: run, condition: condition, completion: completion)
        if !resume() { host.noteRunning(self) }
    }

    /// Carries the run on for one slice of the host's budget. Returns true when it is over.
    func resume() -> Bool {
        guard case .virtual(let scheduler) = clock, var active = activeRun else { return true }
        let deadline = host.clock() &+ host.limits.sliceNanoseconds
        var outcome: Result<Progress, HostError>?
        if let condition = active.condition, condition() {
            outcome = .success(active.run.progress)
        }
        while outcome == nil {
            do {
                let isOver = try scheduler.resume(
                    &active.run, atMost: active.condition == nil ? Self.batch : 1)
                // Closed by an item of its own: the run was answered then.
                guard activeRun != nil else { return true }
                if !isOpen {
                    outcome = .failure(endedError())
                } else if isOver || active.condition?() == true {
                    var progress = active.run.progress
                    progress.now = scheduler.now
                    progress.step = scheduler.microstep
                    progress.ran = active.run.ran
                    progress.isIdle = scheduler.pendingCount == 0
                    outcome = .success(progress)
                }
            } catch {
                outcome = .failure(Self.hostError(error, active.run.goal))
            }
            if outcome == nil, host.clock() >= deadline {
                activeRun = active
                return false
            }
        }
        activeRun = nil
        if let outcome { active.completion(outcome) }
        runWaiting()
        return true
    }

    /// Ends a run before its goal, for an instance that is being closed.
    func abandonRun() {
        guard let active = activeRun.take() else { return }
        active.completion(.failure(.closed("instance \"\(name)\" was closed while it ran")))
        runWaiting()
    }

    /// Ends the run that is going on where it is, between two items: `completion` hears how far it came.
    package func stopRun() {
        guard let active = activeRun.take() else { return }
        host.noteStopped(self)
        active.completion(.success(active.run.progress))
        runWaiting()
    }

    /// Runs `work` now, or in its turn once the run that is going on has ended.
    package func whenIdle(_ work: @escaping () -> Void) {
        if isBusy { waiting.append(work) } else { work() }
    }

    /// Runs what waited, in turns: there may be very much of it.
    private func runWaiting() {
        // A run that is begun and over in there comes back here: a loop, not a recursion.
        guard !waiting.isEmpty, !isRunningWaiting else { return }
        isRunningWaiting = true
        defer { isRunningWaiting = false }
        let turnIsOver = host.turnEnds()
        while activeRun == nil, let work = waiting.popFirst() {
            work()
            if turnIsOver(), !waiting.isEmpty { return host.putOff { [self] in runWaiting() } }
        }
    }

    private func endedError() -> HostError {
        if case .failed(let reason) = life { return .pluginFailed(instance: name, reason: reason) }
        return .closed("instance \"\(name)\" was closed")
    }

    private static func hostError(_ error: SchedulingError, _ goal: Run.Goal) -> HostError {
        switch error {
        case .negativeDuration: return .badValue(pointer: "/by", expected: "zero or more")
        case .targetInThePast(_, let now):
            var pointer = "/to"
            if case .before = goal { pointer = "/before" }
            let clock = DurationText.text(nanoseconds: now.nanoseconds)
            return .badValue(
                pointer: pointer, expected: "at the clock (\(clock)) or later; it never goes back")
        case .alreadyRunning: return .conflict("\(error)")
        default: return .limit("\(error)")
        }
    }
}
