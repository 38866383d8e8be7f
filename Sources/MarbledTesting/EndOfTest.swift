// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
internal import Testing

/// What is left over when a test ends; every kind that is not allowed fails it, one issue per kind.
struct EndOfTest {
    private var found: [Leftover: [String]] = [:]
    private let allowed: Set<Leftover>
    private let names: Set<String>

    /// An end that lets the kinds `allowed` pass, and whatever bears one of `names`.
    init(allowing allowed: Set<Leftover>, except names: Set<String>) {
        self.allowed = allowed
        self.names = names
    }

    /// Notes what is left over under `name`, unless that is allowed.
    mutating func add(_ leftover: Leftover, _ name: String, _ text: String) {
        guard !allowed.contains(leftover), !names.contains(name) else { return }
        found[leftover, default: []].append(text)
    }

    /// Notes what waits on `timeline`, what runs there, and what keeps it from moving.
    mutating func addPending(on timeline: VirtualTimeScheduler) {
        let now = timeline.tickNow
        // Names that are allowed may stand in front of one that is not.
        for work in timeline.pending(limit: .max) {
            let name = "\(work.label)"
            let due = Int(work.due.nanoseconds / timeline.tick.wholeNanoseconds)
            let wait = due > now ? ", \(due - now) from now" : ""
            add(.pendingTimers, name, "\(name), due at tick \(due)\(wait)")
        }
        for task in timeline.executor.runningTasks {
            let since = Int(task.since.nanoseconds / timeline.tick.wholeNanoseconds)
            let text = "\(task.label), started at \(task.place) \(sinceText(since, now: now))"
            add(.runningTasks, "\(task.label)", text)
        }
        for name in timeline.holdLabels { add(.openHolds, name, name) }
    }

    func report(_ sourceLocation: SourceLocation, _ footer: String? = nil) {
        for leftover in Leftover.allCases {
            guard let items = found[leftover] else { continue }
            var text = "\(Self.sentence(leftover)):"
            for item in items.prefix(16) { text += "\n  \(item)" }
            if items.count > 16 { text += "\n  … and \(items.count - 16) more" }
            if let footer { text += "\n\(footer)" }
            text += "\nallow it with finish(allowing: [.\(leftover.rawValue)])"
            TestFailure.report(text, sourceLocation)
        }
    }

    private static func sentence(_ leftover: Leftover) -> String {
        switch leftover {
        case .unusedStubs: "stubs answered nothing"
        case .openEffects: "effects have had no answer"
        case .unstubbedEffects: "no stub answered"
        case .pendingTimers: "work still waits"
        case .runningTasks: "tasks have not ended"
        case .unconsumedOutputs: "something was said and the test never looked"
        case .openExpectations: "expectations were never told what to be"
        case .unmetCalls: "calls were expected and did not come"
        case .unhandledErrors: "nobody took the errors"
        case .openHolds: "the clock is held"
        }
    }
}

/// How long something has waited, for people: `at tick 10, 90 ticks ago`.
func sinceText(_ since: Int, now: Int) -> String {
    now > since ? "at tick \(since), \(now - since) ticks ago" : "at tick \(since)"
}
