// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A daemon under mixed load for a long time, looked at every ten seconds: what it keeps of memory and
/// descriptors, and how long a ping takes in between.
///
/// A turn opens instances and plays on them, runs a scenario, drops connections with instances and
/// unread streams on them, and now and then puts another build of the plugin in place of the one that
/// is there. Everything that a turn opens is closed or dropped by it: what grows, leaks.
final class Soak {
    private let server: Server
    private let bench: Bench
    private let builds: [String]
    private let library: String
    private let player: Wire
    private let pinger: Wire
    private var turns = 0
    private var reloads = 0

    /// What is seen every so often.
    private struct Sample {
        let minutes: Double
        let megabytes: Double
        let descriptors: Double
        /// Of a ping behind a batch of others, in microseconds.
        let median: Double
        let p99: Double
    }

    private init(_ bench: Bench) throws {
        self.bench = bench
        let folder = "\(bench.scratch)/plugins"
        library = "\(folder)/libFindNumber.so"
        builds = ["\(bench.scratch)/a.so", "\(bench.scratch)/b.so"]
        mkdir(folder, 0o755)
        let code = try File.bytes("\(bench.programs)/libFindNumber.so")
        // A byte behind its end makes a build of its own of the same code.
        try File.write(code, to: builds[0])
        try File.write(code + [0], to: builds[1])
        try Self.put(builds[0], in: library)
        _ = try Child.output(of: "\(bench.programs)/marbled", ["manifest", library, "--write"])
        server = try Server.marbled(bench, pluginPath: folder)
        player = try Wire(server.socket)
        pinger = try Wire(server.socket)
    }

    /// Loads the daemon for so many minutes. Returns the rows that compare the last quarter with the
    /// second, in which everything has warmed up, and the picture.
    static func run(_ bench: Bench, minutes: Double) throws -> (rows: [Row], plot: Plot) {
        let soak = try Soak(bench)
        let begin = Measure.now
        var samples: [Sample] = []
        var pings: [Double] = []
        while true {
            try soak.turn()
            pings.append(try soak.ping())
            let passed = Double(Measure.now - begin) / 60e9
            if passed * 6 >= Double(samples.count + 1) {
                samples.append(try soak.look(at: passed, pings))
                pings = []
            }
            if passed >= minutes { break }
        }
        return (soak.rows(samples), Self.plot(samples))
    }

    // MARK: The load

    private func turn() throws {
        turns += 1
        if turns.isMultiple(of: 500) { try reload() }
        for clock in ["virtual", "real"] {
            let name = "soak-\(clock)"
            try player.call(
                "instance.open", #"{"feature":"find-number","clock":"\#(clock)","name":"\#(name)"}"#
            )
            try player.call("stream.subscribe", #"{"instance":"\#(name)","output":"*"}"#)
            try player.send(
                (0..<20).map { guess in
                    Wire.request(
                        "instance.send",
                        #"{"instance":"\#(name)","input":"checkNumber","value":\#(guess % 3)}"#)
                }.joined())
            for _ in 0..<20 { _ = try player.answer() }
            try player.call("record.text", #"{"instance":"\#(name)"}"#)
            try player.call("instance.close", #"{"instance":"\#(name)"}"#)
        }
        try player.call(
            "scenario.run",
            #"""
            {"scenario":{"scenario":"soak","feature":"find-number","inputs":{"checkNumber":{"1":1,"3":9}},\#
            "expect":{"round":{"0":1,"1":2,"3":1}}}}
            """#)
        if turns.isMultiple(of: 10) { try dropConnection() }
    }

    /// A client that opens, listens, does not read, and is gone in the middle of it.
    private func dropConnection() throws {
        let wire = try Wire(server.socket)
        let name = "dropped-\(turns)"
        try wire.call(
            "instance.open",
            #"{"feature":"find-number","clock":"real","name":"\#(name)","ephemeral":true}"#)
        let guess = Wire.request(
            "instance.send", #"{"instance":"\#(name)","input":"checkNumber","value":1}"#)
        let listen = Wire.request("stream.subscribe", #"{"instance":"\#(name)","output":"*"}"#)
        try wire.send(listen + String(repeating: guess, count: 200) + guess.prefix(20))
    }

    private func reload() throws {
        reloads += 1
        try Self.put(builds[reloads % 2], in: library)
        let answer = try player.call("plugin.reload", #"{"plugin":"find-number"}"#)
        guard answer.contains(#""changed":true"#) else {
            throw BenchError("the other build was not taken: \(answer)")
        }
    }

    /// Puts a file in the place of another at one stroke, as an installation does.
    private static func put(_ build: String, in place: String) throws {
        let beside = "\(place).new"
        guard link(build, beside) == 0, rename(beside, place) == 0 else {
            throw BenchError("\(place) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    /// The microseconds of a ping that comes when another client has just sent a batch.
    private func ping() throws -> Double {
        try player.send(String(repeating: Wire.request("daemon.ping"), count: 32))
        let begin = Measure.now
        try pinger.call("daemon.ping")
        let passed = Measure.now - begin
        for _ in 0..<32 { _ = try player.answer() }
        return Double(passed) / 1e3
    }

    // MARK: What is seen

    private func look(at minutes: Double, _ pings: [Double]) throws -> Sample {
        let sorted = pings.sorted()
        return Sample(
            minutes: minutes, megabytes: server.residentBytes / 1e6,
            descriptors: Double(try File.count(in: "/proc/\(server.child.pid)/fd")),
            median: Measure.median(sorted), p99: sorted[sorted.count * 99 / 100])
    }

    private func rows(_ samples: [Sample]) -> [Row] {
        let quarter = samples.count / 4
        let early = samples[quarter..<max(2 * quarter, 1)]
        let late = samples.suffix(max(quarter, 1))
        func row(_ name: String, _ unit: Unit, _ bound: Double, _ value: (Sample) -> Double) -> Row
        {
            let (ours, theirs) = (
                Measure.median(late.map(value)), Measure.median(early.map(value))
            )
            return .pair(
                name, unit, Pair(ours: ours, theirs: theirs, ratio: ours / theirs),
                .ratioAtMost(bound),
                against: "the second quarter; \(turns) turns, \(reloads) builds")
        }
        return [
            row("soak: memory in the last quarter", .megabytes, 1.05, \.megabytes),
            row("soak: descriptors", .count, 1, \.descriptors),
            row("soak: a ping beside the load, median", .microseconds, 1.2, \.median),
            row("soak: the same, p99", .microseconds, 1.5, \.p99),
        ]
    }

    private static func plot(_ samples: [Sample]) -> Plot {
        func line(_ name: String, _ value: (Sample) -> Double) -> Plot.Series {
            Plot.Series(name: name, points: samples.map { ($0.minutes, value($0)) })
        }
        return Plot(
            file: "soak", title: "Under load for a long time", sizes: "minutes",
            costs: "MB, descriptors, µs",
            series: [
                line("memory, MB", \.megabytes), line("descriptors", \.descriptors),
                line("ping, µs", \.median), line("ping p99, µs", \.p99),
            ], isOverTime: true)
    }
}
