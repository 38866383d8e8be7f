// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct ObservableCreateTests {
    @Test func `the grammar is kept whatever the source says`() {
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            observer.onNext(2)
            observer.onError(Oops())
            return Disposables.create()
        }
        #expect(said(by: source) == ["1", "|"])
    }

    @Test func `what create returns is given up at the end and on disposal, once`() {
        var given = 0
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            return Disposables.create { given += 1 }
        }
        let subscription = source.subscribe()
        #expect(given == 0)
        subscription.dispose()
        subscription.dispose()
        #expect(given == 1)
        source.take(1).subscribe()
        #expect(given == 2)
    }

    @Test func `an endless sequence stops when nobody listens any more`() {
        #expect(said(by: Observable.from(1...).take(3)) == ["1", "2", "3", "|"])
        #expect(
            said(by: Observable.from(1...).map { $0 * 2 }.filter { $0 > 4 }.take(2))
                == ["6", "8", "|"])
        #expect(said(by: Observable.repeatElement(7).take(2)) == ["7", "7", "|"])
        #expect(
            said(by: Observable.from(1...).flatMap { Observable.just($0) }.take(2))
                == ["1", "2", "|"])
        #expect(
            said(by: Observable.from(1...).concatMap { Observable.of($0, -$0) }.take(3))
                == ["1", "-1", "2", "|"])
    }

    @Test func `an endless source stops at a thrown error`() {
        func refuse(_ value: Int) throws -> Int {
            if value == 3 { throw Oops() }
            return value
        }
        let endless = Observable.from(1...)
        #expect(said(by: endless.map(refuse)) == ["1", "2", "#"])
        #expect(said(by: endless.filter { try refuse($0) > 0 }) == ["1", "2", "#"])
        #expect(said(by: endless.compactMap { try refuse($0) }) == ["1", "2", "#"])
        #expect(said(by: endless.scan(0) { try refuse($1) + $0 }) == ["1", "3", "#"])
        #expect(said(by: endless.scan(into: 0) { $0 += try refuse($1) }) == ["1", "3", "#"])
        #expect(said(by: endless.do(onNext: { _ = try refuse($0) })) == ["1", "2", "#"])
        #expect(said(by: endless.distinctUntilChanged { try refuse($0) }) == ["1", "2", "#"])
        #expect(said(by: endless.flatMap { Observable.just(try refuse($0)) }) == ["1", "2", "#"])
        #expect(
            said(by: endless.flatMapLatest { Observable.just(try refuse($0)) })
                == ["1", "2", "#"])
        #expect(said(by: endless.take(while: { try refuse($0) > 0 })) == ["1", "2", "#"])
        #expect(said(by: endless.skip(while: { try refuse($0) < 9 })) == ["#"])
        #expect(said(by: endless.single { try refuse($0) == 9 }) == ["#"])
        #expect(said(by: endless.reduce(0) { try refuse($1) + $0 }) == ["#"])
        #expect(
            said(by: endless.withLatestFrom(Observable.just(0)) { a, _ in try refuse(a) })
                == ["1", "2", "#"])
        #expect(
            said(by: Observable.combineLatest(Observable.just(0), endless) { try refuse($1) })
                == ["1", "2", "#"])
        #expect(
            said(by: Observable.zip(Observable.from(1...9), endless) { try refuse($1) })
                == ["1", "2", "#"])
    }

    @Test func `deferred makes the source anew, and a thrown error is its end`() {
        var made = 0
        let source = Observable<Int>.deferred {
            made += 1
            if made == 3 { throw Oops() }
            return .just(made)
        }
        #expect(said(by: source) == ["1", "|"])
        #expect(said(by: source) == ["2", "|"])
        #expect(said(by: source) == ["#"])
    }

    @Test func `using gives its resource up after the end, on disposal and when no stream is made`()
    {
        let log = Log<Int>()
        var resources: [CompositeDisposable] = []
        func using(_ source: @escaping () throws -> Observable<Int>) -> Observable<Int> {
            Observable.using({
                resources.append(CompositeDisposable())
                return resources[resources.count - 1]
            }) { _ in try source() }
        }
        log.listen(to: using { .just(1) })
        #expect(log.lines == ["1", "|", "!"])
        let open = using { .never() }.subscribe()
        #expect(resources.map(\.isDisposed) == [true, false])
        open.dispose()
        #expect(said(by: using { throw Oops() }) == ["#"])
        #expect(resources.map(\.isDisposed) == [true, true, true])
    }

    @Test func `with a scheduler every value is work of its own`() {
        let scheduler = TestScheduler()
        let log = Log<String>()
        log.listen(to: Observable.of("a", "b", scheduler: scheduler))
        log.listen(to: Observable.range(start: 1, count: 2, scheduler: scheduler).map { "\($0)" })
        scheduler.start()
        #expect(log.lines == ["a", "1", "b", "2", "|", "!", "|", "!"])
        #expect(scheduler.clock == 0)
    }

    @Test func `an empty range and a missing value complete`() {
        #expect(said(by: Observable.range(start: 5, count: 0)) == ["|"])
        #expect(said(by: Observable<Int>.from(optional: nil)) == ["|"])
        #expect(said(by: Observable.from(optional: 1)) == ["1", "|"])
        #expect(said(by: Observable.range(start: Int.max, count: 1)) == ["\(Int.max)", "|"])
    }
}

@Suite struct ObservableSubscribeTests {
    @Test func `onDisposed runs last and once, however the stream ends`() {
        let log = Log<Int>()
        log.listen(to: Observable.just(1))
        log.listen(to: Observable.error(Oops()))
        let subscription = log.listen(to: Observable<Int>.never())
        subscription.dispose()
        subscription.dispose()
        #expect(log.lines == ["1", "|", "!", "#", "!", "!"])
    }

    @Test func `an object that is gone is not called`() {
        final class Target { var seen: [Int] = [] }
        let subject = PublishSubject<Int>()
        var target: Target? = Target()
        weak let gone = target
        subject.subscribe(with: target ?? Target(), onNext: { $0.seen.append($1) })
        subject.onNext(1)
        #expect(target?.seen == [1])
        target = nil
        #expect(gone == nil)
        subject.onNext(2)
    }

    @Test func `an error nobody takes is told to the timeline`() {
        let scheduler = TestScheduler()
        scheduler.scheduleAt(1) { Observable<Int>.error(Oops()).subscribe(onNext: { _ in }) }
        scheduler.start()
        #expect(scheduler.unhandledErrors.count == 1)
    }

    @Test func `a bag gives up what it holds when it goes away`() {
        let subject = PublishSubject<Int>()
        do {
            let bag = DisposeBag()
            subject.subscribe().disposed(by: bag)
            #expect(subject.hasObservers)
        }
        #expect(!subject.hasObservers)
    }

    @Test func `serial and composite disposables`() {
        var given: [String] = []
        func made(_ name: String) -> any Disposable { Disposables.create { given.append(name) } }
        let serial = SerialDisposable()
        serial.disposable = made("a")
        serial.disposable = made("b")
        serial.dispose()
        serial.disposable = made("c")
        #expect(given == ["a", "b", "c"])
        given = []
        let composite = CompositeDisposable(made("a"))
        let key = composite.insert(made("b"))
        composite.insert(made("c"))
        if let key { composite.remove(for: key) }
        composite.dispose()
        #expect(composite.insert(made("d")) == nil)
        #expect(given == ["b", "a", "c", "d"])
    }
}
