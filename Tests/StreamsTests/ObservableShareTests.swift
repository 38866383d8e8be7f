// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct ObservableShareTests {
    @Test func `the source runs once for all, and again after everybody left`() {
        let lab = Lab()
        let source = lab.cold("-a-b-c-d-e-")
        let shared = source.share()
        var first: (any Disposable)?
        var second: (any Disposable)?
        lab.scheduler.scheduleAt(1) { first = shared.subscribe() }
        lab.scheduler.scheduleAt(3) { second = shared.subscribe() }
        lab.scheduler.scheduleAt(4) { first?.dispose() }
        lab.scheduler.scheduleAt(6) { second?.dispose() }
        #expect(lab.draw(from: 8, until: 12) { shared } == "---------a-b")
        #expect(source.subscriptions == [TestSubscription(1, 6), TestSubscription(8, 12)])
    }

    @Test(arguments: [SubjectLifetimeScope.whileConnected, .forever])
    func `a newcomer after everybody left is replayed only for ever`(
        _ scope: SubjectLifetimeScope
    ) {
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 2, scope: scope)
        let first = shared.subscribe()
        for value in 1...3 { subject.onNext(value) }
        first.dispose()
        #expect(!subject.hasObservers)
        let log = Log<Int>()
        log.listen(to: shared)
        subject.onNext(4)
        #expect(log.lines == (scope == .forever ? ["2", "3", "4"] : ["4"]))
    }

    @Test(arguments: [SubjectLifetimeScope.whileConnected, .forever])
    func `after the end a newcomer starts anew, or is told it for ever`(
        _ scope: SubjectLifetimeScope
    ) {
        var ran = 0
        let source = Observable<Int>.deferred {
            ran += 1
            return .of(1, 2, 3)
        }
        let shared = source.share(replay: 1, scope: scope)
        #expect(said(by: shared) == ["1", "2", "3", "|"])
        #expect(said(by: shared) == (scope == .forever ? ["3", "|"] : ["1", "2", "3", "|"]))
        #expect(ran == (scope == .forever ? 1 : 2))
    }

    @Test func `a retry of a shared stream starts it anew while the error is told`() {
        var ran = 0
        let source = Observable<Int>.deferred {
            ran += 1
            return ran < 3 ? Observable.of(ran).concat(Observable.error(Oops())) : .just(ran)
        }
        #expect(said(by: source.share(replay: 1).retry()) == ["1", "2", "3", "|"])
        ran = 0
        #expect(said(by: source.publish().refCount().retry()) == ["1", "2", "3", "|"])
    }

    @Test func `a subscriber that answers what it is replayed misses nothing`() {
        let state = BehaviorRelay(value: 0)
        let shared = state.share(replay: 1)
        let keep = shared.subscribe()
        let log = Log<Int>()
        log.onNext = { if $0 < 2 { state.accept($0 + 1) } }
        log.listen(to: shared)
        #expect(log.lines == ["0", "1", "2"])
        keep.dispose()
    }

    @Test func `a shared stream is kept by its subscription alone`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        let subscription = log.listen(to: subject.share().map { $0 + 1 })
        subject.onNext(1)
        subscription.dispose()
        #expect(log.lines == ["2", "!"])
        #expect(!subject.hasObservers)
    }

    @Test func `what a shared source holds is given up after the last one left`() {
        var given = 0
        let shared = Observable<Int>.create { _ in Disposables.create { given += 1 } }.share()
        let first = shared.subscribe()
        let second = shared.subscribe()
        first.dispose()
        #expect(given == 0)
        second.dispose()
        #expect(given == 1)
    }

    @Test func `a connectable stream waits for its connection and starts anew after its end`() {
        var ran = 0
        let source = Observable<Int>.deferred {
            ran += 1
            return .of(ran, ran * 10)
        }
        let published = source.publish()
        let log = Log<Int>()
        log.listen(to: published)
        #expect(ran == 0)
        published.connect()
        #expect(log.lines == ["1", "10", "|", "!"])
        log.listen(to: published)
        published.connect()
        #expect(log.lines.suffix(4) == ["2", "20", "|", "!"])
    }

    @Test func `disconnecting silences the subscribers`() {
        let subject = PublishSubject<Int>()
        let published = subject.replay(1)
        let log = Log<Int>()
        log.listen(to: published)
        let connection = published.connect()
        #expect(published.connect() === connection)
        subject.onNext(1)
        connection.dispose()
        subject.onNext(2)
        #expect(log.lines == ["1"])
        #expect(!subject.hasObservers)
    }

    @Test func `replayAll gives everything to a newcomer`() {
        let subject = PublishSubject<Int>()
        let replayed = subject.replayAll()
        replayed.connect()
        for value in 1...3 { subject.onNext(value) }
        #expect(said(by: replayed.take(3)) == ["1", "2", "3", "|"])
    }

    @Test func `multicast with a selector runs the source once for each subscription`() {
        var ran = 0
        let source = Observable<Int>.deferred {
            ran += 1
            return .of(1, 2)
        }
        let doubled = source.multicast({ PublishSubject<Int>() }) { shared in
            Observable.merge(shared, shared.map { $0 * 10 })
        }
        #expect(said(by: doubled) == ["1", "10", "2", "20", "|"])
        #expect(ran == 1)
    }

    @Test func `refCount connects with the first and disconnects after the last`() {
        let subject = PublishSubject<Int>()
        let counted = subject.publish().refCount()
        let first = counted.subscribe()
        let second = counted.subscribe()
        #expect(subject.hasObservers)
        first.dispose()
        #expect(subject.hasObservers)
        second.dispose()
        #expect(!subject.hasObservers)
        let log = Log<Int>()
        log.listen(to: counted)
        subject.onNext(1)
        #expect(log.lines == ["1"])
    }
}
