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
    /// One who listens, and what its subscription gives up: a link of the emitter's list.
    ///
    /// A list of objects and not an array: code that is compiled once for all types walks over it
    /// without asking the runtime what the array's type would be, and one is taken out without a search.
    @usableFromInline
    final class Listener: Disposable {
        @usableFromInline let key: UInt64
        @usableFromInline let sink: Sink<Element>
        /// Nil once it is off the list: it and its subscription hold each other until then.
        // Safety: unchecked exclusivity, here and below. Read or written in one go.
        @exclusivity(unchecked) @usableFromInline private(set) var subscription: Subscription?
        // Safety: the emitter takes itself out of here before it goes away. A weak reference would cost
        // each subscription a table of its own, and the subscription must not keep the subject alive.
        private unowned(unsafe) var emitter: Emitter?
        @exclusivity(unchecked) @usableFromInline fileprivate(set) var following: Listener?
        // Safety: whoever stands before it takes itself out of here when it leaves the list.
        fileprivate unowned(unsafe) var preceding: Listener?

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
        }

        /// It is off the list.
        fileprivate func leave() {
            emitter = nil
            subscription = nil
        }
    }

    // Safety: unchecked exclusivity. Each is read or written in one go and never held while other code
    // runs; the checks would cost more than the delivery itself.
    @exclusivity(unchecked) @usableFromInline private(set) var first: Listener?
    @exclusivity(unchecked) @usableFromInline var isSending = false
    @exclusivity(unchecked) @usableFromInline var hasBacklog = false
    /// Who joins has this number or a greater one.
    @exclusivity(unchecked) @usableFromInline private(set) var nextKey: UInt64 = 1
    /// Whom the value that is being sent goes to: those before this number.
    @exclusivity(unchecked) @usableFromInline var reach: UInt64 = 0
    // Safety: the list holds its last link as long as it is here.
    private unowned(unsafe) var last: Listener?
    /// Set once the stream has ended; late subscribers are told it.
    @usableFromInline private(set) var termination: Termination?
    private var backlog: [(event: Event<Element>, before: UInt64)] = []
    private static var burst: Int { 1_000 }
    /// Without a timeline there is nobody to name the loop, so it stops here with a sentence.
    private static var limit: Int { 1_000_000 }

    @inlinable
    init() {}

    deinit {
        while let listener = first { unlink(listener) }
    }

    /// Whether somebody listens.
    @usableFromInline var hasListeners: Bool { termination == nil && first != nil }

    /// Delivers a value to everybody who listens now.
    @inlinable
    func next(_ element: Element) {
        if isSending { return putOff(element) }
        isSending = true
        if let only = first, only.following == nil {
            only.sink.next(element)
        } else {
            deliver(element, before: nextKey)
        }
        isSending = false
        if hasBacklog { deliverBacklog() }
    }

    /// Sends a value to those who joined before `key`: who joins meanwhile has missed it, and who was
    /// given up meanwhile is passed over.
    @inlinable
    func deliver(_ element: Element, before key: UInt64) {
        reach = key
        var link = first
        while let listener = link, listener.key < key {
            if listener.isListening { listener.sink.next(element) }
            link = listener.following
        }
        reach = 0
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
        link(listener)
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

    // MARK: The list

    fileprivate func remove(_ listener: Listener) {
        unlink(listener)
        // A value on its way to this listener finds the next one by it; nothing else may, or links that
        // are gone would hold each other in a chain.
        if listener.key >= reach { listener.following = nil }
    }

    private func link(_ listener: Listener) {
        listener.preceding = last
        if let last { last.following = listener } else { first = listener }
        last = listener
    }

    /// Takes a link out; what it says of the one that follows stays.
    private func unlink(_ listener: Listener) {
        let following = listener.following
        if let preceding = listener.preceding {
            preceding.following = following
        } else {
            first = following
        }
        if let following {
            following.preceding = listener.preceding
        } else {
            last = listener.preceding
        }
        listener.preceding = nil
        listener.leave()
    }

    // MARK: Re-entrancy

    /// Not inlined: most sends are not nested, and need not know what an event's type is.
    @inline(never) @usableFromInline
    func putOff(_ element: Element) {
        putOff(.next(element))
    }

    private func putOff(_ event: Event<Element>) {
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
            case .next(let element): deliver(element, before: before)
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
        // From the front, whoever leaves meanwhile: nobody joins any more.
        while let listener = first {
            let isListening = listener.isListening
            remove(listener)
            if isListening { listener.sink.end(termination) }
        }
    }
}
