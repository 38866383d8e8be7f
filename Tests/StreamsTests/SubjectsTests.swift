// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct SubjectsTests {
    @Test
    func `a value sent from inside a send is queued, so everybody sees the order it was sent in`() {
        let subject = PublishSubject<Int>()
        var first: [Int] = []
        var second: [Int] = []
        var depth = 0
        var deepest = 0
        subject.subscribe(onNext: { value in
            depth += 1
            deepest = max(deepest, depth)
            first.append(value)
            if value < 3 { subject.onNext(value + 1) }
            depth -= 1
        })
        subject.subscribe(onNext: { second.append($0) })
        subject.onNext(1)
        #expect(first == [1, 2, 3])
        #expect(second == [1, 2, 3])
        #expect(deepest == 1)
    }

    @Test func `an end sent from inside a send follows what was sent before it`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        log.onNext = { value in
            guard value == 1 else { return }
            subject.onNext(2)
            subject.onCompleted()
            subject.onNext(3)
        }
        log.listen(to: subject)
        let late = Log<Int>()
        subject.onNext(1)
        late.listen(to: subject)
        #expect(log.lines == ["1", "2", "|", "!"])
        #expect(late.lines == ["|", "!"])
    }

    @Test func `who joins during a send has missed that value`() {
        let subject = PublishSubject<Int>()
        let late = Log<Int>()
        var joined = false
        subject.subscribe(onNext: { _ in
            guard !joined else { return }
            joined = true
            late.listen(to: subject)
        })
        subject.subscribe()
        subject.onNext(1)
        subject.onNext(2)
        #expect(late.lines == ["2"])
    }

    @Test func `who joins a state during a send sees the newest value once`() {
        let relay = BehaviorRelay(value: 0)
        let late = Log<Int>()
        relay.subscribe(onNext: { value in
            guard value == 1 else { return }
            relay.accept(2)
            late.listen(to: relay)
        })
        relay.accept(1)
        #expect(late.lines == ["2"])
        relay.accept(3)
        #expect(late.lines == ["2", "3"])
    }

    @Test func `who is given up during a send does not see that value`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        var second: (any Disposable)?
        subject.subscribe(onNext: { _ in second?.dispose() })
        second = log.listen(to: subject)
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.lines == ["!"])
    }

    @Test func `a branch that is given up during a send does not run for that value`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        var effects = 0
        let failing = subject.map { _ -> Int in throw Oops() }
        let other = subject.do(onNext: { _ in effects += 1 })
        log.listen(to: Observable.merge(failing, other).catch { _ in .never() })
        subject.onNext(1)
        #expect(log.lines.isEmpty)
        #expect(effects == 0)
    }

    @Test func `who is given up during an end does not see that end`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        var second: (any Disposable)?
        subject.subscribe(onCompleted: { second?.dispose() })
        second = log.listen(to: subject)
        subject.onCompleted()
        #expect(log.lines == ["!"])
    }

    @Test func `a late subscriber is told the end`() {
        let done = PublishSubject<Int>()
        done.onNext(1)
        done.onCompleted()
        #expect(said(by: done) == ["|"])
        let failed = BehaviorSubject(value: 1)
        failed.onError(Oops())
        #expect(said(by: failed) == ["#"])
        #expect(throws: Oops.self) { try failed.value() }
        let replay = ReplaySubject<Int>.create(bufferSize: 2)
        for value in 1...3 { replay.onNext(value) }
        replay.onCompleted()
        #expect(said(by: replay) == ["2", "3", "|"])
        let async = AsyncSubject<Int>()
        async.onNext(1)
        async.onNext(2)
        async.onCompleted()
        #expect(said(by: async) == ["2", "|"])
    }

    @Test func `nothing follows an end`() {
        let subject = ReplaySubject<Int>.createUnbounded()
        let log = Log<Int>()
        log.listen(to: subject)
        subject.onNext(1)
        subject.onError(Oops())
        subject.onNext(2)
        subject.onCompleted()
        #expect(log.lines == ["1", "#", "!"])
        #expect(said(by: subject) == ["1", "#"])
    }

    @Test func `an async subject that fails keeps its value to itself`() {
        let subject = AsyncSubject<Int>()
        let log = Log<Int>()
        log.listen(to: subject)
        subject.onNext(1)
        subject.onError(Oops())
        #expect(log.lines == ["#", "!"])
        #expect(said(by: subject) == ["#"])
    }

    @Test
    func `a newcomer that answers a replayed value sees its answer after all that is replayed`() {
        let subject = ReplaySubject<Int>.createUnbounded()
        subject.onNext(1)
        subject.onNext(2)
        let log = Log<Int>()
        log.onNext = { if $0 < 10 { subject.onNext($0 * 10) } }
        log.listen(to: subject)
        #expect(log.lines == ["1", "2", "10", "20"])
    }

    @Test func `hasObservers tells whether somebody listens`() {
        let subject = PublishSubject<Int>()
        #expect(!subject.hasObservers)
        let subscription = subject.subscribe()
        #expect(subject.hasObservers)
        subscription.dispose()
        #expect(!subject.hasObservers)
        subject.subscribe()
        subject.onCompleted()
        #expect(!subject.hasObservers)
    }

    @Test func `a subject that feeds itself for ever is named by the limit on microsteps`() {
        let scheduler = TestScheduler()
        scheduler.limits.microsteps = 5
        let relay = PublishRelay<Int>()
        relay.subscribe(onNext: { relay.accept($0 + 1) })
        scheduler.scheduleAt(3) { relay.accept(0) }
        #expect(
            throws: SchedulingError.limitReached(
                .microsteps(5), at: Instant(nanoseconds: 3_000_000),
                repeating: ["values a subject sends to itself"])
        ) { try scheduler.timeline.run() }
    }

    @Test func `a long chain of answers that ends is delivered whole`() {
        let scheduler = TestScheduler()
        let relay = PublishRelay<Int>()
        var last = 0
        relay.subscribe(onNext: { value in
            last = value
            if value < 5_000 { relay.accept(value + 1) }
        })
        scheduler.scheduleAt(1) { relay.accept(1) }
        scheduler.start()
        #expect(last == 5_000)
        #expect(scheduler.clock == 1)
    }

    @Test func `relays take values and tell neither end nor error`() {
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        replay.accept(1)
        replay.accept(2)
        #expect(said(by: replay) == ["2"])
        let all = ReplayRelay<Int>.createUnbound()
        all.accept(1)
        all.accept(2)
        #expect(said(by: all) == ["1", "2"])
        let state = BehaviorRelay(value: "a")
        state.accept("b")
        #expect(state.value == "b")
        #expect(said(by: state) == ["b"])
    }
}
