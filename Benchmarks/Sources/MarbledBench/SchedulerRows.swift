// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// The virtual scheduler alone.
enum SchedulerRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        [
            .pair(
                "virtual scheduler, 1,000 timers that set themselves again", .nanoseconds,
                try Measure.pair(
                    rounds: bench.rounds,
                    ours: { try timers(1_000, items: bench.count(1_000_000, short: 200_000)) },
                    theirs: Chains.openCombine),
                RxSwift.twentieth(of: RxSwift.timers), against: RxSwift.remark(RxSwift.timers)),
            .pair(
                "virtual scheduler, 1 M items put in first, random order", .nanoseconds,
                try Measure.pair(
                    rounds: bench.count(5, short: 2), ours: { try preloaded(1_000_000) },
                    theirs: Chains.openCombine),
                RxSwift.twentieth(of: RxSwift.preloaded),
                against: RxSwift.remark(RxSwift.preloaded)),
        ]
    }

    /// Nanoseconds per item with `count` timers, each of its own period, until about `items` have run.
    static func timers(_ count: Int, items: Int) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        for number in 0..<count {
            Ticker(scheduler, period: .nanoseconds(1_000 + number * 7 % 1_000)).arm()
        }
        // Periods are 1,500 ns in the mean.
        let target = Instant(nanoseconds: Int64(items) * 1_500 / Int64(count))
        let begin = Measure.now
        let progress = try scheduler.advance(to: target)
        let end = Measure.now
        scheduler.removeAll()
        return Double(end - begin) / Double(progress.ran)
    }

    /// Nanoseconds per item, putting it in included.
    static func preloaded(_ count: Int) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        var random = Random(state: 42)
        return try Measure.nanoseconds(per: count) {
            for number in 0..<count {
                let due = Instant(nanoseconds: Int64(random.next() % 1_000_000_000))
                // The number is captured so that each item has a closure of its own, as a caller's has.
                scheduler.schedule(at: due, phase: .timer, label: "item") { Measure.keep(number) }
            }
            try scheduler.run()
        }
    }
}

/// A timer that sets itself again.
private final class Ticker {
    private let scheduler: VirtualTimeScheduler
    private let period: Duration

    init(_ scheduler: VirtualTimeScheduler, period: Duration) {
        self.scheduler = scheduler
        self.period = period
    }

    func arm() {
        scheduler.schedule(after: period, label: "ticker") { self.arm() }
    }
}

/// Numbers without order, the same in every run (SplitMix64).
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
