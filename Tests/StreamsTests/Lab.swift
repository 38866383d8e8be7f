// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Marbles
import Scheduling
import Streams
import Testing

/// A bench for operators: streams are drawn, and so is what comes out.
///
/// Lanes are the marble diagrams of `Marbles`, a tick being a millisecond.
struct Lab {
    let scheduler: TestScheduler

    init(_ profile: Profile = .strict) {
        scheduler = TestScheduler(profile: profile)
    }

    func hot(_ lane: String) -> TestableObservable<String> {
        scheduler.createHotObservable(Lab.parse(lane))
    }

    func cold(_ lane: String) -> TestableObservable<String> {
        scheduler.createColdObservable(Lab.parse(lane))
    }

    /// Subscribes to what `make` gives from tick `from` until tick `until`, and draws what came.
    func draw<Source: ObservableConvertibleType>(
        from: Int = 0, until: Int = 100, _ make: @escaping () -> Source
    ) -> String {
        let observer = scheduler.start(
            created: from, subscribed: from, disposed: until, make)
        return Lab.draw(observer.events)
    }

    /// One source, one operator, one picture.
    static func check(
        _ source: String, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ make: @escaping (Observable<String>) -> some ObservableConvertibleType
    ) {
        let lab = Lab()
        let hot = lab.hot(source)
        #expect(lab.draw { make(hot) } == expected, sourceLocation: sourceLocation)
    }

    /// Two sources, one operator, one picture.
    static func check(
        _ first: String, _ second: String, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ make:
            @escaping (Observable<String>, Observable<String>) ->
            some ObservableConvertibleType
    ) {
        let lab = Lab()
        let (a, b) = (lab.hot(first), lab.hot(second))
        #expect(lab.draw { make(a, b) } == expected, sourceLocation: sourceLocation)
    }

    static func parse(_ lane: String) -> [Recorded<Event<String>>] {
        do {
            return try MarbleDiagram(parsing: lane).marbles.map(Recorded.init)
        } catch { preconditionFailure("\(error)") }
    }

    static func draw<Element>(_ events: [Recorded<Event<Element>>]) -> String {
        guard let last = events.last?.time else { return "" }
        return (0...last).map { tick in
            let here = events.filter { $0.time == tick }.map { record in
                switch record.value {
                case .next(let element): "\(element)".count == 1 ? "\(element)" : "'\(element)'"
                case .error: "#"
                case .completed: "|"
                }
            }
            return here.isEmpty ? "-" : here.count == 1 ? here[0] : "(\(here.joined()))"
        }.joined()
    }
}

/// The error that lanes fail with.
struct Oops: Error, Equatable {}

extension String {
    /// The value of a digit that was drawn.
    var number: Int { Int(self) ?? -1 }
}

/// `count` ticks of a test.
func ticks(_ count: Int) -> Duration { .milliseconds(count) }

/// Collects what a stream says, on no timeline.
final class Log<Element> {
    private(set) var lines: [String] = []
    var onNext: ((Element) -> Void)?

    init() {}

    @discardableResult
    func listen(to source: some ObservableConvertibleType<Element>) -> any Disposable {
        source.asObservable().subscribe(
            onNext: { [self] element in
                lines.append("\(element)")
                onNext?(element)
            },
            onError: { [self] _ in lines.append("#") },
            onCompleted: { [self] in lines.append("|") },
            onDisposed: { [self] in lines.append("!") })
    }
}

/// What `source` says at once, ends as `|` and `#`.
func said<Element>(by source: some ObservableConvertibleType<Element>) -> [String] {
    var lines: [String] = []
    source.asObservable().subscribe { event in
        switch event {
        case .next(let element): lines.append("\(element)")
        case .error: lines.append("#")
        case .completed: lines.append("|")
        }
    }
    return lines
}
