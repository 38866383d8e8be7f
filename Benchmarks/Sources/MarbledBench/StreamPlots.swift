// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Streams

/// How the costs of streams, time operators and tasks grow.
enum StreamPlots {
    /// A chain of `map`s, by its length.
    static func chain(_ bench: Bench) throws -> Plot {
        let events = bench.count(1_000_000, short: 100_000)
        var chain = Plot.Series(name: "map after map", points: [])
        for length in bench.isShort ? [1, 16] : [1, 2, 4, 8, 16, 32, 64] {
            let cost = Measure.alone(rounds: bench.rounds) {
                let subject = PublishSubject<Int>()
                var stream = subject.asObservable()
                for _ in 0..<length { stream = stream.map { $0 &+ 1 } }
                var heard = 0
                let subscription = stream.subscribe(onNext: { heard &+= $0 })
                let cost = Measure.nanoseconds(per: events) {
                    for event in 0..<events { subject.onNext(event) }
                }
                subscription.dispose()
                Measure.keep(heard)
                return cost
            }
            chain.points.append((Double(length), cost))
        }
        return Plot(
            file: "chain", title: "A chain of operators", sizes: "operators",
            costs: "ns per event", series: [chain])
    }

    /// Debounces and delays that run at once on one timeline, by their number.
    static func timeOperators(_ bench: Bench) throws -> Plot {
        let apply: [(String, (Observable<Int>, any Scheduler) -> Observable<Int>)] = [
            ("debounce", { $0.debounce(.milliseconds(5), scheduler: $1) }),
            ("delay", { $0.delay(.milliseconds(5), scheduler: $1) }),
            ("timeout", { $0.timeout(.milliseconds(50), scheduler: $1) }),
        ]
        let sizes = bench.isShort ? [1, 100] : [1, 10, 100, 1_000, 10_000]
        let series = try apply.map { name, operation in
            Plot.Series(
                name: name,
                points: try sizes.map { size in
                    let cost = try Measure.alone(rounds: bench.rounds) {
                        try timeOperator(
                            size, events: bench.count(200_000, short: 20_000), operation)
                    }
                    return (Double(size), cost)
                })
        }
        return Plot(
            file: "time-operators", title: "Time operators at once", sizes: "streams",
            costs: "ns per event", series: series)
    }

    /// Nanoseconds per event with `count` streams that are sent an event each a millisecond.
    private static func timeOperator(
        _ count: Int, events: Int, _ apply: (Observable<Int>, any Scheduler) -> Observable<Int>
    ) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        var heard = 0
        let subjects = (0..<count).map { _ in PublishSubject<Int>() }
        let bag = DisposeBag()
        for subject in subjects {
            apply(subject, scheduler).subscribe(onNext: { heard &+= $0 }).disposed(by: bag)
        }
        let rounds = max(1, events / count)
        var left = rounds
        func arm() {
            scheduler.schedule(after: .milliseconds(1), phase: .arrival, label: "source") {
                for subject in subjects { subject.onNext(left) }
                left -= 1
                if left > 0 { arm() }
            }
        }
        arm()
        let cost = try Measure.nanoseconds(per: rounds * count) {
            try scheduler.advance(by: .milliseconds(rounds + 10))
        }
        Measure.keep(heard)
        return cost
    }

    /// Tasks that sleep, by their number.
    static func tasks(_ bench: Bench) throws -> Plot {
        let sleeps = bench.count(500_000, short: 50_000)
        var series = Plot.Series(name: "sleep and wake", points: [])
        for size in bench.isShort ? [1, 100] : [1, 10, 100, 1_000, 10_000, 100_000] {
            let cost = try Measure.alone(rounds: bench.rounds) {
                try TaskRows.cost(tasks: size, sleeps: max(size, sleeps))
            }
            series.points.append((Double(size), cost))
        }
        return Plot(
            file: "tasks", title: "Async tasks that sleep", sizes: "tasks", costs: "ns per sleep",
            series: [series])
    }
}
