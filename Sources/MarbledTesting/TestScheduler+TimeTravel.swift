// SPDX-License-Identifier: Apache-2.0

internal import Scheduling
public import Testing

/// Time as it can go wrong.
extension TestScheduler {
    /// Runs exactly one item, moving the clock to it. Returns false when nothing waited.
    @discardableResult
    public func step(sourceLocation: SourceLocation = #_sourceLocation) -> Bool {
        drive(sourceLocation) { () throws(SchedulingError) in try timeline.step() }?.ran == 1
    }

    /// Runs until `condition` holds, asked before the first item and after each. When nothing waits any
    /// more, or `limit` items ran, and it does not hold, the test fails.
    public func run(
        until condition: () -> Bool, limit: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var holds = false
        let progress = drive(sourceLocation) { () throws(SchedulingError) in
            try timeline.run(
                until: {
                    holds = condition()
                    return holds
                }, limit: limit)
        }
        guard progress != nil, !holds else { return }
        TestFailure.report(
            "the condition does not hold and nothing waits any more at tick \(clock)",
            sourceLocation)
    }

    /// Runs everything due before `time`; the clock ends there, and what is due there still waits.
    public func advance(before time: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in
            try timeline.advance(before: timeline.instant(ofTick: time))
        }
    }

    /// Runs everything due now, also what that makes for now.
    public func runDue(sourceLocation: SourceLocation = #_sourceLocation) {
        drive(sourceLocation) { () throws(SchedulingError) in try timeline.runDue() }
    }

    /// Lets the running action take `duration`: what falls due meanwhile runs late.
    public func busy(for duration: Duration) { timeline.busy(for: duration) }

    /// Lets the machine sleep for `duration`: timers come no closer, and the wall clock moves on.
    public func suspendMachine(for duration: Duration) { timeline.suspendMachine(for: duration) }

    /// Moves the wall clock alone, forward or back; no timer notices.
    public func jumpWall(by duration: Duration) { timeline.jumpWall(by: duration) }
}
