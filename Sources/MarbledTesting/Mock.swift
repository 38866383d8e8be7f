// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Is told beforehand which calls come, with which arguments and when, and fails the test otherwise.
///
/// ```swift
/// let show = Mock<[Mate], Void>("show", on: scheduler)
/// show.expect([ann, ben], at: 10)
/// show.expect("an empty list", { $0.isEmpty }, times: 1...2)
/// …
/// show.verify()
/// ```
///
/// Calls come in the order they are expected; mocks that share a `MockScript` are ordered among each
/// other. A call that is not expected fails the test at once, where the mock was made, and returns the
/// answer of the latest expectation.
public final class Mock<Arguments, Output>: TestDouble {
    private struct Order {
        let step: MockScript.Step
        let matches: (Arguments) -> Bool
        let answer: () -> Output
    }

    public let name: String
    private let script: MockScript
    private let number: Int
    private let sourceLocation: SourceLocation
    private var orders: [Order] = []

    /// A mock whose calls stand in `script`.
    public init(
        _ name: String, in script: MockScript, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.name = name
        self.script = script
        number = script.join()
        self.sourceLocation = sourceLocation
    }

    /// A mock with a script of its own.
    public convenience init(
        _ name: String, on scheduler: TestScheduler? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(name, in: MockScript(on: scheduler), sourceLocation: sourceLocation)
    }

    /// Expects a call that `matches` holds for; `text` says in words which that is.
    ///
    /// - Parameters:
    ///   - tick: when it comes; any time unless given.
    ///   - times: how often, one right after the other.
    ///   - answer: what it returns.
    public func expect(
        _ text: String, _ matches: @escaping (Arguments) -> Bool, at tick: Int? = nil,
        times: ClosedRange<Int> = 1...1, returning answer: @autoclosure @escaping () -> Output,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        precondition(times.lowerBound >= 0, "\(name) cannot be called \(times) times")
        let step = MockScript.Step(
            mock: number, text: "\(name)(\(text))", at: tick, times: times,
            since: script.clock.tick, sourceLocation: sourceLocation)
        orders.append(Order(step: step, matches: matches, answer: answer))
        script.add(step)
    }

    public func call(_ arguments: Arguments) -> Output {
        var fulfilled: Order?
        let step = script.advance(number) { step in
            guard let order = orders.first(where: { $0.step === step }), order.matches(arguments)
            else { return false }
            fulfilled = order
            return true
        }
        if step == nil {
            let call = callText(name, arguments)
            TestFailure.report(
                "\(call) came at tick \(script.clock.tick); \(script.expectation)", sourceLocation)
        }
        guard let order = fulfilled ?? orders.last else {
            if let nothing = () as? Output { return nothing }
            preconditionFailure(
                "the mock \(name) was called and expects nothing; it has no answer")
        }
        return order.answer()
    }

    /// Fails the test for every call that was expected and did not come.
    public func verify(sourceLocation: SourceLocation = #_sourceLocation) {
        script.verify(sourceLocation: sourceLocation)
    }
}

extension Mock where Output == Void {
    /// Expects a call that `matches` holds for.
    public func expect(
        _ text: String, _ matches: @escaping (Arguments) -> Bool, at tick: Int? = nil,
        times: ClosedRange<Int> = 1...1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(
            text, matches, at: tick, times: times, returning: (), sourceLocation: sourceLocation)
    }
}

extension Mock where Arguments: Equatable {
    /// Expects a call with exactly these arguments.
    public func expect(
        _ arguments: Arguments, at tick: Int? = nil, times: ClosedRange<Int> = 1...1,
        returning answer: @autoclosure @escaping () -> Output,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(
            "\(arguments)", { $0 == arguments }, at: tick, times: times, returning: answer(),
            sourceLocation: sourceLocation)
    }
}

extension Mock where Arguments: Equatable, Output == Void {
    /// Expects a call with exactly these arguments.
    public func expect(
        _ arguments: Arguments, at tick: Int? = nil, times: ClosedRange<Int> = 1...1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expect(
            arguments, at: tick, times: times, returning: (), sourceLocation: sourceLocation)
    }
}
