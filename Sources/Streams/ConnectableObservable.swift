// SPDX-License-Identifier: Apache-2.0

/// A stream that runs its source once, from `connect()` on, for all who are subscribed.
///
///     source        -a-b-c-|
///     subscribed    --^
///     publish()     ---b-c-|      connected at 0
///
/// After the source has ended, or the connection was disposed, the next connection starts anew.
public final class ConnectableObservable<Element>: Observable<Element> {
    /// What stands between the source and the subscribers: how it is fed, and what they listen to.
    private struct Hub {
        let connect: (Subscription) -> Void
        let output: Observable<Element>
    }

    private let makeHub: () -> Hub
    private var hub: Hub?
    private var connection: Subscription?

    init<Input, Subject: SubjectType>(
        _ source: Observable<Input>, _ makeSubject: @escaping () -> Subject
    ) where Subject.Element == Element, Subject.Observer.Element == Input {
        makeHub = {
            let subject = makeSubject()
            let input = subject.asObserver()
            return Hub(
                connect: { connection in
                    source.attach(
                        Sink(
                            next: { input.onNext($0) },
                            end: { termination in
                                guard !connection.isDisposed else { return }
                                // First, so that who comes while the end is told begins anew.
                                connection.dispose()
                                input.on(termination.event())
                            }),
                        connection)
                }, output: subject.asObservable())
        }
        super.init()
    }

    /// Starts the source; disposing the result, or the source's end, disconnects. Connecting twice gives
    /// the same connection.
    @discardableResult
    public func connect() -> any Disposable { connected() }

    private func connected() -> Subscription {
        if let connection { return connection }
        let connection = Subscription()
        self.connection = connection
        connection.onDispose { [weak self] in
            guard let self, self.connection === connection else { return }
            self.connection = nil
            hub = nil
        }
        currentHub.connect(connection)
        return connection
    }

    public override func attach(_ sink: Sink<Element>, _ subscription: Subscription) {
        currentHub.output.attach(sink, subscription)
    }

    private var currentHub: Hub {
        if let hub { return hub }
        let made = makeHub()
        hub = made
        return made
    }

    /// Connects with the first subscriber and disconnects after the last.
    ///
    ///     source        -a-b-c-|
    ///     subscribed    --^
    ///     refCount()    ---b-c-|
    public func refCount() -> Observable<Element> {
        var subscribers = 0
        var generation = 0
        var current: Subscription?
        return AnonymousObservable { sink, subscription in
            if let connection = current, connection.isDisposed {
                // The source has ended. Who is still to be told so belongs to what was.
                current = nil
                subscribers = 0
                generation += 1
            }
            let joined = generation
            subscribers += 1
            self.attach(sink, subscription)
            subscription.onDispose {
                guard joined == generation else { return }
                subscribers -= 1
                if subscribers == 0 { current.take()?.dispose() }
            }
            if current == nil, joined == generation, subscribers > 0 { current = self.connected() }
        }
    }
}

extension ObservableType {
    /// Shares the source through the subject that `makeSubject` gives for each connection.
    ///
    ///     source                            -a-b-c-|
    ///     subscribed                        --^
    ///     multicast { PublishSubject() }    ---b-c-|
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        ConnectableObservable(asObservable(), makeSubject)
    }

    /// Shares the source through `subject`.
    ///
    ///     source                         -a-b-c-|
    ///     subscribed                     --^
    ///     multicast(PublishSubject())    ---b-c-|
    public func multicast<Subject: SubjectType>(
        _ subject: Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        multicast { subject }
    }

    /// Shares the source inside `selector`: one run of it for each subscription of the result.
    ///
    ///     source                                        -1-2-|
    ///     multicast(subject) { zip($0, $0.skip(1)) }    ---x-|      x is (1, 2)
    public func multicast<Subject: SubjectType, Result>(
        _ subjectSelector: @escaping () throws -> Subject,
        selector: @escaping (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let source = asObservable()
        return AnonymousObservable { sink, subscription in
            let connectable: ConnectableObservable<Subject.Element>
            let result: Observable<Result>
            do {
                let subject = try subjectSelector()
                connectable = source.multicast(subject)
                result = try selector(connectable)
            } catch { return sink.end(.error(error)) }
            result.attach(sink, subscription)
            guard !subscription.isDisposed else { return }
            subscription.add(connectable.connect())
        }
    }

    /// Shares the source from `connect()` on; subscribers see what comes.
    ///
    ///     source        -a-b-c-|
    ///     subscribed    --^
    ///     publish()     ---b-c-|      connected at 0
    public func publish() -> ConnectableObservable<Element> {
        multicast { PublishSubject() }
    }

    /// Shares the source from `connect()` on; subscribers are given the last `bufferSize` values first.
    ///
    ///     source        -a-b-c-|
    ///     subscribed    --^
    ///     replay(1)     --ab-c-|      connected at 0
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject.create(bufferSize: bufferSize) }
    }

    /// Shares the source from `connect()` on; subscribers are given all values first.
    ///
    ///     source         -a-b-c-|
    ///     subscribed     ----^
    ///     replayAll()    ----(ab)c-|      connected at 0
    public func replayAll() -> ConnectableObservable<Element> {
        multicast { ReplaySubject.createUnbounded() }
    }
}
