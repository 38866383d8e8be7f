// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams

/// Writes down every event it is sent and when.
public final class TestableObserver<Element>: ObserverType {
    /// What was seen, oldest first.
    public private(set) var events: [Recorded<Event<Element>>] = []
    private let clock: () -> Int

    init(clock: @escaping () -> Int) {
        self.clock = clock
    }

    public func on(_ event: Event<Element>) {
        events.append(Recorded(time: clock(), value: event))
    }
}
