// SPDX-License-Identifier: Apache-2.0

import Streams

// The drawings of what makes, transforms and chooses values.

extension Drawings {
    static var making: [Drawing] {
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

    static var transforming: [Drawing] {
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

    static var choosing: [Drawing] {
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

    static var collecting: [Drawing] {
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

    static var elements: [Drawing] {
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
}
