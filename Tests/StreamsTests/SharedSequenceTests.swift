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
}
