// SPDX-License-Identifier: Apache-2.0

/// What a test scheduler handed out, to be asked about at the strict end.
struct TestBook {
    private(set) var observers: [any UnreadLog] = []
    private(set) var expectations: [any AnyExpectation] = []
    private(set) var scripts: [MockScript] = []
    private(set) var stubs: [any UnusedDouble] = []
    private var streams: [any UnusedStream] = []

    mutating func add(_ observer: any UnreadLog) { observers.append(observer) }
    mutating func add(_ expectation: any AnyExpectation) { expectations.append(expectation) }
    mutating func add(_ script: MockScript) { scripts.append(script) }
    mutating func add(_ stub: any UnusedDouble) { stubs.append(stub) }

    mutating func add(_ stream: any UnusedStream) { streams.append(stream) }

    /// A name for the next observer that was given none.
    var nextObserverName: String { "observer \(observers.count + 1)" }

    /// The streams that nobody subscribed to, each with its number in the order made.
    var unusedStreams: [(name: String, text: String)] {
        streams.enumerated().compactMap { index, stream in
            guard stream.isUnused else { return nil }
            let name = "stream \(index + 1)"
            return (name, "\(name), \(stream.summary), was never subscribed to")
        }
    }
}

/// A stream of a test's that can tell whether anybody wanted it.
protocol UnusedStream: AnyObject {
    var isUnused: Bool { get }
    var summary: String { get }
}

extension TestableObservable: UnusedStream {
    var isUnused: Bool { subscriptions.isEmpty }
    var summary: String {
        let first = recordedEvents.first.map { " that begins with \($0)" } ?? ""
        return "a \(isHot ? "hot" : "cold") one\(first)"
    }
}
