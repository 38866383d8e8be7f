// SPDX-License-Identifier: Apache-2.0

public import Scheduling

/// The timeline for a time operator: the one given, else the one this code runs on.
@usableFromInline
func timeline(_ given: (any Scheduler)?, for operatorName: StaticString) -> any Scheduler {
    if let scheduler = given ?? CurrentScheduler.scheduler { return scheduler }
    preconditionFailure(
        """
        \(operatorName) was subscribed outside any timeline. Inside a feature it runs on the \
        instance's own; elsewhere give `scheduler:`, or wrap the code in CurrentScheduler.with(_:).
        """)
}

/// Stops the program for a duration that no operator can wait.
@usableFromInline
func requireNotNegative(_ duration: Duration, _ operatorName: StaticString) {
    precondition(duration >= .zero, "\(operatorName) cannot wait \(duration); give zero or more")
}

/// One timer that an operator sets, moves and takes back; its closure is made once.
@usableFromInline
final class OperatorTimer: Disposable {
    @usableFromInline let scheduler: any Scheduler
    private let label: WorkLabel
    private var token = WorkToken.none
    private var fire: () -> Void = {}
    private var isDisposed = false

    @usableFromInline
    init(_ scheduler: any Scheduler, _ label: WorkLabel, _ action: @escaping () -> Void) {
        self.scheduler = scheduler
        self.label = label
        // Kept alive by its own closure until it is disposed: an armed timer outlives its maker safely.
        fire = {
            self.token = .none
            action()
        }
    }

    /// Sets the timer, taking it back first when it is set already.
    @usableFromInline
    func set(after delay: Duration) {
        set(at: scheduler.instant(after: delay))
    }

    @usableFromInline
    func set(at due: Instant) {
        guard !isDisposed else { return }
        clear()
        token = scheduler.schedule(at: due, phase: .timer, label: label, fire)
    }

    /// Takes the timer back if it is set.
    @usableFromInline
    func clear() {
        if token != .none { scheduler.cancel(token) }
        token = .none
    }

    @usableFromInline
    func dispose() {
        isDisposed = true
        clear()
        fire = {}
    }
}
