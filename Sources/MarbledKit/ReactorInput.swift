// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Streams

/// A reactor's way in: a subject that takes values at any time and hands them out when their turn has
/// come.
///
///     sent by anyone          -a-----b-------
///     sent by b's observer           c
///     listeners, the reactor  -a-----bc------     c waits until the step of b is done
///
/// Listeners hear a value before the reactor acts on it, so `take(until: action)` in a `mutate` gives
/// the old effect up before the new one begins. It never ends: a completion is ignored, and an error is
/// told to the timeline. It does not keep its reactor alive.
public final class ReactorInput<Element>: Observable<Element>, SubjectType, ObserverType {
    private let listeners = PublishSubject<Element>()
    private let place: StaticString
    /// Puts a value in line; set by the circuit.
    var accept: ((Element) -> Void)?

    init(place: StaticString) {
        self.place = place
        super.init()
    }

    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): accept?(element)
        case .error(let error): CurrentScheduler.scheduler?.unhandledError(error, place: place)
        case .completed: break
        }
    }

    /// Hands a value out whose turn has come.
    func tell(_ element: Element) {
        listeners.onNext(element)
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        listeners.attach(sink, subscription)
    }

    public func asObserver() -> ReactorInput<Element> { self }
}
