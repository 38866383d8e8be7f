// SPDX-License-Identifier: Apache-2.0

import Streams

// The drawings of what brings streams together.

extension Drawings {
    static var combining: [Drawing] {
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

    static var flattening: [Drawing] {
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

    static var errors: [Drawing] {
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

    static var traits: [Drawing] {
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
}
