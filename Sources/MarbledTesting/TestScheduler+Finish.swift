// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams
public import Testing

extension TestScheduler {
    /// Subscribes to a stream and says at the end whether it was what the expectation is told to be.
    ///
    /// - Parameters:
    ///   - name: the stream's name in pictures.
    ///   - subscribed: the tick of the subscription; now unless given.
    ///   - disposed: the tick at which it is given up, if it is.
    ///   - create: makes the stream, at the subscription.
    public func expect<Source: ObservableConvertibleType>(
        _ name: String, subscribed: Int? = nil, disposed: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation, _ create: @escaping () -> Source
    ) -> Expectation<Source.Element> where Source.Element: Equatable {
        let observer = TestableObserver<Source.Element>(name) { [timeline] in timeline.tickNow }
        let subscription = Subscription()
        scheduleAt(subscribed ?? clock, phase: .windowOpens) {
            subscription.add(create().asObservable().subscribe(observer))
        }
        if let disposed {
            scheduleAt(disposed, phase: .windowCloses) { subscription.dispose() }
        }
        let expectation = Expectation(
            name, since: clock, tick: timeline.tick, sourceLocation
        ) { observer.events }
        book.add(expectation)
        return expectation
    }

    /// Ends the test strictly: expectations are compared, in one picture, and what is left over fails the
    /// test, each kind relaxable by its name. It does not run anything; drive first.
    ///
    /// - Parameters:
    ///   - allowed: kinds of leftovers that pass.
    ///   - names: timers, observers, streams (`stream 2` is the second made), mocks and stubs that pass, by
    ///     name: work in the background that no test waits for.
    public func finish(
        allowing allowed: Set<Leftover> = [], except names: Set<String> = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let now = clock
        var end = EndOfTest(allowing: allowed, except: names)
        var lanes: [EventLane] = []
        var firstDifference: SourceLocation?
        for expectation in book.expectations {
            if let lane = expectation.lane() {
                lanes.append(lane)
                if !lane.isEqual, firstDifference == nil {
                    firstDifference = expectation.sourceLocation
                }
            } else {
                let since = sinceText(expectation.since, now: now)
                let text =
                    "\"\(expectation.name)\", said \(since), line \(expectation.sourceLocation.line)"
                end.add(.openExpectations, expectation.name, text)
            }
        }
        if let failure = EventLane.failure(lanes, tick: timeline.tick) {
            TestFailure.report(failure, firstDifference ?? sourceLocation)
        }
        for stream in book.unusedStreams { end.add(.unusedStubs, stream.name, stream.text) }
        for stub in book.stubs {
            for text in stub.unusedAnswers { end.add(.unusedStubs, stub.name, text) }
        }
        for script in book.scripts {
            for unmet in script.takeUnmet(now: now) { end.add(.unmetCalls, unmet.name, unmet.text) }
        }
        for observer in book.observers {
            guard let first = observer.unread.first else { continue }
            let more = observer.unread.count > 1 ? " and \(observer.unread.count - 1) more" : ""
            end.add(.unconsumedOutputs, observer.name, "\(observer.name): \(first)\(more)")
        }
        for error in unhandledErrors { end.add(.unhandledErrors, "\(error)", "\(error)") }
        end.addPending(on: timeline)
        end.report(sourceLocation)
    }
}
