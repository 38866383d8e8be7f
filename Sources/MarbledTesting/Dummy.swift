// SPDX-License-Identifier: Apache-2.0

public import Testing

/// Fills a place and fails the test when it is used.
///
/// ```swift
/// let scene = MateList(loadMates: stub.function, dropProfile: Dummy("dropProfile").function)
/// ```
public struct Dummy<Arguments, Output>: TestDouble {
    public let name: String
    private let placeholder: () -> Output
    private let clock: DoubleClock
    private let sourceLocation: SourceLocation

    /// A dummy that returns `placeholder` after it has failed the test.
    public init(
        _ name: String, returning placeholder: @autoclosure @escaping () -> Output,
        on scheduler: TestScheduler? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.name = name
        self.placeholder = placeholder
        self.sourceLocation = sourceLocation
        clock = DoubleClock(scheduler)
    }

    public func call(_ arguments: Arguments) -> Output {
        TestFailure.report(
            "the dummy \(name) was called with \(arguments) at tick \(clock.tick)", sourceLocation)
        return placeholder()
    }
}

extension Dummy where Output == Void {
    /// A dummy for a function that returns nothing.
    public init(
        _ name: String, on scheduler: TestScheduler? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.init(name, returning: (), on: scheduler, sourceLocation: sourceLocation)
    }
}
