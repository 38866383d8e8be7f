// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Testing

/// Time as it can go wrong.
extension Harness {
    /// Runs exactly one item, moving the clock to it. Returns false when nothing waited.
    @discardableResult
    public func step(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
        drive(.oneItem, sourceLocation)?.ran == 1
    }

    /// Runs until `condition` holds, asked before the first item and after each. When nothing waits any
    /// more, or `limit` items ran, and it does not hold, the test fails.
    public func run(
        until condition: @escaping () -> Bool, limit: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var holds = false
        let progress = drive(
            .idle, limit: limit,
            until: {
                holds = condition()
                return holds
            }, sourceLocation)
        guard progress != nil, !holds else { return }
        TestFailure.report(
            "the condition does not hold and nothing waits any more at tick \(clock)",
            sourceLocation)
    }

    /// Runs everything due before `time`; the clock ends there, and what is due there still waits.
    public func advance(before time: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        drive(.before(timeline.instant(ofTick: time)), sourceLocation)
    }

    /// Keeps the timeline busy for `duration` from tick `time` on, or from now: what falls due meanwhile
    /// runs late. The feature notices nothing but the time.
    public func busy(for duration: Duration, at time: Int? = nil) {
        precondition(duration >= .zero, "an action cannot take \(duration)")
        guard let time else { return timeline.busy(for: duration) }
        timeline.schedule(
            at: timeline.instant(ofTick: time), phase: .arrival, label: "busy"
        ) { [unowned timeline] in timeline.busy(for: duration) }
    }

    /// Lets the machine sleep for `duration`: timers come no closer, and the wall clock moves on.
    public func suspendMachine(for duration: Duration) { timeline.suspendMachine(for: duration) }

    /// Moves the wall clock alone, forward or back; no timer notices.
    public func jumpWall(by duration: Duration) { timeline.jumpWall(by: duration) }

    /// The wall clock, in nanoseconds since 1970-01-01 UTC.
    public var wallNanoseconds: Int64 { timeline.wallNanoseconds }
}
