// SPDX-License-Identifier: Apache-2.0

import Streams

// The drawings of what waits, shares and schedules.

extension Drawings {
    static var time: [Drawing] {
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

    static var sharing: [Drawing] {
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

    static var scheduling: [Drawing] {
        [
            Drawing("observe(on: scheduler)") { $0.source.observe(on: $0.scheduler) },
            Drawing("subscribe(on: scheduler)") { $0.source.subscribe(on: $0.scheduler) },
            Drawing("values") { $0.source.values.asObservable() },
            Drawing("sequence.asObservable()") { $0["sequence"].values.asObservable() },
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

    static var subjects: [Drawing] {
        [
            Drawing("PublishSubject") { fed(PublishSubject(), by: $0["subject"]) },
            Drawing("BehaviorSubject") { fed(BehaviorSubject(value: "0"), by: $0["subject"]) },
            Drawing("ReplaySubject") {
                fed(ReplaySubject.create(bufferSize: 1), by: $0["subject"])
            },
            Drawing("AsyncSubject") { fed(AsyncSubject(), by: $0["subject"]) },
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
