// SPDX-License-Identifier: Apache-2.0

/// What one client's doings cost another.
enum FairnessRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        try besideStalled(bench) + [try besideRun(bench)]
    }

    /// A subscriber that reads, with one beside it that does not. Every event is counted by the load
    /// generator, which ends in an error when one is missing.
    private static func besideStalled(_ bench: Bench) throws -> [Row] {
        let load = Load(bench: bench)
        let marbled = try Server.marbled(bench)
        try FanOutRows.openSpeaker(on: marbled)
        let events = bench.count(100_000, short: 20_000)
        let alone = FanOutRows.fan(connections: 1, each: 1, events: events)
        let beside = FanOutRows.fan(connections: 1, each: 1, stalled: 1, events: events)
        // The record fills first, so that what grows later is not the record.
        for _ in 0..<bench.count(6, short: 25) { _ = try load.run(alone, on: marbled) }
        let before = marbled.residentBytes
        try marbled.child.forgetHighest()
        let pair = try Measure.pair(
            rounds: bench.rounds, ours: { try load.run(beside, on: marbled) },
            theirs: { try load.run(alone, on: marbled) })
        let growth = marbled.child.highestResidentBytes - before
        return [
            .pair(
                "a subscriber beside one that does not read", .perSecond, pair, .ratioAtLeast(0.9),
                against: "the same alone"),
            .alone(
                "  memory that the daemon takes for it", .megabytes, growth / 1e6, .atMost(16),
                "what may wait unread for one connection is 8 MB"),
        ]
    }

    /// Pings while another instance runs ten million virtual events.
    private static func besideRun(_ bench: Bench) throws -> Row {
        let load = Load(bench: bench)
        let marbled = try Server.marbled(bench)
        let driver = try Wire(marbled.socket)
        let ping = Load.Calls(
            request: Wire.request("daemon.ping"), milliseconds: bench.count(1_500, short: 500))
        let idle = try load.run(ping, on: marbled).p99
        var busy: [Double] = []
        for round in 0..<bench.count(3, short: 1) {
            try driver.call(
                "instance.open",
                #"{"feature":"ticker","clock":"virtual","name":"run\#(round)","#
                    + #""options":{"periodNs":1000000}}"#)
            try driver.send(
                Wire.request(
                    "clock.advance",
                    #"{"instance":"run\#(round)","by":"10000s","limit":20000000}"#))
            busy.append(try load.run(ping, on: marbled).p99)
            guard driver.isSilent else {
                throw BenchError("ten million virtual events ended before the pings did")
            }
            let answer = try driver.line()
            guard Wire.integer("ran", in: answer) == 10_000_000 else {
                throw BenchError("ten million virtual events were not run: \(answer)")
            }
            try driver.call("instance.close", #"{"instance":"run\#(round)"}"#)
        }
        return Row(
            name: "daemon.ping p99 while 10 M virtual events run", unit: .milliseconds,
            ours: Measure.median(busy) / 1e6, theirs: idle / 1e6, goal: .atMost(10),
            remark: "the same while idle")
    }
}
