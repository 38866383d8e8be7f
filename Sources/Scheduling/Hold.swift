// SPDX-License-Identifier: Apache-2.0

/// Outside work that a virtual timeline waits for: while one is open, the clock does not move.
public final class Hold {
    /// Who is waited for.
    public let label: WorkLabel
    private weak var scheduler: VirtualTimeScheduler?

    init(label: WorkLabel, scheduler: VirtualTimeScheduler) {
        self.label = label
        self.scheduler = scheduler
    }

    /// Lets the clock move again. Calling it twice is harmless.
    public func release() {
        scheduler?.release(self)
        scheduler = nil
    }
}
