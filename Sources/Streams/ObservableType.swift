// SPDX-License-Identifier: Apache-2.0

/// Whatever can be seen as an `Observable`.
public protocol ObservableConvertibleType<Element> {
    /// What it emits.
    associatedtype Element

    /// The stream itself.
    func asObservable() -> Observable<Element>
}

/// A stream that can be subscribed to: observables, subjects, relays.
public protocol ObservableType<Element>: ObservableConvertibleType {}

/// A stream of values over time: `next* (error | completed)?`.
///
/// Cold unless said otherwise: each subscription runs the source anew. Loop-confined and lock-free: a
/// stream belongs to the thread of its timeline, and the compiler keeps it there (it is not Sendable).
open class Observable<Element>: ObservableType {
    /// For subclasses.
    @inlinable
    public init() {}

    /// Starts the source for one subscriber: the one method a kind of stream provides.
    ///
    /// Nothing is sent after the sink was told the end or `subscription` was disposed, and what the
    /// source holds is added to `subscription`.
    open func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        preconditionFailure("\(type(of: self)) must override attach(_:_:)")
    }

    @inlinable
    public func asObservable() -> Observable<Element> { self }
}

/// A stream made of a function: what operators return.
@usableFromInline
final class AnonymousObservable<Element>: Observable<Element> {
    @usableFromInline let start: (Sink<Element>, Subscription) -> Void

    @inlinable
    init(_ start: @escaping (Sink<Element>, Subscription) -> Void) {
        self.start = start
        super.init()
    }

    @inlinable
    override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        start(sink, subscription)
    }
}
