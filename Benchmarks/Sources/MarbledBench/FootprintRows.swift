// SPDX-License-Identifier: Apache-2.0

/// How fast the daemon is there, and how much room it takes.
enum FootprintRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        try idle(bench)
            + [
                try perInstance(bench, "find-number", "real", .atMost(6)),
                try perInstance(bench, "find-number", "virtual", .atMost(6)),
                try perInstance(bench, "ticker", "real", .atMost(6)),
                try perInstance(bench, "ticker", "virtual", .atMost(6)),
            ]
    }

    private static func idle(_ bench: Bench) throws -> [Row] {
        var ourBytes: [Double] = []
        var theirBytes: [Double] = []
        let ours = {
            let server = try Server.marbled(bench)
            ourBytes.append(server.residentBytes / 1e6)
            return Double(server.nanosecondsToReady) / 1e6
        }
        var start: Row
        let name = "start to ready"
        if Child.find("redis-server") == nil {
            let cost = try Measure.alone(rounds: bench.rounds, ours)
            start = .alone(name, .milliseconds, cost, .atMost(20))
        } else {
            let pair = try Measure.pair(rounds: bench.rounds, ours: ours) {
                let server = try Server.redis(bench)
                theirBytes.append(server.residentBytes / 1e6)
                return Double(server.nanosecondsToReady) / 1e6
            }
            start = .pair(name, .milliseconds, pair, .atMost(20), against: "redis-server")
        }
        var memory = Row.alone(
            "idle memory", .megabytes, Measure.median(ourBytes), .atMost(15))
        if !theirBytes.isEmpty {
            memory.theirs = Measure.median(theirBytes)
            memory.remark = "redis-server"
        }
        return [start, memory]
    }

    private static func perInstance(
        _ bench: Bench, _ feature: String, _ clock: String, _ goal: Row.Goal
    ) throws -> Row {
        let bytes = try bytesPerInstance(
            bench, feature, clock, count: bench.count(10_000, short: 2_000))
        return .alone(
            "memory of an open instance: \(feature), \(clock)", .kilobytes, bytes / 1e3, goal)
    }

    /// Opens so many instances in a daemon of their own; what the first ones cost is not counted.
    static func bytesPerInstance(
        _ bench: Bench, _ feature: String, _ clock: String, count: Int
    ) throws -> Double {
        let server = try Server.marbled(bench)
        try open(100, feature, clock, on: server, bench)
        let before = server.residentBytes
        try open(count, feature, clock, on: server, bench)
        return (server.residentBytes - before) / Double(count)
    }

    /// Opens so many instances; the daemon names them i1, i2 and so on.
    static func open(
        _ count: Int, _ feature: String, _ clock: String, on server: Server, _ bench: Bench
    ) throws {
        let request = Wire.request(
            "instance.open", #"{"feature":"\#(feature)","clock":"\#(clock)"}"#)
        _ = try Load(bench: bench).run(
            .init(request: request, depth: 32, times: count), on: server)
    }
}
