// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

@Suite struct PrimitiveSequenceTests {
    @Test func `a single answers once`() {
        let source = Single<Int>.create { answer in
            answer(.success(1))
            answer(.success(2))
            answer(.failure(Oops()))
            return Disposables.create()
        }
        #expect(said(by: source) == ["1", "|"])
        var answers: [Int] = []
        source.subscribe(onSuccess: { answers.append($0) })
        source.subscribe { if case .success(let value) = $0 { answers.append(value) } }
        #expect(answers == [1, 1])
    }

    @Test func `a stream is a single, a maybe, or says too much or too little`() {
        #expect(said(by: Observable.just(1).asSingle()) == ["1", "|"])
        #expect(said(by: Observable<Int>.empty().asMaybe()) == ["|"])
        #expect(said(by: Observable.just(1).asMaybe()) == ["1", "|"])
        var errors: [StreamError] = []
        func keep(_ error: any Error) {
            if let error = error as? StreamError { errors.append(error) }
        }
        Observable<Int>.empty().asSingle().subscribe(onFailure: keep)
        Observable.of(1, 2).asSingle().subscribe(onFailure: keep)
        Observable.of(1, 2).asMaybe().subscribe(onError: keep)
        Observable.of(1, 2).single().subscribe(onError: keep)
        Observable<Int>.empty().single().subscribe(onError: keep)
        Observable.of(1).element(at: 1).subscribe(onError: keep)
        #expect(
            errors == [
                .noElements, .moreThanOneElement, .moreThanOneElement, .moreThanOneElement,
                .noElements, .argumentOutOfRange,
            ])
    }

    @Test func `first is a value or nil`() {
        #expect(said(by: Observable.of(1, 2).first()) == ["Optional(1)", "|"])
        #expect(said(by: Observable<Int>.empty().first()) == ["nil", "|"])
        #expect(said(by: Observable<Int>.error(Oops()).first()) == ["#"])
    }

    @Test func `operators on singles`() {
        let one = Single.just(1)
        let failing = Single<Int>.error(Oops())
        #expect(said(by: one.map { $0 + 1 }.flatMap { .just($0 * 10) }) == ["20", "|"])
        #expect(said(by: one.map { _ in throw Oops() } as Single<Int>) == ["#"])
        #expect(said(by: failing.catch { _ in .just(2) }) == ["2", "|"])
        #expect(said(by: failing.catchAndReturn(3)) == ["3", "|"])
        #expect(said(by: Single.zip(one, Single.just("a")) { "\($0)\($1)" }) == ["1a", "|"])
        #expect(said(by: Single.zip(one, failing)) == ["#"])
        #expect(said(by: Single.zip([one, one])) == ["[1, 1]", "|"])
        #expect(said(by: Single.zip([Single<Int>]())) == ["[]", "|"])
        #expect(said(by: one.filter { $0 > 1 }) == ["|"])
        #expect(said(by: one.compactMap { $0 == 1 ? "x" : nil }) == ["x", "|"])
        #expect(said(by: one.asMaybe()) == ["1", "|"])
        #expect(said(by: one.asCompletable()) == ["|"])
        #expect(said(by: one.flatMapCompletable { _ in .error(Oops()) }) == ["#"])
        #expect(said(by: one.flatMapMaybe { _ in Maybe<Int>.empty() }) == ["|"])
        var ran = 0
        let third = Single<Int>.deferred {
            ran += 1
            return ran < 3 ? .error(Oops()) : .just(ran)
        }
        #expect(said(by: third.retry(3)) == ["3", "|"])
    }

    @Test func `a maybe tells a value, an error, or neither`() {
        var lines: [String] = []
        func subscribe(_ maybe: Maybe<Int>) {
            maybe.subscribe(
                onSuccess: { lines.append("\($0)") }, onError: { _ in lines.append("#") },
                onCompleted: { lines.append("|") })
        }
        subscribe(.just(1))
        subscribe(.empty())
        subscribe(.error(Oops()))
        subscribe(
            .create { say in
                say(.completed)
                say(.success(9))
                return Disposables.create()
            })
        #expect(lines == ["1", "|", "#", "|"])
        #expect(said(by: Maybe<Int>.empty().ifEmpty(default: 4)) == ["4", "|"])
        #expect(said(by: Maybe<Int>.empty().ifEmpty(switchTo: Single.just(5))) == ["5", "|"])
        #expect(said(by: Maybe<Int>.empty().asSingle()) == ["#"])
        #expect(said(by: Maybe.just(1).flatMapSingle { .just($0 + 1) }) == ["2", "|"])
        #expect(said(by: Maybe.just(1).flatMap { .just($0 + 1) }.filter { $0 > 5 }) == ["|"])
        #expect(said(by: Maybe<Int>.error(Oops()).catchAndReturn(1)) == ["1", "|"])
    }

    @Test func `what singles and maybes have in common`() {
        #expect(said(by: Maybe.zip(Maybe.just(1), .just("a")) { "\($0)\($1)" }) == ["1a", "|"])
        #expect(said(by: Maybe.zip(Maybe.just(1), Maybe<Int>.empty())) == ["|"])
        #expect(said(by: Maybe.zip(Maybe.just(1), Maybe.just("a"))) == ["(1, \"a\")", "|"])
        #expect(said(by: Maybe.just(1).flatMapMaybe { .just($0 + 1) }) == ["2", "|"])
        #expect(said(by: Maybe.just(1).flatMapCompletable { _ in .empty() }) == ["|"])
        #expect(said(by: Maybe.just(1).asCompletable()) == ["|"])
        #expect(Lab().draw { Single<Int>.timer(ticks(3)) } == "---(0|)")
        let lab = Lab()
        #expect(lab.draw { Maybe.just(1, scheduler: lab.scheduler) } == "(1|)")
        #expect(said(by: Single<Int>.error(Oops()).retry(when: { $0.take(1) })) == ["|"])
        let only: (Observable<StreamError>) -> Observable<StreamError> = { $0 }
        #expect(said(by: Single<Int>.error(Oops()).retry(when: only)) == ["#"])
    }

    @Test func `handlers with an object are told as long as it lives, and do not keep it`() {
        final class Owner { var lines: [String] = [] }
        let owner = Owner()
        Single.just(1).subscribe(
            with: owner, onSuccess: { $0.lines.append("\($1)") },
            onDisposed: { $0.lines.append("!") })
        Single<Int>.error(Oops()).subscribe(with: owner, onFailure: { $0.lines.append("\($1)") })
        Maybe.just(2).subscribe(
            with: owner, onSuccess: { $0.lines.append("\($1)") },
            onCompleted: { $0.lines.append("|") })
        Maybe<Int>.empty().subscribe(with: owner, onCompleted: { $0.lines.append("|") })
        Completable.empty().subscribe(with: owner, onCompleted: { $0.lines.append("|") })
        Completable.error(Oops()).subscribe(with: owner, onError: { $0.lines.append("\($1)") })
        #expect(owner.lines == ["1", "!", "Oops()", "2", "|", "|", "Oops()"])
        weak var gone: Owner?
        let subject = PublishSubject<Int>()
        do {
            let short = Owner()
            gone = short
            subject.asMaybe().subscribe(with: short, onSuccess: { $0.lines.append("\($1)") })
        }
        #expect(gone == nil)
    }

    @Test func `do runs beside a trait, before and after what it says`() {
        var lines: [String] = []
        Maybe.just(1).do(
            onNext: { lines.append("on \($0)") }, afterNext: { lines.append("after \($0)") },
            onCompleted: { lines.append("on end") }, afterCompleted: { lines.append("after end") }
        ).subscribe()
        Completable.error(Oops()).do(
            onError: { lines.append("on \($0)") }, afterError: { lines.append("after \($0)") }
        ).subscribe(onError: { _ in lines.append("#") })
        #expect(
            lines == [
                "on 1", "after 1", "on end", "after end", "on Oops()", "#", "after Oops()",
            ])
    }

    @Test func `one extension serves every trait`() {
        #expect(said(by: Single.just(1).said()) == ["said", "|"])
        #expect(said(by: Maybe<Int>.empty().said()) == ["|"])
    }

    @Test func `completables one after the other, all at once, and then something else`() {
        var lines: [String] = []
        func work(_ name: String) -> Completable {
            .create { say in
                lines.append(name)
                say(.completed)
                return Disposables.create()
            }
        }
        work("a").andThen(work("b")).subscribe(onCompleted: { lines.append("|") })
        Completable.concat(work("c"), work("d")).subscribe { event in
            if case .completed = event { lines.append("|") }
        }
        Completable.zip(work("e"), work("f")).subscribe(onCompleted: { lines.append("|") })
        #expect(lines == ["a", "b", "|", "c", "d", "|", "e", "f", "|"])
        let failed = Completable.error(Oops())
        #expect(said(by: failed.andThen(Single.just(1))) == ["#"])
        #expect(said(by: Completable.empty().andThen(Single.just(1))) == ["1", "|"])
        #expect(said(by: Completable.empty().andThen(Maybe<Int>.empty())) == ["|"])
        #expect(said(by: failed.catchAndComplete()) == ["|"])
        #expect(said(by: Completable.merge(.empty(), failed)) == ["#"])
        #expect(said(by: Completable.empty().asMaybe(Int.self)) == ["|"])
        #expect(said(by: Observable.of(1, 2).ignoreElements().asCompletable()) == ["|"])
    }

    @Test func `time on the timeline of the test`() {
        #expect(Lab().draw { Single.just("a").delay(ticks(3)) } == "---(a|)")
        #expect(Lab().draw { Single<Int>.never().timeout(ticks(3)) } == "---#")
        #expect(Lab().draw { Maybe.just("a").delaySubscription(ticks(2)) } == "--(a|)")
        #expect(
            Lab().draw { Single<String>.never().timeout(ticks(3), other: .just("b")) }
                == "---(b|)")
        #expect(Lab().draw { Completable.empty().delay(ticks(2)) } == "--|")
    }
}

@Suite struct ObservableBindTests {
    @Test func `bind feeds observers, relays and optional targets`() {
        let state = BehaviorRelay(value: 0)
        let other = BehaviorRelay(value: 0)
        let wide = BehaviorRelay<Int?>(value: nil)
        let replay = ReplayRelay<Int>.create(bufferSize: 1)
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        log.listen(to: subject)
        let source = Observable.of(1, 2)
        source.bind(to: state, other)
        source.bind(to: wide)
        source.bind(to: replay)
        source.bind(to: subject)
        var seen: [Int] = []
        source.bind { seen.append($0) }
        #expect([state.value, other.value, wide.value] == [2, 2, 2])
        #expect(said(by: replay) == ["2"])
        #expect(log.lines == ["1", "2", "|", "!"])
        #expect(seen == [1, 2])
        #expect(source.bind(to: { said(by: $0) }) == ["1", "2", "|"])
        #expect(
            source.bind(
                to: { source in { limit in said(by: source.take(limit)) } },
                curriedArgument: 1) == ["1", "|"])
    }

    @Test func `debug writes what happens and changes nothing`() {
        var lines: [String] = []
        let source = Observable.of(1, 2).debug("x", output: { lines.append($0) })
        #expect(said(by: source) == ["1", "2", "|"])
        #expect(
            lines == ["x -> subscribed", "x -> next(1)", "x -> next(2)", "x -> completed"])
        lines = []
        said(by: source.take(1)).forEach { _ in }
        #expect(lines == ["x -> subscribed", "x -> next(1)", "x -> disposed"])
    }

    @Test func `do runs beside the stream, before and after each event`() {
        var lines: [String] = []
        Observable.just(1).do(
            onNext: { lines.append("on \($0)") }, afterNext: { lines.append("after \($0)") },
            onCompleted: { lines.append("on end") }, afterCompleted: { lines.append("after end") },
            onSubscribe: { lines.append("subscribing") },
            onSubscribed: { lines.append("subscribed") },
            onDispose: { lines.append("given up") }
        ).subscribe(onNext: { lines.append("\($0)") }, onCompleted: { lines.append("|") })
        #expect(
            lines == [
                "subscribing", "on 1", "1", "after 1", "on end", "|", "after end", "subscribed",
                "given up",
            ])
        #expect(said(by: Observable.just(1).do(onCompleted: { throw Oops() })) == ["1", "#"])
        #expect(said(by: Observable.from(1...).do(afterNext: { _ in throw Oops() })) == ["1", "#"])
    }

    @Test func `withUnretained ends when its object is gone`() {
        final class Owner {}
        var owner: Owner? = Owner()
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        if let owner { log.listen(to: subject.withUnretained(owner).map { $0.1 }) }
        subject.onNext(1)
        owner = nil
        subject.onNext(2)
        #expect(log.lines == ["1", "|", "!"])
    }
}

extension PrimitiveSequenceType where Trait: ValueTrait {
    fileprivate func said() -> PrimitiveSequence<Trait, String> { map { _ in "said" } }
}
