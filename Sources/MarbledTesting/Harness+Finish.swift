// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import MarbledKit
internal import Scheduling
internal import Streams
public import Testing

extension Harness {
    // MARK: Expecting

    /// Expects exactly what these pictures say of these outputs, so far; a failure shows those that
    /// differ under one ruler, and how to play the same again.
    ///
    /// ```swift
    /// game.expect(["round": "1---------2", "error": ""])
    /// ```
    ///
    /// A value is named by its JSON text, a string by itself; `#` is any error.
    public func expect(
        _ pictures: KeyValuePairs<String, String>, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let lanes = pictures.map { output, picture in
            let actual = drawn(output, sourceLocation)
            let expected: [Recorded<Event<String>>] = .marbles(
                picture, tick: timeline.tick, sourceLocation: sourceLocation)
            return EventLane(output, actual, expected.takingErrors(of: actual))
        }
        report(lanes, sourceLocation)
    }

    /// Expects something of an output, compared by `finish()`.
    ///
    /// ```swift
    /// game.expect("round", as: Int.self).toBe([.next(0, 1), .next(10, 2)])
    /// ```
    public func expect<Value: Decodable & Equatable>(
        _ output: String, as type: Value.Type, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Expectation<Value> {
        let expectation = Expectation(
            output, since: clock, tick: timeline.tick, sourceLocation
        ) { [unowned self] in events(output, as: type, sourceLocation: sourceLocation) }
        expectations.append(expectation)
        return expectation
    }

    /// What an output said, its values as pictures name them.
    private func drawn(
        _ output: String, _ sourceLocation: SourceLocation
    ) -> [Recorded<Event<String>>] {
        var events: [Recorded<Event<String>>] = []
        forEach(output, sourceLocation) { time, event, json in
            let text = (try? String.decode(json)) ?? String(decoding: json, as: UTF8.self)
            switch event {
            case .next: events.append(.next(time, text))
            case .error: events.append(.error(time, OutputError(text)))
            case .completed: events.append(.completed(time))
            }
        }
        return events
    }

    private func report(_ lanes: [EventLane], _ sourceLocation: SourceLocation) {
        guard let failure = EventLane.failure(lanes, tick: timeline.tick) else { return }
        TestFailure.report(failure + "\n\n" + replayLine, sourceLocation)
    }

    /// How to open the same again: all that a run depends on besides its options, stubs and inputs.
    var replayLine: String {
        "replay: Harness(\(typeName).self, seed: \(instance.seed), tick: .nanoseconds("
            + "\(timeline.tick.wholeNanoseconds)), profile: .\(timeline.profile.rawValue))"
    }

    // MARK: The end

    /// Ends the test strictly: expectations are compared, and what is left over fails it, each kind
    /// relaxable by its name. So does a feature that failed. The instance is closed; what it said can
    /// still be read.
    ///
    /// - Parameters:
    ///   - allowed: kinds of leftovers that pass.
    ///   - names: timers, effects and outputs that pass, by name.
    public func finish(
        allowing allowed: Set<Leftover> = [], except names: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if let failure {
            let text = "the feature ended: \(failure)"
            TestFailure.report(text, sourceLocation)
        }
        var end = EndOfTest(allowing: allowed, except: names)
        addExpectations(to: &end, sourceLocation)
        let tick = timeline.tick.wholeNanoseconds
        for stub in instance.stubs.unused {
            end.add(.unusedStubs, stub.matcher.effect, stub.source.text)
        }
        for open in instance.openEffects {
            let since = sinceText(Int(open.since.nanoseconds / tick), now: clock)
            end.add(
                .openEffects, open.effect, "\(open.effect) \(open.request.text), asked \(since)")
        }
        for call in calls() where !call.isStubbed && !instance.hasProvider(for: call.effect) {
            end.add(.unstubbedEffects, call.effect, call.description)
        }
        end.addPending(on: timeline)
        addUnread(to: &end)
        end.report(sourceLocation)
        host.closeAll()
    }

    private func addExpectations(to end: inout EndOfTest, _ sourceLocation: SourceLocation) {
        var lanes: [EventLane] = []
        for expectation in expectations {
            if let lane = expectation.lane() {
                lanes.append(lane)
            } else {
                let since = sinceText(expectation.since, now: clock)
                let text =
                    "\"\(expectation.name)\", said \(since), line \(expectation.sourceLocation.line)"
                end.add(.openExpectations, expectation.name, text)
            }
        }
        let differing = zip(expectations.filter { $0.lane() != nil }, lanes).first { !$1.isEqual }
        report(lanes, differing?.0.sourceLocation ?? sourceLocation)
    }

    /// Events that the test did not look at. A state is a situation: it waits for no reader.
    private func addUnread(to end: inout EndOfTest) {
        let tick = timeline.tick.wholeNanoseconds
        for (number, output) in instance.feature.outputs.enumerated() where output.kind == .event {
            var unread: [String] = []
            instance.record.forEach(since: readUpTo[number]) { _, entry, value in
                guard entry.kind == .output, Int(entry.port) == number else { return true }
                let text =
                    entry.event == .completed
                    ? "completed" : "\(entry.event.name) \(String(decoding: value, as: UTF8.self))"
                unread.append("\(text) at tick \(entry.at / tick)")
                return true
            }
            guard let first = unread.first else { continue }
            let more = unread.count > 1 ? " and \(unread.count - 1) more" : ""
            end.add(.unconsumedOutputs, output.name, "\(output.name): \(first)\(more)")
        }
    }
}
