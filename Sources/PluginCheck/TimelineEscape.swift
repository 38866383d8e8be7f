// SPDX-License-Identifier: Apache-2.0

/// A way around the timeline that a library's symbols give away: time that virtual time does not move,
/// chance that a seed does not repeat, work that nobody waits for.
///
/// A hint and no proof: a symbol may stand in code that never runs, or come with a library that the plugin
/// carries in itself. What MarbledKit itself brings along is not told.
struct TimelineEscape: Equatable {
    /// What a person calls it.
    var name: String
    var symbol: String
    /// What to use instead.
    var advice: String

    /// What `symbols`, a library's undefined ones, give away, each name once.
    static func found(in symbols: [String]) -> [TimelineEscape] {
        var found: [TimelineEscape] = []
        for symbol in symbols {
            guard let rule = rules.first(where: { $0.matches(symbol) }),
                !found.contains(where: { $0.name == rule.name })
            else { continue }
            found.append(
                TimelineEscape(name: rule.name, symbol: symbol, advice: rule.remedy.rawValue))
        }
        return found
    }

    private enum Remedy: String {
        case time =
            "Wait on the timeline: schedule() in C, context.clock.sleep or a timer in Swift."
        case now =
            "Read the instance's clock: now() in C, context.clock in Swift; wallClock for the date."
        case chance = "Ask the effect random, which is drawn from the instance's seed."
        case work = "Stay on the timeline: schedule() or post() in C, context.task in Swift."
        case world = "Ask an effect (http, store, or one that the host registers)."
    }

    private struct Rule {
        var name: String
        var remedy: Remedy
        /// Whole names, as C has them.
        var symbols: [String] = []
        /// Parts of mangled names, as Swift has them.
        var parts: [String] = []

        func matches(_ symbol: String) -> Bool {
            if symbols.contains(symbol) { return true }
            guard symbol.hasPrefix("$s") else { return false }
            return parts.contains { symbol.utf8.contains($0.utf8) }
        }
    }

    private static let rules: [Rule] = [
        Rule(name: "Task.sleep", remedy: .time, parts: ["ScTss5NeverORszABRs_rlE5sleep"]),
        Rule(name: "Thread.sleep", remedy: .time, parts: ["10Foundation6ThreadC5sleep"]),
        Rule(
            name: "sleep", remedy: .time,
            symbols: ["sleep", "usleep", "nanosleep", "clock_nanosleep"]),
        Rule(name: "Timer", remedy: .time, parts: ["10Foundation5TimerC"]),
        Rule(
            name: "ContinuousClock", remedy: .now,
            parts: ["s15ContinuousClockVABycfC", "s15ContinuousClockV3now"]),
        Rule(
            name: "SuspendingClock", remedy: .now,
            parts: ["s15SuspendingClockVABycfC", "s15SuspendingClockV3now"]),
        Rule(
            name: "Date()", remedy: .now,
            parts: ["4DateVACycfC", "4DateV3now"]),
        Rule(
            name: "the system's clock", remedy: .now,
            symbols: [
                "clock_gettime", "gettimeofday", "time", "clock", "times", "timespec_get", "ftime",
            ]),
        Rule(
            name: "SystemRandomNumberGenerator", remedy: .chance,
            symbols: ["swift_stdlib_random"],
            parts: [
                "s27SystemRandomNumberGeneratorV", "E6random2in", "6randomSbyFZ", "E8shuffled",
                "E13randomElement", "E7shuffleyyF",
            ]),
        Rule(name: "UUID()", remedy: .chance, parts: ["4UUIDVACycfC"]),
        Rule(
            name: "the system's chance", remedy: .chance,
            symbols: [
                "rand", "rand_r", "random", "random_r", "drand48", "lrand48", "getrandom",
                "getentropy", "arc4random", "arc4random_buf", "arc4random_uniform",
            ]),
        Rule(
            name: "Task.detached", remedy: .work,
            parts: ["ScTss5Error_pRs_rlE8detached", "ScTss5NeverORs_rlE8detached"]),
        Rule(name: "Dispatch", remedy: .work, parts: ["8Dispatch0A5QueueC"]),
        Rule(
            name: "a thread", remedy: .work,
            symbols: ["pthread_create", "thrd_create"],
            parts: ["10Foundation6ThreadC09detachNew", "10Foundation6ThreadCACycfC"]),
        Rule(
            name: "a process", remedy: .world,
            symbols: ["fork", "vfork", "system", "popen", "posix_spawn", "posix_spawnp", "execve"]),
        Rule(
            name: "a socket", remedy: .world,
            symbols: ["socket", "connect", "bind", "getaddrinfo", "gethostbyname"]),
        Rule(name: "URLSession", remedy: .world, parts: ["10URLSessionC"]),
    ]
}

extension String.UTF8View {
    /// Whether `part` stands somewhere in here.
    fileprivate func contains(_ part: String.UTF8View) -> Bool {
        var rest = self[...]
        while rest.count >= part.count {
            if rest.starts(with: part) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
