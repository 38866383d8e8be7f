// SPDX-License-Identifier: Apache-2.0

/// Whatever takes events: subjects, relays' observers, a test's observer.
public protocol ObserverType<Element> {
    /// What it takes.
    associatedtype Element

    /// Takes one event.
    func on(_ event: Event<Element>)
}

extension ObserverType {
    /// Takes a value.
    @inlinable
    public func onNext(_ element: Element) { on(.next(element)) }

    /// Takes an error, the last event.
    @inlinable
    public func onError(_ error: any Error) { on(.error(error)) }

    /// Takes the completion, the last event.
    @inlinable
    public func onCompleted() { on(.completed) }

    /// The same observer with its type hidden.
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// An observer of what `transform` makes this observer's values of; a thrown error is the end.
    public func mapObserver<Result>(
        _ transform: @escaping (Result) throws -> Element
    ) -> AnyObserver<Result> {
        AnyObserver { on($0.map(transform)) }
    }
}

/// An observer whose type is hidden.
public struct AnyObserver<Element>: ObserverType {
    private let handler: (Event<Element>) -> Void

    /// An observer made of a function.
    public init(eventHandler: @escaping (Event<Element>) -> Void) {
        handler = eventHandler
    }

    /// Hides the type of `observer`.
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        handler = observer.on
    }

    public func on(_ event: Event<Element>) { handler(event) }
}

/// An observer that is told `onNext` and must never fail: what drivers, signals and relays feed.
public struct Binder<Value>: ObserverType {
    private let binding: (Value) -> Void

    /// A binder that hands each value to `binding` as long as `target` lives.
    public init<Target: AnyObject>(_ target: Target, binding: @escaping (Target, Value) -> Void) {
        self.binding = { [weak target] value in
            if let target { binding(target, value) }
        }
    }

    /// Takes a value; a completion is ignored, and an error is reported to the timeline.
    public func on(_ event: Event<Value>) {
        switch event {
        case .next(let value): binding(value)
        case .error(let error): UnhandledError.report(error, place: "a stream bound to a binder")
        case .completed: break
        }
    }
}
