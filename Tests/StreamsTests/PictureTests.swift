// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import Testing

/// The pictures in the documentation of operators, drawn by the operators themselves.
@Suite struct PictureTests {
    /// One source, one operator, one picture.
    static func check(
        _ source: String, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ make: @escaping (Observable<String>) -> some ObservableConvertibleType
    ) {
        let lab = Lab()
        let hot = lab.hot(source)
        #expect(lab.draw { make(hot) } == expected, sourceLocation: sourceLocation)
    }

    /// Two sources, one operator, one picture.
    static func check(
        _ first: String, _ second: String, _ expected: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ make:
            @escaping (Observable<String>, Observable<String>) ->
            some ObservableConvertibleType
    ) {
        let lab = Lab()
        let (a, b) = (lab.hot(first), lab.hot(second))
        #expect(lab.draw { make(a, b) } == expected, sourceLocation: sourceLocation)
    }

    typealias P = PictureTests

    @Test func `values transformed`() {
        P.check("-1-2-3-|", "-2-4-6-|") { $0.map { $0.number * 2 } }
        P.check("-1-x-3-|", "-1---3-|") { $0.compactMap { Int($0) } }
        P.check("-1-2-3-|", "-1-3-6-|") { $0.map(\.number).scan(0, accumulator: +) }
        P.check("-1-2-3-|", "-1-3-6-|") { $0.map(\.number).scan(into: 0) { $0 += $1 } }
        P.check("--1-2-|", "0-1-2-|") { $0.startWith("0") }
        P.check("-a-b-c-|", "---'ab'-'bc'-|") { $0.pairwise().map { $0 + $1 } }
        P.check("-a-b-|", "-'0a'-'1b'-|") { $0.enumerated().map { "\($0.index)\($0.element)" } }
    }

    @Test func `values chosen`() {
        P.check("-1-2-3-4-|", "---2---4-|") { $0.filter { $0.number % 2 == 0 } }
        P.check("-1-1-2-2-1-|", "-1---2---1-|") { $0.distinctUntilChanged() }
        P.check("-1-2-3-4-|", "-1-(2|)") { $0.take(2) }
        P.check("-1-2-3-4-|", "-----3-4-|") { $0.skip(2) }
        P.check("-1-2-3-1-|", "-1-2-|") { $0.take(while: { $0.number < 3 }) }
        P.check("-1-2-3-1-|", "-1-2-(3|)") {
            $0.take(until: { $0 == "3" }, behavior: .inclusive)
        }
        P.check("-1-2-3-|", "-------(23|)") { $0.takeLast(2) }
        P.check("-1-2-3-|", "---1-2-|") { $0.skipLast(1) }
        P.check("-1-2-3-1-|", "-----3-1-|") { $0.skip(while: { $0.number < 3 }) }
        P.check("-a-b-c-|", "---(b|)") { $0.element(at: 1) }
        P.check("-a-|", "-a-|") { $0.single() }
        P.check("-1-2-4-|", "---2-#") { $0.single { $0.number % 2 == 0 } }
        P.check("-1-2-3-|", "-------|") { $0.ignoreElements() }
        P.check("-1-2-3-4-|", "----x", "-1-2|") { $0.take(until: $1) }
        P.check("-1-2-3-4-|", "----x", "-----3-4-|") { $0.skip(until: $1) }
    }

    @Test func `values brought together`() {
        P.check("-1-2-3-|", "-------(6|)") { $0.map(\.number).reduce(0, accumulator: +) }
        P.check("-1-2-3-|", "---('true'|)") { $0.contains("2") }
        P.check("-1-2-3-|", "-------('false'|)") { $0.contains("4") }
        P.check("-1-2-3-|", "---('false'|)") { $0.all { $0 == "1" } }
        P.check("-a-b-|", "-----('[\"a\", \"b\"]'|)") { $0.toArray() }
        P.check("---|", "---(d|)") { $0.ifEmpty(default: "d") }
        P.check("-a-|", "-a-|") { $0.ifEmpty(default: "d") }
        P.check("-a-#", "-'next(a)'-('error(Oops())'|)") { $0.materialize() }
        P.check("-a-#", "-a-#") { $0.materialize().dematerialize() }
    }

    @Test func `several streams`() {
        P.check("-1---2-----|", "---3---4-|", "---4-5-6---|") {
            Observable.combineLatest($0, $1) { $0.number + $1.number }
        }
        P.check("-1-2-----3-|", "---4---5---6-|", "---5---7---9-|") {
            Observable.zip($0, $1) { $0.number + $1.number }
        }
        P.check("-1---2---3-|", "---4---5---|", "-----6---8-|") {
            $0.withLatestFrom($1) { $0.number + $1.number }
        }
        P.check("-1---2---3-|", "---a---b---|", "-----a---b-|") { $0.withLatestFrom($1) }
        P.check("---a-b-|", "--c-d-e-|", "--c-d-e-|") { $0.amb($1) }
        P.check("-1---3-|", "---2-----4|", "-1-2-3---4|") { Observable.merge($0, $1) }
        let lab = Lab()
        let (a, b) = (lab.cold("-1-|"), lab.cold("-2-|"))
        #expect(lab.draw { Observable.concat(a, b) } == "-1--2-|")
    }

    @Test func `streams of streams`() {
        func check(
            _ source: String, _ inner: [String: String], _ expected: String,
            sourceLocation: SourceLocation = #_sourceLocation,
            _ make:
                @escaping (Observable<String>, @escaping (String) -> Observable<String>) ->
                Observable<String>
        ) {
            let lab = Lab()
            let outer = lab.hot(source)
            let inner = inner.mapValues { lab.cold($0) }
            #expect(
                lab.draw { make(outer) { inner[$0] ?? .empty() } } == expected,
                sourceLocation: sourceLocation)
        }
        check("-1-----2---|", ["1": "a--b|", "2": "c--d|"], "-a--b--c--d|") { $0.flatMap($1) }
        check("-1-----2-----|", ["1": "a--b--c--d|", "2": "e--f|"], "-a--b--e--f--|") {
            $0.flatMapLatest($1)
        }
        check("-1--2--3---|", ["1": "a---b|", "3": "c|"], "-a---b-c---|") { $0.flatMapFirst($1) }
        check("-1-2-------|", ["1": "a--b|", "2": "c-d|"], "-a--bc-d---|") { $0.concatMap($1) }
    }

    @Test func `errors and again`() {
        let lab = Lab()
        let other = lab.cold("c-d|")
        let source = lab.cold("-a-b-#")
        #expect(lab.draw { source.catch { _ in other } } == "-a-b-c-d|")
        let failing = Lab()
        let twice = failing.cold("-a-#")
        #expect(failing.draw { twice.retry(2) } == "-a--a-#")
        let spaced = Lab()
        let again = spaced.cold("-a-#")
        #expect(
            spaced.draw(until: 13) { again.retry(when: { $0.delay(ticks(2)) }) }
                == "-a----a----a")
    }

    @Test func `time`() {
        P.check("-a-b---c|", "-----b--(c|)") { $0.debounce(ticks(2)) }
        P.check("-a-b-c|", "---a-b-c|") { $0.delay(ticks(2)) }
        P.check("-a-b-----c|", "-a-b--#") { $0.timeout(ticks(3)) }
        P.check("-1-2-3-4-|", "-1-2|") { $0.take(for: ticks(4)) }
        P.check("-1-2-3-4-|", "-----3-4-|") { $0.skip(for: ticks(4)) }
        P.check("-a-b----c-|", "-a---b---c|") { $0.throttle(ticks(4)) }
        P.check("-a-b----c-|", "-a------c-|") { $0.throttle(ticks(4), latest: false) }
        P.check("-a-b---c-|", "----x-x---x-", "----b-----(c|)") { $0.sample($1) }
        P.check("-a-b-c------d|", "---'ab'----c----(d|)") {
            $0.buffer(timeSpan: ticks(5), count: 2).map { $0.joined() }
        }
        let lab = Lab()
        let cold = lab.cold("-a-b-c|")
        #expect(lab.draw { cold.delaySubscription(ticks(2)) } == "---a-b-c|")
        #expect(Lab().draw { Observable<Int>.timer(ticks(2)) } == "--(0|)")
        #expect(
            Lab().draw(until: 10) { Observable<Int>.timer(ticks(2), period: ticks(3)) }
                == "--0--1--2")
        #expect(Lab().draw(until: 11) { Observable<Int>.interval(ticks(3)) } == "---0--1--2")
    }

    @Test func `made of nothing`() {
        #expect(Lab().draw { Observable.just("a") } == "(a|)")
        #expect(Lab().draw { Observable.range(start: 1, count: 3) } == "(123|)")
        #expect(Lab().draw { Observable.repeatElement("a").take(3) } == "(aaa|)")
        #expect(
            Lab().draw {
                Observable.generate(initialState: 1, condition: { $0 < 4 }, iterate: { $0 + 1 })
            } == "(123|)")
    }

    @Test func `subjects`() {
        func sees<Subject: SubjectType>(
            _ subject: Subject, _ lane: String, at tick: Int
        ) -> String where Subject.Element == String, Subject.Observer.Element == String {
            let lab = Lab()
            lab.hot(lane).subscribe(subject.asObserver())
            return lab.draw(from: tick) { subject }
        }
        #expect(sees(PublishSubject(), "-a-b-c-|", at: 3) == "---b-c-|")
        #expect(sees(BehaviorSubject(value: "0"), "a--b--c-|", at: 5) == "-----bc-|")
        #expect(sees(ReplaySubject.create(bufferSize: 1), "a--b--c-|", at: 4) == "----b-c-|")
        #expect(sees(AsyncSubject(), "-a-b-c-|", at: 0) == "-------(c|)")
    }

    @Test func `shared streams`() {
        func newcomer(_ share: @escaping (Observable<String>) -> Observable<String>) -> String {
            let lab = Lab()
            let shared = share(lab.hot("-a-b-c-"))
            shared.subscribe()
            return lab.draw(from: 4) { shared }
        }
        #expect(newcomer { $0.share() } == "-----c")
        #expect(newcomer { $0.share(replay: 1) } == "----bc")
        let lab = Lab()
        let published = lab.hot("-a-b-c-|").publish()
        published.connect()
        #expect(lab.draw(from: 2) { published } == "---b-c-|")
        let done = Completable.empty().delay(ticks(2))
        let after = Lab()
        let second = after.cold("-a-|")
        #expect(after.draw { done.andThen(second.asObservable()) } == "---a-|")
    }
}
