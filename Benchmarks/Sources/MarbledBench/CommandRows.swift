// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The command line, from start to exit.
enum CommandRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        let name = "marblectl ping, whole process"
        let marblectl = "\(bench.programs)/marblectl"
        let marbled = try Server.marbled(bench)
        let ours = ["ping"]
        // A command that says yes where nobody listens has not asked.
        setenv("MARBLED_SOCKET", "\(bench.scratch)/nobody.sock", 1)
        let isFooled = try Child(marblectl, ours, isQuiet: true).wait() == 0
        setenv("MARBLED_SOCKET", marbled.socket, 1)
        guard !isFooled, try Child(marblectl, ours, isQuiet: true).wait() == 0 else {
            return [.skipped(name, "marblectl ping does not work here yet")]
        }
        let times = bench.count(40, short: 10)
        let ourCost = { try cost(marblectl, ours, times: times) }
        guard let cli = Child.find("redis-cli"), let redis = try? Server.redis(bench) else {
            let cost = try Measure.alone(rounds: bench.rounds, ourCost)
            let remark = "there is no redis-cli; apt-get install redis-server"
            return [.alone(name, .milliseconds, cost, .none, remark)]
        }
        let pair = try Measure.pair(rounds: bench.rounds, ours: ourCost) {
            try cost(cli, ["-s", redis.socket, "ping"], times: times)
        }
        return [.pair(name, .milliseconds, pair, .ratioAtMost(1), against: "redis-cli ping")]
    }

    /// Milliseconds of one run, the median of several.
    private static func cost(
        _ program: String, _ arguments: [String], times: Int
    ) throws -> Double {
        try Measure.alone(rounds: times) {
            try Measure.nanoseconds(per: 1) {
                guard try Child(program, arguments).wait() == 0 else {
                    throw BenchError("\(program) failed")
                }
            } / 1e6
        }
    }
}
