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

/// One timer that an operator sets, moves and takes back.
@usableFromInline
final class OperatorTimer: Disposable {
    @usableFromInline let scheduler: any Scheduler
    private let label: WorkLabel
    private var token = WorkToken.none
    /// Nil once it is disposed.
    private var action: (() -> Void)?

    @usableFromInline
    init(_ scheduler: any Scheduler, _ label: WorkLabel, _ action: @escaping () -> Void) {
        self.scheduler = scheduler
        self.label = label
        self.action = action
    }

    /// Sets the timer, taking it back first when it is set already.
    @usableFromInline
    func set(after delay: Duration) {
        set(at: scheduler.instant(after: delay))
    }

    @usableFromInline
    func set(at due: Instant) {
        guard action != nil else { return }
        clear()
        // A closure over this object alone needs no memory, and keeps it alive while it is set.
        token = scheduler.schedule(at: due, phase: .timer, label: label) { self.strike() }
    }

    /// Takes the timer back if it is set.
    @usableFromInline
    func clear() {
        if token != .none { scheduler.cancel(token) }
        token = .none
    }

    @usableFromInline
    func dispose() {
        clear()
        action = nil
    }

    private func strike() {
        token = .none
        action?()
    }
}
