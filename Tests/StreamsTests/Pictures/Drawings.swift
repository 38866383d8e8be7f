// SPDX-License-Identifier: Apache-2.0

import Streams

/// How each lane of the documentation is made, by its label.
enum Drawings {
    static var all: [Drawing] {
        making + transforming + choosing + collecting + elements + combining + flattening + errors
            + time + sharing + scheduling + subjects + traits
    }

    /// What is known.
    static let labels = Set(all.map(\.label))

    static func named(_ label: String) -> Drawing? { all.first { $0.label == label } }
}

/// An object that a stream is told to hold on to, or not to.
final class Named: CustomStringConvertible, Sendable {
    static let object = Named("object")
    let name: String
    var description: String { name }

    init(_ name: String) { self.name = name }
}

/// Reads hexadecimal digits, as a decoder of JSON reads bytes.
struct HexDecoder: DataDecoder {
    struct Hex: Decodable, CustomStringConvertible {
        var value: Int
        var description: String { "\(value)" }
    }

    func decode<Item: Decodable>(_ type: Item.Type, from data: String) throws -> Item {
        guard let value = Int(data, radix: 16), let item = Hex(value: value) as? Item else {
            throw Oops()
        }
        return item
    }
}

/// A tuple as a picture's note spells it.
private func pair(_ a: some Any, _ b: some Any) -> String { "(\(a), \(b))" }

extension Drawings {
    private static var making: [Drawing] {
        [
            Drawing("create") { _ in
                Observable.create { observer in
                    observer.onNext("a")
                    observer.onCompleted()
                    return Disposables.create()
                }
            },
            Drawing("just(a)") { _ in Observable.just("a") },
            Drawing("of(1, 2, 3)") { _ in Observable.of(1, 2, 3) },
            Drawing("from(1...3)") { _ in Observable.from(1...3) },
            Drawing("from(optional: a)") { _ in Observable.from(optional: "a") },
            Drawing("from(optional: nil)") { _ in Observable<String>.from(optional: nil) },
            Drawing("empty()") { _ in Observable<String>.empty() },
            Drawing("never()") { _ in Observable<String>.never() },
            Drawing("error(e)") { _ in Observable<String>.error(Oops()) },
            Drawing("deferred { source }") { bench in Observable.deferred { bench.source } },
            Drawing("just(a, scheduler:)") { Observable.just("a", scheduler: $0.scheduler) },
            Drawing("of(1, 2, 3, scheduler:)") { Observable.of(1, 2, 3, scheduler: $0.scheduler) },
            Drawing("from(1...3, scheduler:)") { Observable.from(1...3, scheduler: $0.scheduler) },
            Drawing("from(optional: a, scheduler:)") {
                Observable.from(optional: "a", scheduler: $0.scheduler)
            },
            Drawing("repeatElement(a).take(3)") { _ in Observable.repeatElement("a").take(3) },
            Drawing("generate(initialState: 1, condition: { $0 < 4 }, iterate: { $0 + 1 })") { _ in
                Observable.generate(initialState: 1, condition: { $0 < 4 }, iterate: { $0 + 1 })
            },
            Drawing("range(start: 1, count: 3)") { _ in Observable.range(start: 1, count: 3) },
            Drawing("using(file) { source }") { bench in
                var isOpen = false
                return Observable.using({
                    isOpen = true
                    return CompositeDisposable(Disposables.create { isOpen = false })
                }) { _ in bench.source.map { isOpen ? $0 : "closed" } }
            },
            Drawing("timer(2)") { _ in Observable<Int>.timer(ticks(2)) },
            Drawing("timer(2, period: 3)") { _ in Observable<Int>.timer(ticks(2), period: ticks(3))
            },
            Drawing("interval(3)") { _ in Observable<Int>.interval(ticks(3)) },
        ]
    }

    private static var transforming: [Drawing] {
        [
            Drawing("map { 2x }") { $0.numbers().map { try $0.unless7 * 2 } },
            Drawing("compactMap Int") { $0.source.compactMap { try Int($0)?.unless7 } },
            Drawing("scan(0, +)") { $0.numbers().scan(0) { try $0 + $1.unless7 } },
            Drawing("scan(into: 0, +=)") { $0.numbers().scan(into: 0) { $0 += try $1.unless7 } },
            Drawing("startWith(0)") { $0.source.startWith("0") },
            Drawing("pairwise()") { $0.source.pairwise().map(pair) },
            Drawing("enumerated()") { $0.source.enumerated().map { pair($0.index, $0.element) } },
            Drawing("materialize()") {
                $0.source.materialize().map { event in event.error == nil ? "\(event)" : "error(e)"
                }
            },
            Drawing("dematerialize()") {
                $0.source.map { $0 == "completed" ? Event<String>.completed : .next("a") }
                    .dematerialize()
            },
            Drawing("decode(type: Hex.self, decoder: decoder)") {
                $0.source.decode(type: HexDecoder.Hex.self, decoder: HexDecoder())
            },
            Drawing("do") { $0.source.do(onNext: { _ = try $0.number.unless7 }) },
            Drawing("debug") { $0.source.debug("source", output: { _ in }) },
            Drawing("withUnretained(object)") {
                $0.source.withUnretained(Named.object).map(pair)
            },
            Drawing("withUnretained(object) { $0.name + $1 }") {
                $0.source.withUnretained(Named.object) { "\($0.name) \($1)" }
            },
        ]
    }

    private static var choosing: [Drawing] {
        [
            Drawing("filter even") { $0.numbers().filter { try $0.unless7 % 2 == 0 } },
            Drawing("distinctUntilChanged") { $0.source.distinctUntilChanged() },
            Drawing("distinctUntilChanged(sameParity)") {
                $0.numbers().distinctUntilChanged { try ($0 - $1.unless7) % 2 == 0 }
            },
            Drawing("distinctUntilChanged { $0 % 2 }") {
                $0.numbers().distinctUntilChanged { try $0.unless7 % 2 }
            },
            Drawing("distinctUntilChanged({ $0 % 2 }, comparer)") {
                $0.numbers().distinctUntilChanged({ try $0.unless7 % 2 }, comparer: ==)
            },
            Drawing("distinctUntilChanged(at: \\.self)") {
                $0.source.distinctUntilChanged(at: \.self)
            },
            Drawing("take(2)") { $0.source.take(2) },
            Drawing("skip(2)") { $0.source.skip(2) },
            Drawing("take(while: { $0 < 3 })") { $0.numbers().take(while: { try $0.unless7 < 3 }) },
            Drawing("take(until: { $0 == 3 }, behavior: .inclusive)") {
                $0.numbers().take(until: { try $0.unless7 == 3 }, behavior: .inclusive)
            },
            Drawing("take(until: other)") { $0.source.take(until: $0["other"]) },
            Drawing("takeLast(2)") { $0.source.takeLast(2) },
            Drawing("skipLast(1)") { $0.source.skipLast(1) },
            Drawing("skip(while: { $0 < 3 })") { $0.numbers().skip(while: { try $0.unless7 < 3 }) },
            Drawing("skip(until: other)") { $0.source.skip(until: $0["other"]) },
        ]
    }

    private static var collecting: [Drawing] {
        [
            Drawing("reduce(0, +)") { $0.numbers().reduce(0) { try $0 + $1.unless7 } },
            Drawing("reduce(0, +, mapResult: { 2 * $0 })") {
                $0.numbers().reduce(0, accumulator: +, mapResult: { try 2 * $0.unless7 })
            },
            Drawing("reduce(into: 0, +=)") {
                $0.numbers().reduce(into: 0) { $0 += try $1.unless7 }
            },
            Drawing("toArray()") { $0.numbers().toArray() },
            Drawing("contains { $0 == 2 }") { $0.numbers().contains { try $0.unless7 == 2 } },
            Drawing("contains(2)") { $0.numbers().contains(2) },
            Drawing("all { $0 < 3 }") { $0.numbers().all { try $0.unless7 < 3 } },
            Drawing("ignoreElements") { $0.source.ignoreElements().asObservable() },
            Drawing("ifEmpty(default: d)") { $0.source.ifEmpty(default: "d") },
            Drawing("ifEmpty(switchTo: other)") { $0.source.ifEmpty(switchTo: $0["other"]) },
        ]
    }

    private static var elements: [Drawing] {
        [
            Drawing("first()") { $0.source.first().map { $0 ?? "nil" } },
            Drawing("element(at: 1)") { $0.source.element(at: 1) },
            Drawing("single()") { $0.source.single() },
            Drawing("single { even }") { $0.numbers().single { try $0.unless7 % 2 == 0 } },
            Drawing("asSingle()") { $0.source.asSingle() },
            Drawing("asMaybe()") { $0.source.asMaybe() },
            Drawing("ignoreElements().asCompletable()") { bench in
                bench.source.ignoreElements().asCompletable()
            },
        ]
    }

    private static var combining: [Drawing] {
        [
            Drawing("withLatestFrom(second) { $0 + $1 }") {
                $0.numbers().withLatestFrom($0.numbers("second")) { try $0.unless7 + $1 }
            },
            Drawing("withLatestFrom(second)") { $0.source.withLatestFrom($0["second"]) },
            Drawing("combineLatest(a, b) { $0 + $1 }") {
                Observable.combineLatest($0.numbers("a"), $0.numbers("b")) { try $0.unless7 + $1 }
            },
            Drawing("combineLatest(a, b)") {
                Observable.combineLatest($0["a"], $0["b"]).map { pair($0.0, $0.1) }
            },
            Drawing("combineLatest([a, b]) { sum }") {
                Observable.combineLatest([$0.numbers("a"), $0.numbers("b")]) {
                    try $0.reduce(0) { try $0 + $1.unless7 }
                }
            },
            Drawing("combineLatest([a, b])") {
                Observable.combineLatest([$0.numbers("a"), $0.numbers("b")])
            },
            Drawing("zip(a, b) { $0 + $1 }") {
                Observable.zip($0.numbers("a"), $0.numbers("b")) { try $0.unless7 + $1 }
            },
            Drawing("zip(a, b)") { Observable.zip($0["a"], $0["b"]).map { pair($0.0, $0.1) } },
            Drawing("zip([a, b]) { sum }") {
                Observable.zip([$0.numbers("a"), $0.numbers("b")]) {
                    try $0.reduce(0) { try $0 + $1.unless7 }
                }
            },
            Drawing("zip([a, b])") { Observable.zip([$0.numbers("a"), $0.numbers("b")]) },
            Drawing("amb") { $0.source.amb($0["right"]) },
            Drawing("amb([a, b])") { Observable.amb([$0["a"], $0["b"]]) },
            Drawing("merge") { Observable.merge($0["a"], $0["b"]) },
            Drawing("concat") { Observable.concat($0["a"], $0["b"]) },
            Drawing("concat(second)") { $0.source.concat($0["second"]) },
        ]
    }

    private static var flattening: [Drawing] {
        [
            Drawing("flatMap") { bench in bench.source.flatMap { try bench.made(by: $0) } },
            Drawing("flatMapLatest") { bench in
                bench.source.flatMapLatest { try bench.made(by: $0) }
            },
            Drawing("flatMapFirst") { bench in bench.source.flatMapFirst { try bench.made(by: $0) }
            },
            Drawing("concatMap") { bench in bench.source.concatMap { try bench.made(by: $0) } },
            Drawing("merge()") { bench in bench.source.map { try bench.made(by: $0) }.merge() },
            Drawing("merge(maxConcurrent: 1)") { bench in
                bench.source.map { try bench.made(by: $0) }.merge(maxConcurrent: 1)
            },
            Drawing("concat()") { bench in bench.source.map { try bench.made(by: $0) }.concat() },
            Drawing("switchLatest()") { bench in
                bench.source.map { try bench.made(by: $0) }.switchLatest()
            },
        ]
    }

    private static var errors: [Drawing] {
        [
            Drawing("catch") { bench in bench.source.catch { _ in bench["handler"] } },
            Drawing("catchAndReturn(z)") { $0.source.catchAndReturn("z") },
            Drawing("catch(sequence: [a, b])") { Observable.catch(sequence: [$0["a"], $0["b"]]) },
            Drawing("retry()") { $0.source.retry() },
            Drawing("retry(2)") { $0.source.retry(2) },
            Drawing("retry(when: { $0.delay(2) })") {
                $0.source.retry(when: { $0.delay(ticks(2)) })
            },
            Drawing("retry(when: { (e: Observable<Oops>) in e.delay(2) })") {
                $0.source.retry(when: { (errors: Observable<Oops>) in errors.delay(ticks(2)) })
            },
        ]
    }

    private static var time: [Drawing] {
        [
            Drawing("debounce(2)") { $0.source.debounce(ticks(2)) },
            Drawing("throttle(4)") { $0.source.throttle(ticks(4)) },
            Drawing("throttle(4, latest: false)") { $0.source.throttle(ticks(4), latest: false) },
            Drawing("sample(sampler)") { $0.source.sample($0["sampler"]) },
            Drawing("delay(2)") { $0.source.delay(ticks(2)) },
            Drawing("delaySubscription(2)") { $0.source.delaySubscription(ticks(2)) },
            Drawing("timeout(3)") { $0.source.timeout(ticks(3)) },
            Drawing("timeout(3, other: other)") { $0.source.timeout(ticks(3), other: $0["other"]) },
            Drawing("take(for: .milliseconds(4))") { $0.source.take(for: .milliseconds(4)) },
            Drawing("take(.milliseconds(4))") { $0.source.take(.milliseconds(4)) },
            Drawing("skip(for: .milliseconds(4))") { $0.source.skip(for: .milliseconds(4)) },
            Drawing("skip(.milliseconds(4))") { $0.source.skip(.milliseconds(4)) },
            Drawing("buffer(timeSpan: 5, count: 2)") {
                $0.source.buffer(timeSpan: ticks(5), count: 2).map {
                    "[\($0.joined(separator: ", "))]"
                }
            },
            Drawing("window(timeSpan: 5, count: 2)") {
                $0.source.window(timeSpan: ticks(5), count: 2).enumerated().map {
                    "xyzuvw"[$0.index]
                }
            },
            Drawing("window(timeSpan: 5, count: 2), the values") {
                $0.source.window(timeSpan: ticks(5), count: 2).merge()
            },
            Drawing("groupBy { $0 % 2 }") {
                $0.numbers().groupBy { try $0.unless7 % 2 }.map {
                    $0.key == 1 ? "the odd ones" : "the even ones"
                }
            },
            Drawing("groupBy, the odd ones") {
                $0.numbers().groupBy { try $0.unless7 % 2 }.flatMap {
                    $0.key == 1 ? $0.asObservable() : .empty()
                }
            },
        ]
    }

    private static var sharing: [Drawing] {
        [
            Drawing("share()") { shared($0.source.share()) },
            Drawing("share(replay: 1)") { shared($0.source.share(replay: 1)) },
            Drawing("publish()") { connected($0.source.publish()) },
            Drawing("replay(1)") { connected($0.source.replay(1)) },
            Drawing("replayAll()") { connected($0.source.replayAll()) },
            Drawing("multicast { PublishSubject() }") {
                connected($0.source.multicast { PublishSubject() })
            },
            Drawing("multicast(PublishSubject())") {
                connected($0.source.multicast(PublishSubject()))
            },
            Drawing("multicast(subject) { zip($0, $0.skip(1)) }") {
                $0.source.multicast({ PublishSubject() }) { Observable.zip($0, $0.skip(1)) }
                    .map { pair($0.0, $0.1) }
            },
            Drawing("refCount()") { $0.source.publish().refCount() },
            Drawing("asDriver") {
                shared($0.source.asDriver(onErrorJustReturn: "z").asObservable())
            },
            Drawing("asSignal") {
                shared($0.source.asSignal(onErrorJustReturn: "z").asObservable())
            },
            Drawing("asInfallible") { $0.source.asInfallible(onErrorJustReturn: "z") },
            Drawing("asSharedSequence") {
                $0.source.asSharedSequence(
                    sharingStrategy: SignalSharingStrategy.self, onErrorJustReturn: "z")
            },
        ]
    }

    private static var scheduling: [Drawing] {
        [
            Drawing("observe(on: scheduler)") { $0.source.observe(on: $0.scheduler) },
            Drawing("subscribe(on: scheduler)") { $0.source.subscribe(on: $0.scheduler) },
            Drawing("timestamp()") {
                $0.source.timestamp().map { "\($0.element) at \($0.instant.tick)" }
            },
            Drawing("timeInterval()") {
                $0.source.timeInterval().map {
                    "\($0.element) after \(Int($0.interval / ticks(1)))"
                }
            },
        ]
    }

    private static var subjects: [Drawing] {
        [
            Drawing("PublishSubject") { fed(PublishSubject(), by: $0["subject"]) },
            Drawing("BehaviorSubject") { fed(BehaviorSubject(value: "0"), by: $0["subject"]) },
            Drawing("ReplaySubject") {
                fed(ReplaySubject.create(bufferSize: 1), by: $0["subject"])
            },
            Drawing("AsyncSubject") { fed(AsyncSubject(), by: $0["subject"]) },
        ]
    }

    private static var traits: [Drawing] {
        [
            Drawing("Single, success") { _ in Single.just("a").delay(ticks(2)) },
            Drawing("Single, failure") { _ in Single<String>.never().timeout(ticks(2)) },
            Drawing("Maybe, success") { _ in Maybe.just("a").delay(ticks(2)) },
            Drawing("Maybe, completed") { _ in Maybe<String>.empty().delay(ticks(2)) },
            Drawing("Maybe, failure") { _ in Maybe<String>.never().timeout(ticks(2)) },
            Drawing("Completable, completed") { _ in Completable.empty().delay(ticks(2)) },
            Drawing("Completable, failure") { _ in Completable.never().timeout(ticks(2)) },
            Drawing("andThen(second)") {
                $0.source.ignoreElements().asCompletable().andThen($0["second"])
            },
            Drawing("catchAndComplete") {
                $0.source.ignoreElements().asCompletable().catchAndComplete()
            },
            Drawing("flatMapMaybe") { bench in
                bench.source.asSingle().flatMapMaybe { try bench.made(by: $0).asMaybe() }
            },
            Drawing("flatMapSingle") { bench in
                bench.source.asMaybe().flatMapSingle { try bench.made(by: $0).asSingle() }
            },
            Drawing("flatMapCompletable") { bench in
                bench.source.asSingle().flatMapCompletable {
                    try bench.made(by: $0).ignoreElements().asCompletable()
                }
            },
        ]
    }

    /// A stream that has a subscriber already.
    private static func shared(_ source: Observable<String>) -> Observable<String> {
        source.subscribe(onError: { _ in })
        return source
    }

    private static func connected(
        _ source: ConnectableObservable<String>
    ) -> Observable<String> {
        source.connect()
        return source
    }

    private static func fed<Subject: SubjectType>(
        _ subject: Subject, by source: Observable<String>
    ) -> Observable<String>
    where Subject.Element == String, Subject.Observer.Element == String {
        source.subscribe(subject.asObserver())
        return subject.asObservable()
    }
}

extension String {
    fileprivate subscript(position: Int) -> String {
        String(self[index(startIndex, offsetBy: position)])
    }
}
