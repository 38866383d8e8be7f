// SPDX-License-Identifier: Apache-2.0

/// Works, in a simpler way than the real thing: a function with a state of its own.
///
/// ```swift
/// let counter = Fake(0) { (count: inout Int, step: Int) -> Int in
///     count += step
///     return count
/// }
/// ```
public final class Fake<State, Arguments, Output>: TestDouble {
    public let name: String
    /// What it knows; a test may look, and may change it.
    public var state: State
    private let body: (inout State, Arguments) -> Output

    /// A fake that starts with `state`.
    public init(
        _ state: State, named name: String = "fake",
        _ body: @escaping (inout State, Arguments) -> Output
    ) {
        self.state = state
        self.name = name
        self.body = body
    }

    public func call(_ arguments: Arguments) -> Output { body(&state, arguments) }
}
