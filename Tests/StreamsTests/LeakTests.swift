// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// What a closure of a stream holds goes away with the subscription, however that ends.
@Suite struct LeakTests {
    final class Held { func take<Value>(_ value: Value) -> Value { value } }

    enum End: CaseIterable { case disposal, completion, error }

    /// Builds a chain whose closures hold an object, ends it, and looks whether the object is gone.
    static func check(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ chain: (Observable<Int>, Held) -> Observable<Int>
    ) {
        for end in End.allCases {
            weak var gone: Held?
            let scheduler = TestScheduler()
            let subject = PublishSubject<Int>()
            do {
                let held = Held()
                gone = held
                let subscription = chain(subject, held).subscribe(onError: { _ in })
                subject.onNext(1)
                subject.onNext(2)
                switch end {
                case .disposal: subscription.dispose()
                case .completion: subject.onCompleted()
                case .error: subject.onError(Oops())
                }
                do { try scheduler.timeline.advance(by: ticks(100)) } catch {
                    Issue.record(error, sourceLocation: sourceLocation)
                }
            }
            #expect(gone == nil, "after \(end)", sourceLocation: sourceLocation)
            #expect(!subject.hasObservers, "after \(end)", sourceLocation: sourceLocation)
        }
    }

    @Test func `values`() {
        LeakTests.check { source, held in
            source.map(held.take).filter { held.take($0) > 0 }.scan(0) { $0 + held.take($1) }
                .distinctUntilChanged { held.take($0) }.do(onNext: { _ = held.take($0) })
                .take(while: { held.take($0) < 100 }).enumerated().map { held.take($0.element) }
        }
    }

    @Test func `streams of streams`() {
        LeakTests.check { source, held in
            source.flatMap { Observable.just(held.take($0)) }
                .concatMap { Observable.just(held.take($0)) }
                .flatMapLatest { Observable.just(held.take($0)) }
                .flatMapFirst { Observable.just(held.take($0)) }
        }
        LeakTests.check { source, held in
            source.flatMapLatest { value in Observable.timer(ticks(2)).map { held.take($0 + value) }
            }
        }
    }

    @Test func `several streams`() {
        LeakTests.check { source, held in
            Observable.combineLatest(source, source) { held.take($0) + $1 }
                .withLatestFrom(Observable.just(1)) { held.take($0) + $1 }
        }
        LeakTests.check { source, held in
            Observable.zip(source, source, source, source) { a, _, _, _ in held.take(a) }
                .amb(Observable.never())
        }
    }

    @Test func `shared`() {
        LeakTests.check { source, held in
            source.map(held.take).share(replay: 1).map(held.take).share().publish().refCount()
        }
        LeakTests.check { source, held in
            source.map(held.take).asDriver(onErrorJustReturn: 0).map(held.take).asObservable()
        }
    }

    @Test func `errors`() {
        LeakTests.check { source, held in
            source.map(held.take).catch { _ in .just(held.take(1)) }.retry(2)
        }
        LeakTests.check { source, held in
            source.map(held.take).retry(when: { errors in
                errors.map { _ in throw Oops() } as Observable<Int>
            })
        }
    }

    @Test func `time`() {
        LeakTests.check { source, held in
            source.map(held.take).debounce(ticks(2)).map(held.take).delay(ticks(2)).map(held.take)
                .throttle(ticks(3)).map(held.take)
        }
        LeakTests.check { source, held in
            source.map(held.take).timeout(ticks(5), other: Observable.just(held.take(1)))
                .take(for: ticks(50)).skip(for: ticks(1)).delaySubscription(.zero)
        }
        LeakTests.check { source, held in
            source.buffer(timeSpan: ticks(4), count: 2).map { held.take($0.count) }
                .takeLast(1)
        }
    }

    @Test func `a timer that was given up leaves nothing on the timeline`() {
        let scheduler = TestScheduler()
        let subject = PublishSubject<Int>()
        let subscriptions = [
            Observable<Int>.interval(ticks(1)).subscribe(),
            Observable<Int>.timer(ticks(5)).subscribe(),
            subject.debounce(ticks(5)).subscribe(),
            subject.throttle(ticks(5)).subscribe(),
            subject.delay(ticks(5)).subscribe(),
            subject.timeout(ticks(5)).subscribe(),
            subject.buffer(timeSpan: ticks(5), count: 9).subscribe(),
            subject.window(timeSpan: ticks(5), count: 9).subscribe(),
            subject.take(for: ticks(5)).subscribe(),
            subject.skip(for: ticks(5)).subscribe(),
            subject.delaySubscription(ticks(5)).subscribe(),
        ]
        subject.onNext(1)
        subject.onNext(2)
        #expect(scheduler.timeline.pendingCount == 11)
        for subscription in subscriptions { subscription.dispose() }
        #expect(scheduler.timeline.pendingCount == 0)
    }

    @Test func `a subject holds nothing of those who left`() {
        weak var gone: Held?
        let relay = BehaviorRelay(value: 0)
        do {
            let held = Held()
            gone = held
            relay.subscribe(onNext: { _ = held.take($0) }).dispose()
            relay.asDriver().drive(onNext: { _ = held.take($0) }).dispose()
            relay.bind(to: Binder(held) { _ = $0.take($1) }).dispose()
        }
        #expect(gone == nil)
    }
}
