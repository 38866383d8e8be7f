// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// The heart of every subject and relay: who listens, and the rule that sends are never nested.
///
///     observer 1   -a------b-         a send from inside a send waits its turn,
///     observer 2   --a------b         so everybody sees a before b
///
/// A send while another is delivered goes to the backlog and follows it. The backlog's bound is time:
/// after 1,000 values in one go the rest becomes queued work on the timeline, where the limit on
/// microsteps names a subject that feeds itself for ever.
@usableFromInline
final class Emitter<Element> {
    /// One who listens, and what its subscription gives up. A class, so that a round over several
    /// listeners counts one reference each and not four.
    @usableFromInline
    final class Listener: Disposable {
        @usableFromInline let key: UInt64
        @usableFromInline let sink: Sink<Element>
        /// Nil once it is off the list: it and its subscription hold each other until then.
        @usableFromInline private(set) var subscription: Subscription?
        // Safety: the emitter takes itself out of here before it goes away. A weak reference would cost
        // each subscription a table of its own, and the subscription must not keep the subject alive.
        private unowned(unsafe) var emitter: Emitter?

        init(
            key: UInt64, sink: Sink<Element>, subscription: Subscription, emitter: Emitter
        ) {
            self.key = key
            self.sink = sink
            self.subscription = subscription
            self.emitter = emitter
        }

        /// Whether it is still to be sent anything.
        @inlinable var isListening: Bool {
            guard let subscription else { return false }
            return !subscription.isDisposed
        }

        @usableFromInline
        func dispose() {
            emitter?.remove(self)
            leave()
        }

        /// It is off the list.
        func leave() {
            emitter = nil
            subscription = nil
        }
    }

    // Safety: unchecked exclusivity. Each is read or written in one go and never held while other code
    // runs; the checks would cost more than the delivery itself.
    @exclusivity(unchecked) @usableFromInline var listeners: ContiguousArray<Listener> = []
    @exclusivity(unchecked) @usableFromInline var isSending = false
    @exclusivity(unchecked) @usableFromInline var hasBacklog = false
    /// Set once the stream has ended; late subscribers are told it.
    @usableFromInline private(set) var termination: Termination?
    private var backlog: [(event: Event<Element>, before: UInt64)] = []
    private var nextKey: UInt64 = 1
    private static var burst: Int { 1_000 }
    /// Without a timeline there is nobody to name the loop, so it stops here with a sentence.
    private static var limit: Int { 1_000_000 }

    @inlinable
    init() {}

    deinit {
        for listener in listeners { listener.leave() }
    }

    /// Whether somebody listens.
    @usableFromInline var hasListeners: Bool { !listeners.isEmpty }

    /// Delivers a value to everybody who listens now.
    @inlinable
    func next(_ element: Element) {
        if isSending { return putOff(.next(element)) }
        isSending = true
        if listeners.count == 1 {
            listeners[0].sink.next(element)
        } else {
            // A copy of the list: who joins meanwhile has missed this value, and who was given up
            // meanwhile is passed over.
            for listener in listeners where listener.isListening {
                listener.sink.next(element)
            }
        }
        isSending = false
        if hasBacklog { deliverBacklog() }
    }

    /// Ends the stream for everybody; values after it are dropped by the owner.
    @usableFromInline
    func end(_ termination: Termination) {
        if isSending { return putOff(termination.event()) }
        finish(termination)
    }

    /// Adds a listener for as long as `subscription` lives.
    @usableFromInline
    func add(_ sink: Sink<Element>, _ subscription: Subscription) {
        guard !subscription.isDisposed else { return }
        if let termination { return sink.end(termination) }
        let listener = Listener(
            key: nextKey, sink: sink, subscription: subscription, emitter: self)
        nextKey += 1
        listeners.append(listener)
        subscription.add(listener)
    }

    /// Adds a listener that is given `first` at once, and only then what it provokes, or the end.
    @usableFromInline
    func add(
        _ sink: Sink<Element>, _ subscription: Subscription, first: some Collection<Element>
    ) {
        // On the list before it is sent anything, so that it misses nothing that it provokes; and
        // `isSending` meanwhile, so that it sees that after what is older.
        let ended = termination
        if ended == nil { add(sink, subscription) }
        let isNested = isSending
        isSending = true
        for element in first where !subscription.isDisposed { sink.next(element) }
        isSending = isNested
        if !isNested, hasBacklog { deliverBacklog() }
        if let ended, !subscription.isDisposed { sink.end(ended) }
    }

    fileprivate func remove(_ listener: Listener) {
        if let index = listeners.firstIndex(where: { $0 === listener }) {
            listeners.remove(at: index)
        }
    }

    // MARK: Re-entrancy

    @usableFromInline
    func putOff(_ event: Event<Element>) {
        // Whoever joins from now on has seen the owner's newest value already.
        backlog.append((event, before: nextKey))
        hasBacklog = true
    }

    @usableFromInline
    func deliverBacklog() {
        isSending = true
        var delivered = 0
        while delivered < backlog.count {
            precondition(
                delivered < Self.limit, "a subject sends itself values for ever, on no timeline")
            if delivered >= Self.burst, let scheduler = CurrentScheduler.scheduler {
                backlog.removeFirst(delivered)
                scheduler.schedule(
                    at: scheduler.now, phase: .queued, label: "values a subject sends to itself"
                ) { [weak self] in self?.deliverBacklog() }
                // Stays `isSending`: what comes meanwhile queues up behind.
                return
            }
            let (event, before) = backlog[delivered]
            delivered += 1
            switch event {
            case .next(let element):
                for listener in listeners
                where listener.key < before && listener.isListening {
                    listener.sink.next(element)
                }
            case .error(let error): finish(.error(error))
            case .completed: finish(.completed)
            }
        }
        backlog.removeAll(keepingCapacity: backlog.capacity <= 64)
        hasBacklog = false
        isSending = false
    }

    private func finish(_ termination: Termination) {
        self.termination = termination
        backlog.removeAll()
        for listener in exchange(&listeners, with: []) {
            if listener.isListening { listener.sink.end(termination) }
            listener.leave()
        }
    }
}
