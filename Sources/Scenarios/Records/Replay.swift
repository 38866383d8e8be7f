// SPDX-License-Identifier: Apache-2.0

package import MarbledHost

/// Runs a record again, in virtual time, against the plugin that is installed.
///
///     record    input ──▶ feature ──▶ output          what went in, and what the world answered,
///               ask ◀──▶ answer      (expected)       go in again; what comes out is compared
///
/// Inputs come at the instants and in the order in which they came. A request is answered as the same
/// request was: requests of one key (the effect and its JSON) in recorded order, free between keys.
/// One that the record does not know, and one that was not made again, fail both.
///
/// A record made in real time runs again in virtual time because a feature sees, in both, the instants its
/// work was due at and those at which something arrived; how late the real clock ran is in the record and
/// changes nothing. Where it was so late that the clock jumped, the jump is made again.
package enum Replay {
    /// What happens to requests that the record does not know.
    package enum Mode: String, CaseIterable, Sendable {
        /// They fail, the run goes on, and each is reported.
        case once
        /// The first of them ends the run.
        case none
        /// The world answers them; the report holds the record with those answers in it.
        case refresh
    }

    /// How long answers take.
    package enum Timing: Equatable, Sendable {
        /// As long as they took.
        case recorded
        /// No time: they come at the instant of their request.
        case zero
        /// As long as they took, times a factor.
        case scaled(numerator: Int64, denominator: Int64)
        /// From half to one and a half times as long, drawn by a seed.
        case jittered(seed: UInt64)

        /// Reads `recorded`, `zero`, `x2`, `x0.5`, `jitter:7`.
        package init?(_ text: String) {
            switch text {
            case "recorded": self = .recorded
            case "zero": self = .zero
            default:
                if text.hasPrefix("jitter:"), let seed = UInt64(text.dropFirst(7)) {
                    self = .jittered(seed: seed)
                } else if text.hasPrefix("x"), let factor = Self.factor(text.dropFirst()) {
                    self = factor
                } else {
                    return nil
                }
            }
        }

        private static func factor(_ text: Substring) -> Timing? {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let decimals = parts.count == 2 ? parts[1] : ""
            let digits = parts[0] + decimals
            guard parts.count <= 2, !parts[0].isEmpty, parts.count == 1 || !decimals.isEmpty,
                digits.utf8.count <= 12, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let numerator = Int64(digits)
            else { return nil }
            let denominator = decimals.reduce(Int64(1)) { tens, _ in tens * 10 }
            return .scaled(numerator: numerator, denominator: denominator)
        }

        package static let expected = "recorded, zero, a factor such as x2, or jitter:SEED"
    }

    /// How a record runs again.
    package struct Options: Equatable, Sendable {
        package var mode = Mode.once
        package var timing = Timing.recorded

        package init(mode: Mode = .once, timing: Timing = .recorded) {
            self.mode = mode
            self.timing = timing
        }
    }

    /// Starts `record`; `completion` is called once, from inside this call or a later turn of the host.
    /// Throws, with nothing opened, for a record that cannot run or does not fit its feature.
    ///
    /// - Returns: what gives the run up: its instance is closed, and `completion` is not called any more.
    @discardableResult
    package static func start(
        _ record: RecordFile, _ options: Options = Options(), on host: Host,
        completion: @escaping (ReplayReport) -> Void
    ) throws(HostError) -> () -> Void {
        let run = ReplayRun(record, options, on: host, completion: completion)
        try run.start()
        return run.giveUp
    }

    /// Runs `record` to its end, for a host that nobody else uses meanwhile. In a mode that asks the
    /// world, `turn` lets the world go on.
    package static func run(
        _ record: RecordFile, _ options: Options = Options(), on host: Host,
        turn: () -> Void = {}
    ) throws(HostError) -> ReplayReport {
        var report: ReplayReport?
        try start(record, options, on: host) { report = $0 }
        while report == nil {
            host.resumeRuns()
            turn()
        }
        guard let report else { preconditionFailure("a record ended without a report") }
        return report
    }
}
