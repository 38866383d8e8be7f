// SPDX-License-Identifier: Apache-2.0

/// A stream that is also an observer: what is put in comes out to everybody who listens.
public protocol SubjectType: ObservableType {
    /// The type of its input side.
    associatedtype Observer: ObserverType

    /// Its input side.
    func asObserver() -> Observer
}

/// Sends each value to those who listen at the time.
///
///     subject           -a-b-c-|
///     subscribed        ---^
///     PublishSubject    ---b-c-|
public final class PublishSubject<Element>: Observable<Element>, SubjectType, ObserverType {
    @usableFromInline let emitter = Emitter<Element>()
    // Safety: unchecked exclusivity. A flag that is read or written in one go, asked on every event.
    @exclusivity(unchecked) @usableFromInline var isStopped = false

    /// A subject that nobody listens to yet.
    public override init() { super.init() }

    /// Whether somebody listens.
    public var hasObservers: Bool { emitter.hasListeners }

    @inlinable
    public func onNext(_ element: Element) {
        if !isStopped { emitter.next(element) }
    }

    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): stop(.error(error))
        case .completed: stop(.completed)
        }
    }

    @usableFromInline
    func stop(_ termination: Termination) {
        guard !isStopped else { return }
        isStopped = true
        emitter.end(termination)
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        emitter.add(sink, subscription)
    }

    public func asObserver() -> PublishSubject<Element> { self }
}

/// Holds the newest value: a new subscriber sees it at once, then every one after.
///
///     subject            a--b--c-|
///     subscribed         -----^
///     BehaviorSubject    -----bc-|
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, ObserverType {
    @usableFromInline let emitter = Emitter<Element>()
    // Safety: unchecked exclusivity. Each is read or written in one go: what was current is let go of
    // only after the new value stands in its place.
    @exclusivity(unchecked) @usableFromInline var current: Element
    @exclusivity(unchecked) @usableFromInline var termination: Termination?

    /// A subject that holds `value`.
    public init(value: Element) {
        current = value
        super.init()
    }

    /// The newest value; throws the error the subject ended with.
    public func value() throws -> Element {
        if case .error(let error)? = termination { throw error }
        return current
    }

    /// Whether somebody listens.
    public var hasObservers: Bool { emitter.hasListeners }

    @inlinable
    public func onNext(_ element: Element) {
        guard termination == nil else { return }
        _ = exchange(&current, with: element)
        emitter.next(element)
    }

    @inlinable
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error(let error): stop(.error(error))
        case .completed: stop(.completed)
        }
    }

    @usableFromInline
    func stop(_ termination: Termination) {
        guard self.termination == nil else { return }
        self.termination = termination
        emitter.end(termination)
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        guard termination == nil else { return emitter.add(sink, subscription) }
        emitter.add(sink, subscription, first: CollectionOfOne(current))
    }

    public func asObserver() -> BehaviorSubject<Element> { self }
}
