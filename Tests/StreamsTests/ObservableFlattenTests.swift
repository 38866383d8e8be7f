// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct ObservableFlattenTests {
    @Test func `merge with a bound lets the others wait in the order they came`() {
        let lab = Lab()
        let inner = ["1": "a--a|", "2": "b-b|", "3": "c|"].mapValues { lab.cold($0) }
        let outer = lab.hot("123-|")
        let drawn = lab.draw {
            outer.map { inner[$0]?.asObservable() ?? .empty() }.merge(maxConcurrent: 2)
        }
        #expect(drawn == "ab-(ab)c|")
        #expect(inner["3"]?.subscriptions == [TestSubscription(4, 5)])
    }

    @Test func `the outer stream is given up at its end while inner ones go on`() {
        let lab = Lab()
        let outer = lab.hot("-1-|")
        let inner = lab.cold("---a--|")
        #expect(lab.draw { outer.flatMap { _ in inner } } == "----a--|")
        #expect(outer.subscriptions == [TestSubscription(0, 3)])
        #expect(inner.subscriptions == [TestSubscription(1, 7)])
    }

    @Test func `an error of one ends all`() {
        let lab = Lab()
        let outer = lab.hot("-12---")
        let good = lab.cold("-a-a-a")
        let bad = lab.cold("--#")
        let drawn = lab.draw {
            outer.flatMap { $0 == "1" ? good.asObservable() : bad.asObservable() }
        }
        #expect(drawn == "--a-(a#)")
        #expect(outer.subscriptions == [TestSubscription(0, 4)])
        #expect(good.subscriptions == [TestSubscription(1, 4)])
    }

    @Test func `what was overtaken is given up before the next one starts`() {
        var lines: [String] = []
        let subject = PublishSubject<Int>()
        subject.flatMapLatest { value in
            Observable<Int>.never().do(
                onSubscribe: { lines.append("+\(value)") },
                onDispose: { lines.append("-\(value)") })
        }.subscribe()
        for value in 1...3 { subject.onNext(value) }
        #expect(lines == ["+1", "-1", "+2", "-2", "+3"])
    }

    @Test func `an inner stream that switches the outer one is itself overtaken`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        log.onNext = { if $0 == 10 { subject.onNext(2) } }
        log.listen(to: subject.flatMapLatest { Observable.of($0 * 10, $0 * 10 + 1) })
        subject.onNext(1)
        #expect(log.lines == ["10", "11", "20", "21"])
    }

    @Test func `a hundred thousand streams that end where they start need one stack frame`() {
        var sum = 0
        let many = (1...100_000).map { Observable.just($0) }
        Observable.concat(many).subscribe(onNext: { sum += $0 })
        let gate = PublishSubject<Int>()
        Observable.concat([gate.asObservable()] + many).subscribe(onNext: { sum += $0 })
        Observable.from([gate.asObservable()] + many).concat().subscribe(onNext: { sum += $0 })
        gate.onCompleted()
        #expect(sum == 3 * 5_000_050_000)
    }

    @Test func `concat walks a lazy sequence as streams complete`() {
        var made = 0
        let endless = sequence(first: 1) { $0 + 1 }.lazy.map { value in
            made += 1
            return Observable.just(value)
        }
        #expect(said(by: Observable.concat(endless).take(3)) == ["1", "2", "3", "|"])
        #expect(made == 3)
    }

    @Test func `zip waits for partners and ends with the last of its streams`() {
        let lab = Lab()
        let (a, b) = (lab.hot("123|"), lab.hot("--a-b-c-|"))
        #expect(lab.draw { Observable.zip(a, b) { $0 + $1 } } == "--'1a'-'2b'-'3c'-|")
        #expect(a.subscriptions == [TestSubscription(0, 3)])
    }

    @Test func `zip ends at a value that can have no partner`() {
        let lab = Lab()
        let (a, b) = (lab.hot("1|"), lab.hot("--a-b-c-|"))
        #expect(lab.draw { Observable.zip(a, b) { $0 + $1 } } == "--'1a'-|")
    }

    @Test func `a combination ends at a value that can have no partner`() {
        let lab = Lab()
        let (a, b) = (lab.hot("-|"), lab.hot("--a-b-|"))
        #expect(lab.draw { Observable.combineLatest(a, b) { $0 + $1 } } == "--|")
    }

    @Test func `up to eight streams and any collection are combined and zipped`() {
        let (a, b, c) = (Observable.just(1), Observable.just("x"), Observable.just(2.5))
        #expect(said(by: Observable.zip(a, b, c) { "\($0)\($1)\($2)" }) == ["1x2.5", "|"])
        #expect(said(by: Observable.combineLatest(a, b)) == ["(1, \"x\")", "|"])
        let zipped = Observable<[Int]>.zip(a, a, a, a, a, a, a, b) {
            (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: String) -> [Int] in
            [a, b, c, d, e, f, g, h.count]
        }
        #expect(said(by: zipped) == ["[1, 1, 1, 1, 1, 1, 1, 1]", "|"])
        let combined = Observable<[Int]>.combineLatest(a, a, a, a, b) {
            (a: Int, b: Int, c: Int, d: Int, e: String) -> [Int] in [a, b, c, d, e.count]
        }
        #expect(said(by: combined) == ["[1, 1, 1, 1, 1]", "|"])
        #expect(said(by: Observable.zip([a, a, a])) == ["[1, 1, 1]", "|"])
        #expect(said(by: Observable.combineLatest([a, a]) { $0.reduce(0, +) }) == ["2", "|"])
        #expect(said(by: Observable<Int>.zip([Observable<Int>]()) { _ in 1 }) == ["|"])
    }

    @Test func `withLatestFrom subscribes to the second stream first`() {
        let state = BehaviorRelay(value: 1)
        #expect(said(by: Observable.just("a").withLatestFrom(state)) == ["1", "|"])
        #expect(
            said(by: Observable.just("a").withLatestFrom(Observable<Int>.error(Oops())))
                == ["#"])
    }

    @Test func `amb gives the losers up and ignores what they say`() {
        let lab = Lab()
        let (a, b) = (lab.hot("--a-|"), lab.hot("---#"))
        #expect(lab.draw { Observable.amb([a, b]) } == "--a-|")
        #expect(b.subscriptions == [TestSubscription(0, 2)])
        #expect(said(by: Observable.just(1).amb(Observable.just(2))) == ["1", "|"])
    }
}

@Suite struct ObservableErrorsTests {
    @Test func `catch goes on where the source failed, and a thrown error is the end`() {
        let failing = Observable.of(1).concat(Observable.error(Oops()))
        #expect(said(by: failing.catch { _ in .just(9) }) == ["1", "9", "|"])
        #expect(said(by: failing.catchAndReturn(7)) == ["1", "7", "|"])
        #expect(said(by: failing.catch { throw $0 }) == ["1", "#"])
        #expect(
            said(by: Observable.catch(sequence: [failing, failing, .just(3), .just(4)]))
                == ["1", "1", "3", "|"])
        #expect(said(by: Observable.catch(sequence: [failing, failing])) == ["1", "1", "#"])
    }

    @Test func `a source that failed is given up before what replaces it starts`() {
        let lab = Lab()
        let source = lab.cold("-a-#")
        let other = lab.cold("--|")
        #expect(lab.draw { source.catch { _ in other.asObservable() } } == "-a---|")
        #expect(source.subscriptions == [TestSubscription(0, 3)])
        #expect(other.subscriptions == [TestSubscription(3, 5)])
    }

    @Test func `retry runs the source anew each time`() {
        var ran = 0
        let source = Observable<Int>.deferred {
            ran += 1
            return ran < 3 ? .error(Oops()) : .just(ran)
        }
        #expect(said(by: source.retry()) == ["3", "|"])
        ran = 0
        #expect(said(by: source.retry(2)) == ["#"])
        #expect(ran == 2)
    }

    @Test func `retry when: the trigger's end is the end`() {
        let failing = Observable.of(1).concat(Observable.error(Oops()))
        #expect(said(by: failing.retry(when: { $0.take(2) })) == ["1", "1", "|"])
        #expect(
            said(
                by: failing.retry(when: { errors in
                    errors.enumerated().map { index, error in
                        if index == 2 { throw error }
                        return index
                    }
                })) == ["1", "1", "1", "#"])
        #expect(said(by: failing.retry(when: { _ in Observable<Int>.empty() })) == ["|"])
    }

    @Test func `an endless retry is named by the limit on microsteps`() {
        let scheduler = TestScheduler()
        scheduler.limits.microsteps = 3
        scheduler.scheduleAt(2) { Observable<Int>.error(Oops()).retry().subscribe() }
        #expect(
            throws: SchedulingError.limitReached(
                .microsteps(3), at: Instant(nanoseconds: 2_000_000),
                repeating: ["streams retried without end"])
        ) { try scheduler.timeline.run() }
    }
}
