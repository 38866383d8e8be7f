// SPDX-License-Identifier: Apache-2.0

/// The load generator, a program in C that drives every server alike; see `load.c`.
struct Load {
    let bench: Bench

    /// Calls on one connection.
    struct Calls {
        /// What is sent, again and again; `@` stands for a number from 1 to `modulus`.
        var request: String
        /// The line ends that one request brings.
        var lines = 1
        var modulus = 1
        /// Sent once, first, with the line ends that it brings.
        var before: (text: String, lines: Int)?
        /// How many requests are written at once, before their answers are read.
        var depth = 1
        /// How many in all, or nil for the length of one turn.
        var times: Int?
        /// How long, where `times` says nothing; nil for the length of one turn.
        var milliseconds: Int?
    }

    /// What came of it.
    struct Figures {
        /// Calls in a second.
        var rate: Double
        /// Nanoseconds of a batch: half of them were faster, and 99 in 100, and all.
        var p50: Double
        var p99: Double
        var longest: Double
    }

    func run(_ calls: Calls, on server: Server) throws -> Figures {
        var arguments = [
            "calls", server.socket, "\(calls.depth)", "\(calls.times ?? 0)",
            "\(calls.milliseconds ?? bench.turnMilliseconds)", calls.request, "\(calls.lines)",
            "\(calls.modulus)",
        ]
        if let before = calls.before { arguments += [before.text, "\(before.lines)"] }
        let numbers = try output(arguments)
        guard numbers.count == 5 else { throw BenchError("load printed no figures") }
        return Figures(
            rate: numbers[0] / numbers[1] * 1e9, p50: numbers[2], p99: numbers[3],
            longest: numbers[4])
    }

    /// Events to many connections.
    struct Fan {
        var connections = 1
        /// What each connection sends first, with the line ends that it brings.
        var subscribe: (text: String, lines: Int)
        /// Connections that subscribe and never read.
        var stalled = 0
        /// What makes one event, with the line ends that it brings to who sends it.
        var publish: (text: String, lines: Int)
        /// What each connection hears of an event, and the line ends of each.
        var deliveries: (count: Int, lines: Int)
        /// Events that are on their way at once.
        var window = 16
        var events: Int
    }

    /// Deliveries in a second. Each one is counted; one that is missing ends in an error.
    func run(_ fan: Fan, on server: Server) throws -> Double {
        let numbers = try output([
            "fan", server.socket, "\(fan.connections)", fan.subscribe.text,
            "\(fan.subscribe.lines)", "\(fan.stalled)", fan.publish.text, "\(fan.publish.lines)",
            "\(fan.deliveries.count)", "\(fan.deliveries.lines)", "\(fan.window)", "\(fan.events)",
        ])
        guard numbers.count == 2 else { throw BenchError("load printed no figures") }
        return numbers[0] / numbers[1] * 1e9
    }

    private func output(_ arguments: [String]) throws -> [Double] {
        try Child.output(of: "\(bench.baselines)/load", arguments, on: .load)
            .split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
    }
}
