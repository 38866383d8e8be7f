// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct SharedSequenceTests {
    @Test func `a driver runs its source once and gives newcomers the newest value`() {
        var ran = 0
        let subject = PublishSubject<Int>()
        let driver = subject.do(onSubscribe: { ran += 1 }).asDriver(onErrorJustReturn: -1)
        let (first, second) = (Log<Int>(), Log<Int>())
        first.listen(to: driver)
        subject.onNext(1)
        second.listen(to: driver)
        subject.onNext(2)
        #expect(first.lines == ["1", "2"])
        #expect(second.lines == ["1", "2"])
        #expect(ran == 1)
    }

    @Test func `a signal gives newcomers only what comes`() {
        let relay = PublishRelay<Int>()
        let signal = relay.asSignal()
        let (first, second) = (Log<Int>(), Log<Int>())
        first.listen(to: signal)
        relay.accept(1)
        second.listen(to: signal)
        relay.accept(2)
        #expect(first.lines == ["1", "2"])
        #expect(second.lines == ["2"])
    }

    @Test func `an error becomes a value or another sequence`() {
        let failing = Observable<Int>.error(Oops())
        #expect(said(by: failing.asDriver(onErrorJustReturn: 7)) == ["7", "|"])
        #expect(said(by: failing.asDriver(onErrorDriveWith: .of(1, 2))) == ["1", "2", "|"])
        #expect(said(by: failing.asDriver(onErrorRecover: { _ in .just(3) })) == ["3", "|"])
        #expect(said(by: failing.asSignal(onErrorJustReturn: 7)) == ["7", "|"])
        #expect(said(by: failing.asSignal(onErrorSignalWith: .just(4))) == ["4", "|"])
        #expect(said(by: failing.asSignal(onErrorRecover: { _ in .empty() })) == ["|"])
    }

    @Test func `drive and emit feed functions, observers, relays and optional targets`() {
        final class Label { var text = "" }
        let label = Label()
        let state = BehaviorRelay(value: 0)
        let wide = BehaviorRelay<Int?>(value: nil)
        let events = PublishRelay<Int>()
        let replay = ReplayRelay<Int>.createUnbound()
        let (one, two) = (Log<Int>(), Log<Int>())
        one.listen(to: events)
        let (a, b) = (PublishSubject<Int>(), PublishSubject<Int>())
        two.listen(to: a)
        let driver = Driver.just(5)
        driver.drive(state, BehaviorRelay(value: 1))
        driver.drive(wide)
        driver.drive(a, b)
        driver.drive(Binder(label) { $0.text = "\($1)" })
        #expect(state.value == 5)
        #expect(wide.value == 5)
        #expect(two.lines == ["5", "|", "!"])
        #expect(label.text == "5")
        driver.drive(with: label, onNext: { $0.text += "\($1)" })
        #expect(label.text == "55")
        let signal = Signal.just(6)
        signal.emit(to: events)
        signal.emit(to: replay)
        signal.emit(to: state)
        signal.emit(to: Binder(label) { $0.text = "\($1 ?? 0)" } as Binder<Int?>)
        signal.emit(with: label, onNext: { $0.text += "\($1)" })
        #expect(one.lines == ["6"])
        #expect(said(by: replay) == ["6"])
        #expect(state.value == 6)
        #expect(label.text == "66")
        #expect(driver.drive { said(by: $0) } == ["5", "|"])
    }

    @Test func `operators on drivers`() {
        let numbers = Driver.of(1, 2, 2, 3, 4)
        #expect(
            said(by: numbers.distinctUntilChanged().map { $0 * 2 }.filter { $0 > 2 })
                == ["4", "6", "8", "|"])
        #expect(said(by: numbers.scan(0) { $0 + $1 }.skip(3)) == ["8", "12", "|"])
        #expect(said(by: numbers.take(1).startWith(0)) == ["0", "1", "|"])
        #expect(said(by: numbers.compactMap { $0 > 3 ? $0 : nil }) == ["4", "|"])
        #expect(
            said(by: Driver.zip(numbers, numbers) { $0 * $1 }) == ["1", "4", "4", "9", "16", "|"])
        #expect(said(by: Driver.combineLatest(.just(1), .just("a"))) == ["(1, \"a\")", "|"])
        #expect(said(by: Driver.combineLatest([Driver.just(1), .just(2)])) == ["[1, 2]", "|"])
        #expect(said(by: Driver.concat(.just(1), .just(2))) == ["1", "2", "|"])
        #expect(said(by: Driver.merge(.just(1), .just(2))) == ["1", "2", "|"])
        let named = numbers.take(1).withLatestFrom(Driver.just("a")) { "\($0)\($1)" }
        #expect(said(by: named) == ["1a", "|"])
        #expect(said(by: Driver.of(Driver.just(1), .just(2)).switchLatest()) == ["1", "2", "|"])
        #expect(said(by: numbers.flatMap { .just($0) }.take(2)) == ["1", "2", "|"])
        #expect(said(by: numbers.flatMapFirst { .just($0) }.take(2)) == ["1", "2", "|"])
    }

    @Test func `time operators on drivers live on the timeline of the test`() {
        let lab = Lab()
        let source = lab.hot("-a-b---c-").asDriver(onErrorJustReturn: "x")
        #expect(lab.draw(until: 20) { source.debounce(ticks(2)) } == "-----b---c")
        let second = Lab()
        let other = second.hot("-a-b---c-").asSignal(onErrorJustReturn: "x")
        #expect(
            second.draw(until: 20) { other.throttle(ticks(4)).delay(ticks(1)) } == "--a---b---c")
    }

    @Test func `an infallible runs its source anew for each subscriber`() {
        var ran = 0
        let source = Infallible<Int>.create { say in
            ran += 1
            say(.next(ran))
            say(.completed)
            say(.next(9))
            return Disposables.create()
        }
        #expect(said(by: source) == ["1", "|"])
        #expect(said(by: source.map { $0 * 10 }.startWith(0)) == ["0", "20", "|"])
        let failing = Observable.of(1).concat(Observable.error(Oops()))
        #expect(said(by: failing.asInfallible(onErrorJustReturn: 7)) == ["1", "7", "|"])
        #expect(
            said(by: failing.asInfallible(onErrorFallbackTo: .of(5, 6))) == ["1", "5", "6", "|"])
        #expect(said(by: failing.asInfallible(onErrorRecover: { _ in .empty() })) == ["1", "|"])
        #expect(said(by: BehaviorRelay(value: 3).asInfallible().take(1)) == ["3", "|"])
        #expect(said(by: Driver.just(4).asInfallible()) == ["4", "|"])
        let state = BehaviorRelay(value: 0)
        let wide = PublishRelay<Int?>()
        let log = Log<Int?>()
        log.listen(to: wide)
        Infallible.of(1, 2).bind(to: state)
        Infallible.just(3).bind(to: wide)
        #expect(state.value == 2)
        #expect(log.lines == ["Optional(3)"])
        var lines: [String] = []
        Infallible.just(1).subscribe { lines.append("\($0)") }
        Infallible.just(2).subscribe(
            onNext: { lines.append("\($0)") }, onCompleted: { lines.append("|") })
        #expect(lines == ["next(1)", "completed", "2", "|"])
    }

    @Test func `an infallible that is shared runs its source once`() {
        var ran = 0
        let subject = PublishSubject<Int>()
        let shared = subject.do(onSubscribe: { ran += 1 }).asInfallible(onErrorJustReturn: 0)
            .share(replay: 1)
        let (first, second) = (Log<Int>(), Log<Int>())
        first.listen(to: shared)
        subject.onNext(1)
        second.listen(to: shared)
        #expect(first.lines == ["1"])
        #expect(second.lines == ["1"])
        #expect(ran == 1)
    }

    @Test func `inner sequences say how the result is shared`() {
        let signal: Signal<Int> = Driver.just(1).flatMapLatest { Signal.of($0, $0 + 1) }
        #expect(said(by: signal) == ["1", "2", "|"])
        let driver: Driver<Int> = Signal.just(1).concatMap { Driver.of($0, $0 + 1) }
        #expect(said(by: driver) == ["1", "2", "|"])
        let merged: Signal<Int> = Driver.of(Signal.just(1), .just(2)).merge(maxConcurrent: 1)
        #expect(said(by: merged) == ["1", "2", "|"])
        #expect(said(by: Driver.just(1).asSignal()) == ["1", "|"])
    }

    @Test func `what a sequence takes and skips`() {
        let numbers = Driver.of(1, 2, 3, 4)
        #expect(said(by: numbers.take(while: { $0 < 3 })) == ["1", "2", "|"])
        #expect(
            said(by: numbers.take(until: { $0 == 2 }, behavior: .inclusive)) == ["1", "2", "|"])
        #expect(said(by: numbers.take(until: Driver.just(0))) == ["|"])
        #expect(said(by: numbers.skip(while: { $0 < 3 })) == ["3", "4", "|"])
        #expect(said(by: numbers.skip(until: Signal<Int>.never())) == ["|"])
        #expect(said(by: numbers.scan(into: 0) { $0 += $1 }.skip(2)) == ["6", "10", "|"])
        #expect(said(by: numbers.take(1).concat(.just(9))) == ["1", "9", "|"])
        #expect(
            said(by: numbers.distinctUntilChanged(at: \.isSmall)) == ["1", "3", "|"])
        let lab = Lab()
        let hot = lab.hot("-a-b-c-|").asSignal(onErrorJustReturn: "x")
        #expect(lab.draw { hot.skip(for: ticks(2)).take(for: ticks(4)) } == "---b|")
    }

    @Test func `drive and emit without anything run the sequence`() {
        var ran = 0
        Driver.just(1).do(onNext: { _ in ran += 1 }).drive()
        Signal.just(1).do(afterNext: { _ in ran += 1 }, afterCompleted: { ran += 1 }).emit()
        #expect(ran == 3)
    }
}

extension Int {
    fileprivate var isSmall: Bool { self < 3 }
}
