// SPDX-License-Identifier: Apache-2.0

public import Streams

/// Something and the tick at which it happened.
public struct Recorded<Value> {
    /// The tick it happened at, or is to happen at; for a cold stream, counted from the subscription.
    public let time: Int
    /// What happened.
    public let value: Value

    /// Records `value` at `time`.
    public init(time: Int, value: Value) {
        self.time = time
        self.value = value
    }
}

extension Recorded {
    /// A value at `time`.
    public static func next<Element>(
        _ time: Int, _ element: Element
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .next(element))
    }

    /// A completion at `time`.
    public static func completed<Element>(
        _ time: Int, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .completed)
    }

    /// An error at `time`.
    public static func error<Element>(
        _ time: Int, _ error: any Error, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> {
        Recorded(time: time, value: .error(error))
    }

    /// The given records as an array whose type need not be spelled.
    public static func events<Element>(
        _ records: Recorded<Event<Element>>...
    ) -> [Recorded<Event<Element>>] where Value == Event<Element> {
        records
    }
}

extension Recorded: Equatable where Value: Equatable {}
extension Recorded: Sendable where Value: Sendable {}

extension Recorded: CustomStringConvertible {
    public var description: String { "\(value) @ \(time)" }
}

extension Event: Equatable where Element: Equatable {
    /// Values by value, completions always, errors by type and description: an error need not be
    /// `Equatable` to be expected.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        switch (lhs, rhs) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)):
            type(of: left) == type(of: right) && "\(left)" == "\(right)"
        case (.completed, .completed): true
        case (.next, _), (.error, _), (.completed, _): false
        }
    }
}

/// When a stream was subscribed to and given up, in ticks.
public struct TestSubscription: Equatable, Sendable {
    /// The tick of the subscription.
    public let subscribe: Int
    /// The tick it was given up at; `Int.max` while it is open.
    public let unsubscribe: Int

    /// A subscription from `subscribe` until `unsubscribe`.
    public init(_ subscribe: Int, _ unsubscribe: Int = .max) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }
}

extension TestSubscription: CustomStringConvertible {
    public var description: String {
        unsubscribe == .max ? "(\(subscribe)…)" : "(\(subscribe)–\(unsubscribe))"
    }
}
