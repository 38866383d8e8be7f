// SPDX-License-Identifier: Apache-2.0

/// How costs grow with sizes.
enum GrowthPlots {
    /// The scheduler, by items that wait.
    static func scheduler(_ bench: Bench) throws -> Plot {
        var timers = Plot.Series(name: "timers", points: [])
        var preloaded = Plot.Series(name: "put in, run", points: [])
        let sizes =
            bench.isShort ? [1_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
        for size in sizes {
            let rounds = size > 1_000_000 || bench.isShort ? 1 : 3
            let items = max(size, bench.count(500_000, short: 100_000))
            let ticking = try Measure.alone(rounds: rounds) {
                try SchedulerRows.timers(size, items: items)
            }
            let waiting = try Measure.alone(rounds: rounds) { try SchedulerRows.preloaded(size) }
            timers.points.append((Double(size), ticking))
            preloaded.points.append((Double(size), waiting))
        }
        return Plot(
            file: "scheduler", title: "Virtual scheduler", sizes: "items that wait",
            costs: "ns per item", series: [timers, preloaded])
    }

    /// A call to one of many instances, and the memory of each.
    static func instances(_ bench: Bench) throws -> Plot {
        var calls = Plot.Series(name: "ns per instance.send", points: [])
        var memory = Plot.Series(name: "bytes per instance", points: [])
        for size in bench.isShort ? [1, 1_000] : [1, 1_000, 100_000] {
            let server = try Server.marbled(bench)
            let before = server.residentBytes
            try FootprintRows.open(size, "ticker", "virtual", on: server, bench)
            if size > 1 {
                memory.points.append((Double(size), (server.residentBytes - before) / Double(size)))
            }
            let request = Wire.request(
                "instance.send", #"{"instance":"i@","input":"say","value":1}"#)
            let load = Load(bench: bench)
            let cost = try Measure.alone(rounds: 3) {
                let calls = Load.Calls(request: request, modulus: size, depth: 32)
                return 1e9 / (try load.run(calls, on: server).rate)
            }
            calls.points.append((Double(size), cost))
        }
        return Plot(
            file: "instances", title: "Open instances", sizes: "instances", costs: "ns, or bytes",
            series: [calls, memory])
    }

    /// An event to many subscribers, on at most a hundred connections.
    static func subscribers(_ bench: Bench) throws -> Plot {
        var deliveries = Plot.Series(name: "ns per delivery", points: [])
        for size in bench.isShort ? [1, 100] : [1, 100, 10_000] {
            let server = try Server.marbled(bench)
            try FanOutRows.openSpeaker(on: server)
            let connections = min(size, 100)
            let fan = FanOutRows.fan(
                connections: connections, each: size / connections,
                events: max(96, min(20_000, bench.count(2_000_000, short: 200_000) / size)))
            let load = Load(bench: bench)
            let cost = try Measure.alone(rounds: 3) { 1e9 / (try load.run(fan, on: server)) }
            deliveries.points.append((Double(size), cost))
        }
        return Plot(
            file: "subscribers", title: "Subscribers of one event", sizes: "subscribers",
            costs: "ns per delivery", series: [deliveries])
    }
}
