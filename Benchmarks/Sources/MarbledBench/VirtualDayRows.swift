// SPDX-License-Identifier: Apache-2.0

/// A day in the life of a feature that says something every second.
enum VirtualDayRows {
    private static let seconds = 86_400

    static func measure(_ bench: Bench) throws -> [Row] {
        let server = try Server.marbled(bench)
        let wire = try Wire(server.socket)
        var number = 0
        let cost = try Measure.alone(rounds: bench.rounds) {
            number += 1
            let name = "day\(number)"
            try wire.call(
                "instance.open",
                #"{"feature":"ticker","clock":"virtual","name":"\#(name)","#
                    + #""options":{"periodNs":1000000000}}"#)
            let cost = try Measure.nanoseconds(per: 1) {
                try wire.call("clock.advance", #"{"instance":"\#(name)","by":"24h"}"#)
            }
            let answer = try wire.call(
                "instance.record", #"{"instance":"\#(name)","since":\#(seconds - 1)}"#)
            guard Wire.integer("next", in: answer) == seconds else {
                throw BenchError("not every second of the day is on record: \(answer)")
            }
            try wire.call("instance.close", #"{"instance":"\#(name)"}"#)
            return cost / 1e6
        }
        return [
            .alone(
                "a virtual day of a 1 Hz ticker, over the socket, recorded", .milliseconds, cost,
                .atMost(50))
        ]
    }
}
