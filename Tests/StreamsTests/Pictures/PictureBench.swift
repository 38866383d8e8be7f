// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Marbles
import Scheduling
import Streams
import Testing

/// Builds what one lane of a picture shows, out of the other lanes.
struct Drawing {
    let label: String
    let make: (PictureBench) -> Observable<String>

    init<Source: ObservableConvertibleType>(
        _ label: String, _ make: @escaping (PictureBench) -> Source
    ) {
        self.label = label
        self.make = { bench in make(bench).asObservable().map { "\($0)" } }
    }
}

/// Plays one lane of a picture: the lanes above it are sources, on a timeline of their own.
final class PictureBench {
    /// What a lane did, and what it should have.
    struct Outcome {
        var expected: [Marble]
        var actual: [Marble]
        /// What else is wrong.
        var faults: [String] = []
    }

    let scheduler = TestScheduler()
    private let rows: [Picture.Row]
    private var sources: [String: Observable<String>] = [:]
    private var logs: [String: () -> [TestSubscription]] = [:]
    private var asked: Set<String> = []
    /// What runs when the first result comes.
    private var fromInside: [() -> Void] = []
    private var faults: [String] = []
    /// When hot sources speak.
    private var spoken: [Int] = []

    /// A bench for `row`, fed by `inputs`.
    init(inputs: [Picture.Row]) throws {
        rows = inputs
        for row in inputs where !row.isSubscription && !row.label.isEmpty {
            let (source, log) = try source(row)
            sources[row.label] = source
            logs[row.label] = log
        }
    }

    /// The stream of the first lane.
    var source: Observable<String> { self["source"] }

    /// The stream of the lane with this label.
    subscript(label: String) -> Observable<String> {
        asked.insert(label)
        if let source = sources[label] { return source }
        faults.append("there is no lane `\(label)`")
        return .never()
    }

    /// The lane whose values are numbers.
    func numbers(_ label: String = "source") -> Observable<Int> { self[label].map(\.number) }

    /// What `value` makes: the lane `value makes`. 7 makes an error.
    func made(by value: String) throws -> Observable<String> {
        guard value != "7" else { throw Oops() }
        return self["\(value) makes"]
    }

    /// Subscribes to what `drawing` makes and compares it with `row`.
    func play(_ drawing: Drawing, as row: Picture.Row) throws -> Outcome {
        let window = try rows.first { $0.isSubscription && !$0.label.isEmpty }.map {
            try SubscriptionDiagram(parsing: $0.lane)
        }
        let until = window?.unsubscribed?.tick ?? (row.isEnded ? 500 : row.length)
        let actual = run(drawing, from: window?.subscribed?.tick ?? 0, until: until, quietAt: until)
        let usage = try usageFaults()
        return Outcome(expected: try row.marbles(), actual: actual, faults: faults + usage)
    }

    /// Takes only the first value that `drawing` makes, which then must let go of everything at once; nil
    /// when `row` begins with its end.
    func playFirst(_ drawing: Drawing, of row: Picture.Row) throws -> Outcome? {
        guard let first = try row.marbles().first, !first.event.isTerminal else { return nil }
        let tick = first.at.tick
        var isGivenUp = false
        func ends() { if isGivenUp { faults.append("it ended after it was given up") } }
        let one = Drawing(drawing.label) {
            drawing.make($0)
                .do(
                    onError: { _ in ends() }, onCompleted: ends, onDispose: { isGivenUp = true }
                )
                .take(1)
        }
        var outcome = Outcome(
            expected: [first, Marble(at: first.at, .completed)],
            actual: run(one, from: 0, until: 500, quietAt: tick))
        for (label, log) in logs {
            let late = log().filter { $0.subscribe > tick || $0.unsubscribe > tick }
            if !late.isEmpty { faults.append("`\(label)` was used \(late), after \(tick)") }
        }
        outcome.faults = faults
        return outcome
    }

    /// Runs what `drawing` makes. After the tick `quiet` nothing may wait but what sources will say.
    private func run(_ drawing: Drawing, from: Int, until: Int, quietAt quiet: Int) -> [Marble] {
        var isFirst = true
        scheduler.scheduleAt(quiet + 1, phase: .windowCloses) { [self] in
            let ours = spoken.count { $0 > quiet } + (until > quiet ? 1 : 0)
            let waiting = scheduler.timeline.pendingCount
            if waiting != ours { faults.append("\(waiting - ours) timers are left over") }
        }
        let observer = scheduler.start(created: 0, subscribed: from, disposed: until) {
            drawing.make(self).do(afterNext: { _ in
                guard isFirst else { return }
                isFirst = false
                for action in self.fromInside { action() }
            })
        }
        return observer.events.map(Marble.init)
    }

    /// Whether each lane was used, and when, as the picture says.
    private func usageFaults() throws -> [String] {
        var faults: [String] = []
        for (index, row) in rows.enumerated() where !row.isSubscription && !row.label.isEmpty {
            let log = logs[row.label]?() ?? []
            // A lane below it may say that it is never used.
            let isDrawnUnused = rows[(index + 1)...].first { !$0.isSubscription }.map {
                $0.label.isEmpty
            }
            guard asked.contains(row.label) || isDrawnUnused == true else {
                faults.append("the lane `\(row.label)` takes no part")
                continue
            }
            if row.offset > 0, log.first?.subscribe != row.offset {
                let came = log.first.map { "at \($0.subscribe)" } ?? "never"
                faults.append("`\(row.label)` is drawn at \(row.offset) and subscribed \(came)")
            }
            let drawn = rows[(index + 1)...].prefix { $0.label.isEmpty }
            guard !drawn.isEmpty else { continue }
            let expected = try drawn.filter(\.isSubscription).map { row in
                let diagram = try SubscriptionDiagram(parsing: row.lane)
                return TestSubscription(
                    (diagram.subscribed?.tick ?? 0) + row.offset,
                    diagram.unsubscribed.map { $0.tick + row.offset } ?? .max)
            }
            if log != expected {
                faults.append("`\(row.label)` was used \(log), which should be \(expected)")
            }
        }
        return faults
    }

    // MARK: Sources

    private func source(
        _ row: Picture.Row
    ) throws -> (Observable<String>, () -> [TestSubscription]) {
        let records = try row.marbles().map(Recorded.init)
        switch row.note {
        case "at once":
            return logged { sink, subscription in
                for record in records where !subscription.isDisposed { sink.send(record.value) }
            }
        case "endless":
            return logged { sink, subscription in
                var value = 0
                while !subscription.isDisposed {
                    value += 1
                    // A source that nobody ends would hang the tests.
                    guard value < 10_000 else { return sink.end(.error(Oops())) }
                    sink.next("\(value)")
                }
            }
        case let note where note.hasSuffix(" from inside"):
            let value = String(note.prefix(1))
            return nesting(records, value)
        case _ where row.note == "cold" || row.offset > 0:
            let cold = scheduler.createColdObservable(records)
            return (cold, { cold.subscriptions })
        default:
            spoken += records.map(\.time)
            let hot = scheduler.createHotObservable(records)
            return (hot, { hot.subscriptions })
        }
    }

    /// A source that speaks while it is being subscribed to.
    private func logged(
        _ start: @escaping (Sink<String>, Subscription) -> Void
    ) -> (Observable<String>, () -> [TestSubscription]) {
        let source = SpokenSource(scheduler.timeline, start)
        return (source, { source.subscriptions })
    }

    /// A hot source that sends `value` from inside the delivery of the first result, nested: what happens
    /// when the results of two subjects are brought together.
    private func nesting(
        _ records: [Recorded<Event<String>>], _ value: String
    ) -> (Observable<String>, () -> [TestSubscription]) {
        let (first, second) = (PublishSubject<String>(), PublishSubject<String>())
        spoken += records.map(\.time)
        for record in records {
            scheduler.scheduleAt(record.time) {
                first.on(record.value)
                if record.value.isStopEvent { second.on(record.value) }
            }
        }
        fromInside.append { second.onNext(value) }
        return logged { sink, subscription in
            Observable.merge(first, second).attach(sink, subscription)
        }
    }
}

/// A source made of a function, which writes down who subscribed when.
private final class SpokenSource: Observable<String> {
    private(set) var subscriptions: [TestSubscription] = []
    private let timeline: VirtualTimeScheduler
    private let start: (Sink<String>, Subscription) -> Void

    init(
        _ timeline: VirtualTimeScheduler, _ start: @escaping (Sink<String>, Subscription) -> Void
    ) {
        self.timeline = timeline
        self.start = start
    }

    override func attach(_ sink: Sink<String>, _ subscription: Subscription) {
        let index = subscriptions.count
        let opened = timeline.now.tick
        subscriptions.append(TestSubscription(opened))
        subscription.onDispose { [self] in
            subscriptions[index] = TestSubscription(opened, timeline.now.tick)
        }
        start(sink, subscription)
    }
}

extension Int {
    /// This number, unless it is 7: that is the one that closures refuse.
    var unless7: Int {
        get throws {
            guard self != 7 else { throw Oops() }
            return self
        }
    }
}

extension Instant {
    /// In milliseconds, the ticks of these tests.
    var tick: Int { Int(nanoseconds / 1_000_000) }
}

extension Marble {
    init(_ record: Recorded<Event<String>>) {
        let event: MarbleEvent =
            switch record.value {
            case .next(let name): .next(name)
            case .error: .error
            case .completed: .completed
            }
        self.init(nanoseconds: Int64(record.time) * 1_000_000, event)
    }
}

extension Recorded where Value == Event<String> {
    init(_ marble: Marble) {
        switch marble.event {
        case .next(let name): self = .next(marble.at.tick, name)
        case .error: self = .error(marble.at.tick, Oops())
        case .completed: self = .completed(marble.at.tick)
        }
    }
}
