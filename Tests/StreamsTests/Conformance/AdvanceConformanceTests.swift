// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// Rows 63 to 72: what suites for hand-driven schedulers agree on.
@Suite struct AdvanceConformanceTests {
    /// How many values came so far.
    private final class Seen {
        var count = 0
        func listen(to source: some ObservableType) -> any Disposable {
            source.subscribe(onNext: { [self] _ in count += 1 })
        }
    }

    @Test(arguments: Profile.allCases, [false, true])
    func `row 63 advance: four quarter seconds reach a delay of one second exactly`(
        _ profile: Profile, isAbsolute: Bool
    ) {
        let scheduler = TestScheduler(profile: profile)
        let seen = Seen()
        _ = seen.listen(to: Observable.just(1).delay(.seconds(1)))
        var counts = [seen.count]
        for quarter in 1...4 {
            if isAbsolute { scheduler.advanceTo(quarter * 250) } else { scheduler.advanceBy(250) }
            counts.append(seen.count)
        }
        #expect(counts == [0, 0, 0, 0, 1])
    }

    @Test func `row 64 delay of zero: waits for an explicit advance by zero`() {
        let scheduler = TestScheduler()
        let seen = Seen()
        _ = seen.listen(to: Observable.just(1).delay(.zero))
        #expect(seen.count == 0)
        scheduler.advanceBy(0)
        #expect(seen.count == 1)
        #expect(scheduler.clock == 0)
    }

    @Test func `row 65 hop: subscribe on and observe on need one advance`() {
        let scheduler = TestScheduler()
        for source in [
            Observable.just(1).subscribe(on: scheduler), Observable.just(1).observe(on: scheduler),
        ] {
            let seen = Seen()
            _ = seen.listen(to: source)
            #expect(seen.count == 0)
            scheduler.advanceBy(0)
            #expect(seen.count == 1)
        }
    }

    @Test(arguments: Profile.allCases)
    func `row 66 two periods: of 2 and of 1, both from now`(_ profile: Profile) throws {
        let scheduler = TestScheduler(profile: profile)
        var values: [Int] = []
        let slow = try PeriodicWork(on: scheduler, every: ticks(2), from: .zero) { _ in
            values.append(1)
        }
        let quick = try PeriodicWork(on: scheduler, every: ticks(1), from: .zero) { _ in
            values.append(42)
        }
        #expect(values == [])
        scheduler.advanceBy(0)
        #expect(values == [1, 42])
        scheduler.advanceBy(2)
        #expect(values == [1, 42, 42, 1, 42])
        slow.cancel()
        quick.cancel()
    }

    @Test(arguments: Profile.allCases)
    func `row 67 far future: a thousand seconds in one advance lose no tick`(_ profile: Profile) {
        let scheduler = TestScheduler(tick: .seconds(1), profile: profile)
        let seen = Seen()
        let subscription = seen.listen(to: Observable<Int>.interval(.seconds(1)))
        var counts: [Int] = []
        for seconds in [1, 1, 1_000] {
            scheduler.advanceBy(seconds)
            counts.append(seen.count)
        }
        #expect(counts == [1, 2, 1_002])
        subscription.dispose()
    }

    @Test(arguments: Profile.allCases)
    func `row 68 run: after part of the way it reaches a timer thirty years away`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(tick: .seconds(1), profile: profile)
        let seen = Seen()
        _ = seen.listen(to: Observable.just(1).delay(.seconds(1_000_000_000)))
        scheduler.advanceBy(1_000_000)
        #expect(seen.count == 0)
        scheduler.start()
        #expect(seen.count == 1)
        #expect(scheduler.clock == 1_000_000_000)
    }

    @Test(arguments: Profile.allCases)
    func `row 69 now: moves by what was asked, and stays for an advance by zero`(
        _ profile: Profile
    ) {
        let scheduler = TestScheduler(tick: .nanoseconds(1), profile: profile)
        var clocks: [Int] = []
        for step in [0, 1, 999_999_999, 0, 1_000_000_007] {
            scheduler.advanceBy(step)
            clocks.append(scheduler.clock)
        }
        #expect(clocks == [0, 1, 1_000_000_000, 1_000_000_000, 2_000_000_007])
        #expect(scheduler.now == Instant(nanoseconds: 2_000_000_007))
    }

    @Test(arguments: Profile.allCases)
    func `row 71 interleaving timers: periods of 2 and of 3 meet at 6`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        var output: [Int] = []
        let bag = DisposeBag()
        Observable<Int>.interval(ticks(2)).subscribe(onNext: { _ in output.append(1) })
            .disposed(by: bag)
        Observable<Int>.interval(ticks(3)).subscribe(onNext: { _ in output.append(2) })
            .disposed(by: bag)
        var seen: [[Int]] = []
        for _ in 1...5 {
            scheduler.advanceBy(1)
            seen.append(output)
        }
        #expect(seen == [[], [1], [1, 2], [1, 2, 1], [1, 2, 1]])
        scheduler.advanceBy(1)
        // Both are due at 6. The slower was put there at 3, the quicker at 4: first come, first served,
        // where a timer that keeps its first rank would let the quicker one lead.
        #expect(output == [1, 2, 1, 2, 1])
    }

    @Test(arguments: Profile.allCases)
    func `row 72 timer cancellation: nothing is left to run`(_ profile: Profile) {
        let scheduler = TestScheduler(profile: profile)
        let seen = Seen()
        let subscription = seen.listen(to: Observable<Int>.interval(ticks(1)))
        scheduler.advanceBy(1)
        #expect(seen.count == 1)
        subscription.dispose()
        scheduler.start()
        #expect(seen.count == 1)
        #expect(scheduler.clock == 1)
        #expect(scheduler.timeline.pendingCount == 0)
    }
}
