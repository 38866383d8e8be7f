// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Streams

/// Operators of time, each fed by a timer of the same timeline: an event a millisecond, and after each
/// tenth a rest of twenty, in which what waits comes out.
enum TimeOperatorRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        let events = bench.count(100_000, short: 20_000)
        let operators: [(String, (Observable<Int>, any Scheduler) -> Observable<Int>)] = [
            ("debounce", { $0.debounce(.milliseconds(5), scheduler: $1) }),
            ("throttle", { $0.throttle(.milliseconds(5), scheduler: $1) }),
            ("delay", { $0.delay(.milliseconds(5), scheduler: $1) }),
            ("timeout", { $0.timeout(.milliseconds(50), scheduler: $1) }),
            (
                "flatMapLatest",
                { source, scheduler in
                    source.flatMapLatest { value in
                        Observable<Int>.timer(.milliseconds(5), scheduler: scheduler)
                            .map { _ in value }
                    }
                }
            ),
        ]
        return try operators.map { name, apply in
            .pair(
                "\(name), virtual time", .nanoseconds,
                try Measure.pair(
                    rounds: bench.rounds, ours: { try cost(events, apply) },
                    theirs: Chains.openCombine),
                RxSwift.twentieth(of: RxSwift.timeOperator),
                against: RxSwift.remark(RxSwift.timeOperator))
        }
    }

    /// Nanoseconds per event that goes in, the timer that makes it included.
    private static func cost(
        _ events: Int, _ apply: (Observable<Int>, any Scheduler) -> Observable<Int>
    ) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        let source = Source(scheduler, events: events)
        var heard = 0
        let disposable = apply(source.subject, scheduler).subscribe(onNext: { heard &+= $0 })
        let cost = try Measure.nanoseconds(per: events) {
            source.arm()
            try scheduler.run()
        }
        disposable.dispose()
        Measure.keep(heard)
        return cost
    }

    private final class Source {
        let subject = PublishSubject<Int>()
        private let scheduler: VirtualTimeScheduler
        private let events: Int
        private var sent = 0

        init(_ scheduler: VirtualTimeScheduler, events: Int) {
            self.scheduler = scheduler
            self.events = events
        }

        func arm() {
            let rest = sent.isMultiple(of: 10) ? 20 : 1
            scheduler.schedule(after: .milliseconds(rest), phase: .arrival, label: "source") {
                self.sent += 1
                self.subject.onNext(self.sent)
                if self.sent < self.events { self.arm() } else { self.subject.on(.completed) }
            }
        }
    }
}
