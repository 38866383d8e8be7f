// SPDX-License-Identifier: Apache-2.0

public import Testing

/// The calls that mocks expect, in order; several mocks may share one, and then their order counts too.
///
/// ```swift
/// let script = MockScript(on: scheduler)
/// let load = Mock<String, Single<[Mate]>>("load", in: script)
/// let show = Mock<[Mate], Void>("show", in: script)
/// load.expect("u1", at: 10, returning: .just([ann]))
/// show.expect([ann], at: 10)
/// …
/// script.verify()
/// ```
///
/// A call that is not the next one fails the test when it comes. What never came fails `verify()`, and
/// `TestScheduler.finish()` for a script made on one.
public final class MockScript {
    /// One line of the script.
    final class Step {
        let mock: Int
        let text: String
        let at: Int?
        let times: ClosedRange<Int>
        let since: Int
        let sourceLocation: SourceLocation
        var calls = 0

        init(
            mock: Int, text: String, at: Int?, times: ClosedRange<Int>, since: Int,
            sourceLocation: SourceLocation
        ) {
            self.mock = mock
            self.text = text
            self.at = at
            self.times = times
            self.since = since
            self.sourceLocation = sourceLocation
        }

        /// `show([ann]) at tick 10`, `tick(), 2 times`.
        var order: String {
            var order = text
            if times != 1...1 {
                order += times.count == 1 ? ", \(times.lowerBound) times" : ", \(times) times"
            }
            return at.map { "\(order) at tick \($0)" } ?? order
        }
    }

    let clock: DoubleClock
    private(set) var steps: [Step] = []
    private var next = 0
    private var mockCount = 0
    private var isVerified = false

    /// An empty script.
    public init(on scheduler: TestScheduler? = nil) {
        clock = DoubleClock(scheduler)
        scheduler?.book.add(self)
    }

    /// A number for one more mock.
    func join() -> Int {
        mockCount += 1
        return mockCount
    }

    func add(_ step: Step) {
        steps.append(step)
        isVerified = false
    }

    /// Finds the step that a call fulfils, and counts it: the one that is next, or a later one when all
    /// in between have had enough. Nil for a call that is out of order.
    func advance(_ mock: Int, matching matches: (Step) -> Bool) -> Step? {
        var index = next
        while index < steps.count {
            let step = steps[index]
            let isOnTime = step.at.map { $0 == clock.tick } ?? true
            if step.mock == mock, step.calls < step.times.upperBound, isOnTime, matches(step) {
                step.calls += 1
                next = index
                return step
            }
            guard step.calls >= step.times.lowerBound else { return nil }
            index += 1
        }
        return nil
    }

    /// What the script waits for, in words.
    var expectation: String {
        let open = steps[min(next, steps.count)...].first { $0.calls < $0.times.upperBound }
        return open.map { "expected is \($0.order)" } ?? "no call is expected any more"
    }

    /// Fails the test for every call that was expected and did not come: who, what, when.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) {
        for unmet in takeUnmet(now: clock.tick) {
            TestFailure.report(unmet.text, unmet.sourceLocation)
        }
    }

    /// What did not come; told once.
    func takeUnmet(now: Int) -> [(name: String, text: String, sourceLocation: SourceLocation)] {
        guard !isVerified else { return [] }
        isVerified = true
        return steps.filter { $0.calls < $0.times.lowerBound }.map { step in
            let came = step.calls == 0 ? "never came" : "came \(step.calls) times"
            let text =
                "\(step.order) \(came); expected since tick \(step.since), now is tick \(now)"
            return (
                String(step.text.prefix { $0 != "(" }), text, step.sourceLocation
            )
        }
    }

    deinit {
        // A mock that nobody asks proves nothing.
        for unmet in takeUnmet(now: clock.tick) {
            TestFailure.report("\(unmet.text) (verify() was not called)", unmet.sourceLocation)
        }
    }
}
