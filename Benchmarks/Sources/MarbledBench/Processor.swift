// SPDX-License-Identifier: Apache-2.0

internal import CBenchmark

/// Where a program may run.
///
/// A server and whoever loads it have a processor each. Left to itself the kernel now puts both on one and now
/// on two, and keeps to it for seconds: a round trip takes 25 µs or 45, for every server, and which of
/// two servers is luckier in a run would be all that a ratio tells.
enum Processor {
    case server, load

    /// Runs `body`, and what it starts runs there for good.
    func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        marbled_bench_run(
            self == .load ? MARBLED_BENCH_FIRST_PROCESSOR : MARBLED_BENCH_LAST_PROCESSOR)
        defer { marbled_bench_run(MARBLED_BENCH_ANYWHERE) }
        return try body()
    }
}
