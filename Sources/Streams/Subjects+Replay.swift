// SPDX-License-Identifier: Apache-2.0

/// Gives a new subscriber the last values first, after the end too, then every one after.
///
///     subject          a--b--c-|
///     subscribed       ----^
///     ReplaySubject    ----b-c-|      buffer size 1
public final class ReplaySubject<Element>: Observable<Element>, SubjectType, ObserverType {
    private let emitter = Emitter<Element>()
    private var recent: RecentValues<Element>
    private var isStopped = false

    private init(limit: Int) {
        recent = RecentValues(limit: limit)
        super.init()
    }

    /// A subject that replays at most `bufferSize` values.
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        precondition(bufferSize >= 0, "a replay of \(bufferSize) values has fewer than none")
        return ReplaySubject(limit: bufferSize)
    }

    /// A subject that replays everything; bounded by what is put in.
    public static func createUnbounded() -> ReplaySubject<Element> {
        ReplaySubject(limit: .max)
    }

    /// Whether somebody listens.
    public var hasObservers: Bool { emitter.hasListeners }

    public func on(_ event: Event<Element>) {
        guard !isStopped else { return }
        switch event {
        case .next(let element):
            recent.append(element)
            emitter.next(element)
        case .error(let error): stop(.error(error))
        case .completed: stop(.completed)
        }
    }

    private func stop(_ termination: Termination) {
        isStopped = true
        emitter.end(termination)
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        emitter.add(sink, subscription, first: recent.elements)
    }

    public func asObserver() -> ReplaySubject<Element> { self }
}

/// Gives its last value, and that only when it completes.
///
///     subject         -a-b-c-|
///     AsyncSubject    -------(c|)
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, ObserverType {
    private let emitter = Emitter<Element>()
    private var last: Element?
    private var isStopped = false

    /// A subject that has no value yet.
    public override init() { super.init() }

    /// Whether somebody listens.
    public var hasObservers: Bool { emitter.hasListeners }

    public func on(_ event: Event<Element>) {
        guard !isStopped else { return }
        switch event {
        case .next(let element): last = element
        case .error(let error):
            isStopped = true
            last = nil
            emitter.end(.error(error))
        case .completed:
            isStopped = true
            if let last { emitter.next(last) }
            emitter.end(.completed)
        }
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        if emitter.termination != nil, let last {
            emitter.add(sink, subscription, first: CollectionOfOne(last))
        } else {
            emitter.add(sink, subscription)
        }
    }

    public func asObserver() -> AsyncSubject<Element> { self }
}
