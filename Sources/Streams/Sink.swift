// SPDX-License-Identifier: Apache-2.0

/// Where an operator sends what it makes: two functions, one for values and one for the end.
///
/// A struct of closures rather than a class, because the compiler specialises closures for the types
/// of a chain and never the virtual methods of a generic class; that is what makes a chain of map,
/// filter and scan cost a few nanoseconds per event and no allocation.
///
/// The contract of every operator: after `end` nothing is sent, and whoever is told the end disposes
/// the subscription that it made.
@frozen
public struct Sink<Element> {
    /// Takes a value.
    public let next: (Element) -> Void
    /// Takes the end.
    public let end: (Termination) -> Void

    /// A sink of two functions.
    @inlinable
    public init(next: @escaping (Element) -> Void, end: @escaping (Termination) -> Void) {
        self.next = next
        self.end = end
    }

    /// Sends an event to the function it belongs to.
    @inlinable
    public func send(_ event: Event<Element>) {
        switch event {
        case .next(let element): next(element)
        case .error(let error): end(.error(error))
        case .completed: end(.completed)
        }
    }
}
