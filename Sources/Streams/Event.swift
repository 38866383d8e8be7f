// SPDX-License-Identifier: Apache-2.0

/// One thing a stream says. A stream says `next* (error | completed)?` and nothing after.
@frozen
public enum Event<Element> {
    /// A value.
    case next(Element)
    /// The stream failed; the last event.
    case error(any Error)
    /// The stream is done; the last event.
    case completed
}

extension Event {
    /// Whether nothing follows.
    public var isStopEvent: Bool {
        switch self {
        case .next: false
        case .error, .completed: true
        }
    }

    /// The value, or nil for an end.
    public var element: Element? {
        if case .next(let element) = self { element } else { nil }
    }

    /// The error, or nil for a value or a completion.
    public var error: (any Error)? {
        if case .error(let error) = self { error } else { nil }
    }

    /// Whether the stream is done without an error.
    public var isCompleted: Bool {
        if case .completed = self { true } else { false }
    }

    /// The same event with its value transformed; a thrown error becomes an error event.
    public func map<Result>(_ transform: (Element) throws -> Result) -> Event<Result> {
        switch self {
        case .next(let element):
            do { return .next(try transform(element)) } catch { return .error(error) }
        case .error(let error): return .error(error)
        case .completed: return .completed
        }
    }
}

/// Whatever can be seen as an event: what `dematerialize` takes.
public protocol EventConvertible<Element> {
    /// The type of its value.
    associatedtype Element

    /// The event.
    var event: Event<Element> { get }
}

extension Event: EventConvertible {
    public var event: Event<Element> { self }
}

extension Event: Sendable where Element: Sendable {}

extension Event: CustomStringConvertible {
    public var description: String {
        switch self {
        case .next(let element): "next(\(element))"
        case .error(let error): "error(\(error))"
        case .completed: "completed"
        }
    }
}

/// How a stream ends.
@frozen
public enum Termination {
    /// Done.
    case completed
    /// Failed.
    case error(any Error)

    /// The same end, as an event of a stream of any type.
    @inlinable
    public func event<Element>() -> Event<Element> {
        switch self {
        case .completed: .completed
        case .error(let error): .error(error)
        }
    }
}
