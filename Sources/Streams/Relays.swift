// SPDX-License-Identifier: Apache-2.0

/// A `PublishSubject` that neither fails nor completes: an input, or an event output.
public final class PublishRelay<Element>: ObservableType {
    @usableFromInline let subject = PublishSubject<Element>()

    /// A relay that nobody listens to yet.
    public init() {}

    /// Sends a value to those who listen.
    @inlinable
    public func accept(_ element: Element) { subject.onNext(element) }

    @inlinable
    public func asObservable() -> Observable<Element> { subject }

    /// Whether somebody listens.
    public var hasObservers: Bool { subject.hasObservers }
}

/// A `BehaviorSubject` that neither fails nor completes: a state.
public final class BehaviorRelay<Element>: ObservableType {
    @usableFromInline let subject: BehaviorSubject<Element>

    /// A relay that holds `value`.
    public init(value: Element) {
        subject = BehaviorSubject(value: value)
    }

    /// The newest value.
    @inlinable public var value: Element { subject.current }

    /// Takes a new value and sends it to those who listen.
    @inlinable
    public func accept(_ element: Element) { subject.onNext(element) }

    @inlinable
    public func asObservable() -> Observable<Element> { subject }

    /// Whether somebody listens.
    public var hasObservers: Bool { subject.hasObservers }
}

/// A `ReplaySubject` that neither fails nor completes: newcomers are given the last values first.
public final class ReplayRelay<Element>: ObservableType {
    private let subject: ReplaySubject<Element>

    private init(_ subject: ReplaySubject<Element>) {
        self.subject = subject
    }

    /// A relay that replays at most `bufferSize` values.
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(.create(bufferSize: bufferSize))
    }

    /// A relay that replays everything; bounded by what is put in.
    public static func createUnbound() -> ReplayRelay<Element> {
        ReplayRelay(.createUnbounded())
    }

    /// Sends a value to those who listen, and keeps it for those who will.
    public func accept(_ element: Element) { subject.onNext(element) }

    public func asObservable() -> Observable<Element> { subject }

    /// Whether somebody listens.
    public var hasObservers: Bool { subject.hasObservers }
}
