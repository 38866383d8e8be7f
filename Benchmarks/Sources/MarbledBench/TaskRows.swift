// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Streams

/// Async tasks on a virtual timeline.
enum TaskRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        let sleeps = bench.count(1_000_000, short: 200_000)
        return [
            .alone(
                "async sleeps in virtual time, 100 tasks", .nanoseconds,
                try Measure.alone(rounds: bench.rounds) { try cost(tasks: 100, sleeps: sleeps) },
                .atMost(500), "goal: 2 M sleeps a second"),
            .alone(
                "values of a subject in a for-await loop", .nanoseconds,
                try Measure.alone(rounds: bench.rounds) { try loop(sleeps) }, .none),
        ]
    }

    /// Nanoseconds per sleep, its timer and its wake-up included.
    static func cost(tasks: Int, sleeps: Int) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        let clock = scheduler.clock
        let each = sleeps / tasks
        for number in 0..<tasks {
            scheduler.task {
                for _ in 0..<each {
                    try await clock.sleep(for: .nanoseconds(1_000 + number * 7 % 1_000))
                }
            }
        }
        return try Measure.nanoseconds(per: each * tasks) { try scheduler.run() }
    }

    /// Nanoseconds per value that a timer sends and a task takes.
    private static func loop(_ events: Int) throws -> Double {
        let scheduler = VirtualTimeScheduler(limits: SchedulingLimits(items: .max))
        let subject = PublishSubject<Int>()
        scheduler.task {
            var sum = 0
            for try await value in subject.values { sum &+= value }
            Measure.keep(sum)
        }
        var sent = 0
        func arm() {
            scheduler.schedule(after: .milliseconds(1), phase: .arrival, label: "source") {
                sent += 1
                subject.onNext(sent)
                if sent < events { arm() } else { subject.on(.completed) }
            }
        }
        arm()
        return try Measure.nanoseconds(per: events) { try scheduler.run() }
    }
}
