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
    ///     source         -a-b-c-
    ///     first          -a-b-c-
    ///     newcomer          ^
    ///     share()           ^-c-
    ///     replay: 1         b-c-
    public func share(
        replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected
    ) -> Observable<Element> {
        precondition(replay >= 0, "share(replay: \(replay)) replays fewer than no values")
        return SharedObservable(asObservable(), replay: replay, scope: scope)
    }
}

/// A source run once for many: connected by the first subscriber, given up after the last.
final class SharedObservable<Element>: Observable<Element> {
    private let source: Observable<Element>
    private let replay: Int
    private let scope: SubjectLifetimeScope
    private var emitter = Emitter<Element>()
    private var recent: [Element] = []
    private var connection: Subscription?
    private var subscribers = 0

    init(_ source: Observable<Element>, replay: Int, scope: SubjectLifetimeScope) {
        self.source = source
        self.replay = replay
        self.scope = scope
        super.init()
    }

    override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        for element in recent {
            guard !subscription.isDisposed else { return }
            sink.next(element)
        }
        guard !subscription.isDisposed else { return }
        emitter.add(sink, subscription)
        guard emitter.termination == nil else { return }
        subscribers += 1
        let joined = emitter
        subscription.onDispose { [weak self] in self?.left(joined) }
        if connection == nil { connect() }
    }

    private func connect() {
        let connection = Subscription()
        self.connection = connection
        let emitter = emitter
        source.attach(
            Sink(
                next: { [weak self] element in
                    guard let self, !connection.isDisposed else { return }
                    remember(element)
                    emitter.next(element)
                },
                end: { [weak self] termination in
                    guard !connection.isDisposed else { return }
                    connection.dispose()
                    self?.ended()
                    emitter.end(termination)
                }),
            connection)
    }

    private func remember(_ element: Element) {
        guard replay > 0 else { return }
        if recent.count == replay { recent.removeFirst() }
        recent.append(element)
    }

    /// The source is done: `whileConnected` begins anew with the next subscriber.
    private func ended() {
        guard scope == .whileConnected else { return }
        reset()
    }

    private func left(_ joined: Emitter<Element>) {
        // Those who leave after a reset belonged to a connection that is gone.
        guard joined === emitter else { return }
        subscribers -= 1
        guard subscribers == 0 else { return }
        connection?.dispose()
        connection = nil
        if scope == .whileConnected { recent = [] }
    }

    private func reset() {
        emitter = Emitter()
        recent = []
        connection = nil
        subscribers = 0
    }
}
