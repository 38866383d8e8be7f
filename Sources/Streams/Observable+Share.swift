// SPDX-License-Identifier: Apache-2.0

/// How long what a shared stream replays is kept.
public enum SubjectLifetimeScope: Sendable {
    /// As long as somebody is subscribed: who comes after everybody left starts the source anew.
    case whileConnected
    /// For ever: who comes after everybody left is given what was replayed last.
    case forever
}

extension ObservableType {
    /// Runs the source once for all who are subscribed at the same time, and gives a newcomer the last
    /// `replay` values first.
    ///
    ///     source              -a-b-c-
    ///     newcomer            ----^
    ///     share()             -----c-
    ///     share(replay: 1)    ----bc-
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Observable<Element> {
        precondition(replay >= 0, "share(replay: \(replay)) replays fewer than no values")
        return SharedObservable(asObservable(), replay: replay, scope: scope)
    }
}

/// A source run once for many: connected by the first subscriber, given up after the last.
///
/// A subscription keeps it alive, and it keeps what it is connected to: both go when the last subscriber
/// leaves or the source ends.
final class SharedObservable<Element>: Observable<Element> {
    private let source: Observable<Element>
    private let scope: SubjectLifetimeScope
    private var emitter = Emitter<Element>()
    private var recent: RecentValues<Element>
    private var connection: Subscription?
    private var subscribers = 0

    init(_ source: Observable<Element>, replay: Int, scope: SubjectLifetimeScope) {
        self.source = source
        self.scope = scope
        recent = RecentValues(limit: replay)
        super.init()
    }

    override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        let joined = emitter
        guard joined.termination == nil else {
            return joined.add(sink, subscription, first: recent.elements)
        }
        subscribers += 1
        subscription.onDispose { self.left(joined) }
        joined.add(sink, subscription, first: recent.elements)
        if connection == nil, subscribers > 0 { connect() }
    }

    private func connect() {
        let connection = Subscription()
        self.connection = connection
        let emitter = emitter
        source.attach(
            Sink(
                next: { element in
                    guard !connection.isDisposed else { return }
                    if self.recent.limit > 0 { self.recent.append(element) }
                    emitter.next(element)
                },
                end: { termination in
                    guard !connection.isDisposed else { return }
                    self.ended()
                    emitter.end(termination)
                }),
            connection)
    }

    /// The source is done: `whileConnected` begins anew with the next subscriber, also with one that
    /// comes while the end is told.
    private func ended() {
        connection?.dispose()
        connection = nil
        guard scope == .whileConnected else { return }
        recent.removeAll()
        emitter = Emitter()
        subscribers = 0
    }

    private func left(_ joined: Emitter<Element>) {
        // Those who leave after the end belonged to a connection that is gone.
        guard joined === emitter else { return }
        subscribers -= 1
        guard subscribers == 0 else { return }
        connection?.dispose()
        connection = nil
        if scope == .whileConnected { recent.removeAll() }
    }
}

/// The last values of a stream, at most `limit`, oldest first.
struct RecentValues<Element> {
    let limit: Int
    private var ring: [Element] = []
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// What is kept, oldest first.
    var elements: [Element] {
        oldest == 0 ? ring : Array(ring[oldest...] + ring[..<oldest])
    }

    mutating func append(_ element: Element) {
        guard limit > 0 else { return }
        if ring.count < limit { return ring.append(element) }
        ring[oldest] = element
        oldest = oldest + 1 == limit ? 0 : oldest + 1
    }

    mutating func removeAll() {
        ring = []
        oldest = 0
    }
}
