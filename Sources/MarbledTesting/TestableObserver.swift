// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams

/// Writes down every event it is sent and when.
public final class TestableObserver<Element>: ObserverType {
    /// Its name in pictures and at the end of a test.
    public let name: String
    private let clock: () -> Int
    private var log: [Recorded<Event<Element>>] = []
    private var read = 0

    init(_ name: String, clock: @escaping () -> Int) {
        self.name = name
        self.clock = clock
    }

    /// What was seen, oldest first. The strict end of a test asks whether all of it was looked at.
    public var events: [Recorded<Event<Element>>] {
        read = log.count
        return log
    }

    public func on(_ event: Event<Element>) {
        log.append(Recorded(time: clock(), value: event))
    }
}

/// An observer whose type the end of a test need not know.
protocol UnreadLog: AnyObject {
    var name: String { get }
    /// What the test has not looked at, as text.
    var unread: [String] { get }
}

extension TestableObserver: UnreadLog {
    var unread: [String] { log[read...].map { "\($0)" } }
}
