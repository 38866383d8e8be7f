// SPDX-License-Identifier: Apache-2.0

internal import CBenchmark
internal import Glibc

/// What two contenders showed, measured in turns.
struct Pair {
    var ours: Double
    var theirs: Double
    /// The median of the rounds' ratios of ours to theirs.
    var ratio: Double
}

/// How figures are taken: one machine, one run, in turns.
///
/// A neighbour on the machine slows both contenders of a round alike, so a round's ratio stands where
/// its figures do not.
enum Measure {
    /// Measures both `rounds` times. Who goes first changes from round to round.
    static func pair(
        rounds: Int, ours: () throws -> Double, theirs: () throws -> Double
    ) rethrows -> Pair {
        var left: [Double] = []
        var right: [Double] = []
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                left.append(try ours())
                right.append(try theirs())
            } else {
                right.append(try theirs())
                left.append(try ours())
            }
        }
        return Pair(
            ours: median(left), theirs: median(right),
            ratio: median(zip(left, right).map { $0 / $1 }))
    }

    /// Measures one thing `rounds` times and returns the median.
    static func alone(rounds: Int, _ body: () throws -> Double) rethrows -> Double {
        median(try (0..<rounds).map { _ in try body() })
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.last else { return .nan }
        let middle = sorted.count / 2
        if sorted.count.isMultiple(of: 2) { return (sorted[middle - 1] + sorted[middle]) / 2 }
        return middle < sorted.count ? sorted[middle] : last
    }

    /// The nanoseconds that `body` takes, divided by what it did so many times.
    static func nanoseconds(per count: Int, _ body: () throws -> Void) rethrows -> Double {
        let begin = now
        try body()
        return Double(now - begin) / Double(count)
    }

    /// How often `body` asks for memory, divided by what it did so many times.
    static func allocations(per count: Int, _ body: () -> Void) -> Double {
        let before = marbled_bench_allocations()
        body()
        return Double(marbled_bench_allocations() - before) / Double(count)
    }

    /// Monotonic nanoseconds.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Takes a result that nobody needs, so that the work behind it is done.
    static func keep(_ value: Int) {
        marbled_bench_keep(Int64(value))
    }
}
