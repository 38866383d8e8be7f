// SPDX-License-Identifier: Apache-2.0

/// Calls on one connection, one at a time and in flights of 32.
enum CallRows {
    static func measure(_ bench: Bench) throws -> [Row] {
        let load = Load(bench: bench)
        let marbled = try Server.marbled(bench)
        let ping = Wire.request("daemon.ping")
        var rows = [
            try pair(
                "daemon.ping, one at a time", load, .init(request: ping), on: marbled,
                against: .init(request: ping), on: try Server.echo(bench), .ratioAtLeast(0.9),
                "an echo in C on libuv, same bytes")
        ]
        let names = [
            "daemon.ping, 32 in flight", "instance.send to find-number, two outputs, 32 in flight",
            "the same, and the caller hears them",
        ]
        let redis: Server
        do { redis = try Server.redis(bench) } catch {
            return rows + names.map { .skipped($0, "\(error)") }
        }
        let wire = try Wire(marbled.socket)
        try wire.call(
            "instance.open", #"{"feature":"find-number","clock":"virtual","name":"game"}"#)
        // A wrong guess: the round and the record start again.
        let guess = Wire.request(
            "instance.send", #"{"instance":"game","input":"checkNumber","value":9}"#)
        // Four outputs are states and say their value at once.
        let listen = Wire.request("stream.subscribe", #"{"instance":"game","output":"*"}"#)
        let set = Load.Calls(request: Redis.set, depth: 32)
        rows.append(
            try pair(
                names[0], load, .init(request: ping, depth: 32), on: marbled,
                against: .init(request: Redis.ping, depth: 32), on: redis, .ratioAtLeast(1),
                "redis PING, 32 in flight"))
        rows.append(
            try pair(
                names[1], load, .init(request: guess, depth: 32), on: marbled, against: set,
                on: redis, .ratioAtLeast(1), "redis SET, 32 in flight"))
        rows.append(
            try pair(
                names[2], load,
                .init(request: guess, lines: 3, before: (listen, 5), depth: 32), on: marbled,
                against: set, on: redis, .ratioAtLeast(1), "redis SET, 32 in flight"))
        return rows
    }

    private static func pair(
        _ name: String, _ load: Load, _ ours: Load.Calls, on server: Server,
        against theirs: Load.Calls, on other: Server, _ goal: Row.Goal, _ remark: String
    ) throws -> Row {
        let pair = try Measure.pair(
            rounds: load.bench.rounds, ours: { try load.run(ours, on: server).rate },
            theirs: { try load.run(theirs, on: other).rate })
        return .pair(name, .perSecond, pair, goal, against: remark)
    }
}
