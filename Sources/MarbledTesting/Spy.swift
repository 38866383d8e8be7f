// SPDX-License-Identifier: Apache-2.0

public import Streams

/// Writes down who called it when, and passes the call on to the real thing if it has one.
///
/// ```swift
/// let show = Spy<[Mate], Void>("show", on: scheduler)
/// …
/// expectEvents(show.events, [.next(50, [ann, ben])])
/// #expect(show.record == ["50 show([ann, ben])"])
/// ```
public final class Spy<Arguments, Output>: TestDouble {
    public let name: String
    private let clock: DoubleClock
    private let real: (Arguments) -> Output
    /// Every call and its tick, oldest first.
    public private(set) var calls: [Recorded<Arguments>] = []

    /// A spy in front of `real`.
    public init(
        _ name: String, on scheduler: TestScheduler? = nil,
        calling real: @escaping (Arguments) -> Output
    ) {
        self.name = name
        self.real = real
        clock = DoubleClock(scheduler)
    }

    public func call(_ arguments: Arguments) -> Output {
        calls.append(Recorded(time: clock.tick, value: arguments))
        return real(arguments)
    }

    /// The calls as the events of a stream, to be compared with a picture of them.
    public var events: [Recorded<Event<Arguments>>] {
        calls.map { .next($0.time, $0.value) }
    }

    /// The calls, a line each: `10 show([1, 2])`.
    public var record: [String] {
        calls.map { "\($0.time) \(callText(name, $0.value))" }
    }
}

extension Spy where Output == Void {
    /// A spy with nothing behind it.
    public convenience init(_ name: String, on scheduler: TestScheduler? = nil) {
        self.init(name, on: scheduler) { _ in }
    }
}

/// A call as people write it: `show([1, 2])`, `drop("a", 1)`.
func callText<Arguments>(_ name: String, _ arguments: Arguments) -> String {
    if Arguments.self == Void.self { return "\(name)()" }
    let text = "\(arguments)"
    // A tuple brings its own parentheses.
    let isTuple = text.hasPrefix("(") && "\(Arguments.self)".hasPrefix("(")
    return isTuple ? name + text : "\(name)(\(text))"
}
