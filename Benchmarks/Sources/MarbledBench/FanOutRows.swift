// SPDX-License-Identifier: Apache-2.0

/// One event to many.
enum FanOutRows {
    private static let connections = 100
    private static let each = 10
    private static let payload = String(repeating: "x", count: 128)

    static func measure(_ bench: Bench) throws -> [Row] {
        let name = "one event of 128 bytes to 1,000 subscribers on 100 connections"
        let load = Load(bench: bench)
        let redis: Server
        do { redis = try Server.redis(bench) } catch { return [.skipped(name, "\(error)")] }
        let marbled = try Server.marbled(bench)
        try openSpeaker(on: marbled)
        let events = bench.count(2_000, short: 320)
        let ours = fan(connections: connections, each: each, events: events)
        // One PUBLISH reaches a connection once, so each event is published on ten channels.
        let channels = (0..<each).map { "c\($0)" }
        let theirs = Load.Fan(
            connections: connections,
            subscribe: (Redis.command(["SUBSCRIBE"] + channels), each * 6),
            publish: (channels.map { Redis.command(["PUBLISH", $0, payload]) }.joined(), each),
            deliveries: (each, 7), events: events)
        let pair = try Measure.pair(
            rounds: bench.rounds, ours: { try load.run(ours, on: marbled) },
            theirs: { try load.run(theirs, on: redis) })
        return [
            .pair(
                name, .perSecond, pair, .ratioAtLeast(1),
                against: "redis PUBLISH on 10 channels to 100 connections")
        ]
    }

    /// Opens the instance that the events of `fan` come from.
    static func openSpeaker(on server: Server) throws {
        try Wire(server.socket).call(
            "instance.open", #"{"feature":"ticker","clock":"virtual","name":"speaker"}"#)
    }

    /// Events of the speaker to `each` subscriptions on each of so many connections.
    static func fan(connections: Int, each: Int, stalled: Int = 0, events: Int) -> Load.Fan {
        let subscribe = Wire.request(
            "stream.subscribe", #"{"instance":"speaker","output":"said"}"#)
        let publish = Wire.request(
            "instance.send", #"{"instance":"speaker","input":"say","value":"\#(payload)"}"#)
        return Load.Fan(
            connections: connections,
            subscribe: (String(repeating: subscribe, count: each), each), stalled: stalled,
            publish: (publish, 1), deliveries: (each, 1), events: events)
    }
}
