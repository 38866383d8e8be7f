// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct ObservableTimeTests {
    @Test func `a debounced value is lost to an error and let out by the end`() {
        Lab.check("-a#", "--#") { $0.debounce(ticks(5)) }
        Lab.check("-a-|", "---(a|)") { $0.debounce(ticks(5)) }
    }

    @Test func `a value on the very deadline of a debounce replaces the one that waits`() {
        Lab.check("-a--b", "-------b") { $0.debounce(ticks(3)) }
    }

    @Test func `delay keeps the order of values of one instant`() {
        Lab.check("-(abc)--|", "---(abc)--|") { $0.delay(ticks(2)) }
    }

    @Test func `a delay of nothing puts off to the next microstep`() {
        let scheduler = TestScheduler()
        var steps: [UInt32] = []
        let source = scheduler.createHotObservable([.next(5, 1), .completed(5)])
        let observer = scheduler.start(created: 0, subscribed: 0) {
            source.delay(.zero).do(onNext: { _ in steps.append(scheduler.microstep) })
        }
        expectEvents(observer.events, [.next(5, 1), .completed(5)])
        #expect(steps == [1])
    }

    @Test func `a periodic timer is computed from its start, and a late tick keeps its place`() {
        let scheduler = TestScheduler()
        let third = Duration.nanoseconds(333_333_333)
        var instants: [Int64] = []
        Observable<Int>.interval(third).take(3).subscribe(onNext: { _ in
            instants.append(scheduler.now.nanoseconds)
        })
        scheduler.start()
        #expect(instants == [333_333_333, 666_666_666, 999_999_999])
        let late = TestScheduler()
        let observer = late.createObserver(Int.self)
        Observable<Int>.interval(ticks(2)).take(4).subscribe(observer)
        late.scheduleAt(3) { late.sleep(3) }
        late.start()
        expectEvents(
            observer.events,
            [.next(2, 0), .next(6, 1), .next(6, 2), .next(8, 3), .completed(8)])
    }

    @Test func `an interval may be given up by what it emits`() {
        let scheduler = TestScheduler()
        var seen = 0
        let serial = SerialDisposable()
        serial.disposable = Observable<Int>.interval(ticks(1)).subscribe(onNext: { value in
            seen = value
            if value == 3 { serial.dispose() }
        })
        scheduler.start()
        #expect(seen == 3)
        #expect(scheduler.clock == 4)
    }

    @Test func `timestamps and intervals are exact`() {
        let lab = Lab()
        let source = lab.hot("--a--b|")
        #expect(
            lab.draw { source.timestamp().map { $0.instant.nanoseconds / 1_000_000 } }
                == "--2--5|")
        let spaced = Lab()
        let again = spaced.hot("--a--b|")
        #expect(
            spaced.draw { again.timeInterval().map { $0.interval.wholeNanoseconds / 1_000_000 } }
                == "--2--3|")
    }

    @Test func `observe on puts every event off to work of its own, in order`() {
        let scheduler = TestScheduler(profile: .rxTest)
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(210, 2), .error(220, Oops()),
        ])
        let observer = scheduler.start { source.observe(on: scheduler) }
        expectEvents(observer.events, [.next(211, 1), .next(212, 2), .error(221, Oops())])
        let strict = TestScheduler()
        let same = strict.createHotObservable([.next(210, 1), .next(210, 2), .completed(210)])
        let seen = strict.start { same.observe(on: strict) }
        expectEvents(seen.events, [.next(210, 1), .next(210, 2), .completed(210)])
    }

    @Test func `what is given up before its subscription was due is never subscribed to`() {
        let lab = Lab()
        let source = lab.cold("a")
        let scheduler = lab.scheduler
        scheduler.scheduleAt(1) { source.subscribe(on: scheduler).subscribe().dispose() }
        scheduler.start()
        #expect(source.subscriptions.isEmpty)
    }

    @Test func `a throttled value on the very end of the pause goes at once`() {
        Lab.check("-ab-c----|", "-a--c----|") {
            $0.throttle(ticks(3))
        }
    }

    @Test func `without a sampler and with nothing to come a sampled stream completes`() {
        Lab.check("-a----|", "--|", "--a---|") {
            $0.sample($1)
        }
    }
}

@Suite struct ObservableGroupTests {
    @Test func `groups come with their first value and end with the source`() {
        let lab = Lab()
        let source = lab.hot("1-2-3-4-|")
        let drawn = lab.draw {
            source.groupBy { $0.number % 2 }.flatMap { group in
                group.map { "\(group.key)\($0)" }.concat(Observable.just("."))
            }
        }
        #expect(drawn == "'11'-'02'-'13'-'04'-(..|)")
    }

    @Test func `a group that is listened to keeps the source running`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        var inner: (any Disposable)?
        let outer = subject.groupBy { $0 % 2 }.subscribe(onNext: { group in
            if group.key == 1 { inner = log.listen(to: group) }
        })
        subject.onNext(1)
        outer.dispose()
        subject.onNext(2)
        subject.onNext(3)
        #expect(log.lines == ["1", "3"])
        #expect(subject.hasObservers)
        inner?.dispose()
        #expect(!subject.hasObservers)
    }

    @Test func `a thrown key and an error end the groups too`() {
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        log.listen(to: subject.groupBy { if $0 == 3 { throw Oops() } else { $0 } }.merge())
        subject.onNext(1)
        subject.onNext(3)
        #expect(log.lines == ["1", "#", "!"])
        #expect(!subject.hasObservers)
    }

    @Test func `a window that is listened to keeps the source running until it closes`() {
        let scheduler = TestScheduler()
        let subject = PublishSubject<Int>()
        let log = Log<Int>()
        let outer = subject.window(timeSpan: ticks(10), count: 2).subscribe(onNext: {
            log.listen(to: $0)
        })
        subject.onNext(1)
        outer.dispose()
        subject.onNext(2)
        #expect(log.lines == ["1", "2", "|", "!"])
        #expect(!subject.hasObservers)
        scheduler.start()
        #expect(scheduler.clock == 0)
    }
}
