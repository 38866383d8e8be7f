// SPDX-License-Identifier: Apache-2.0

/// A chain of operators, event by event.
enum StreamRows {
    static func measure(_ bench: Bench) -> [Row] {
        let cost = Measure.pair(
            rounds: bench.rounds, ours: Chains.ours, theirs: Chains.openCombine)
        return [
            .pair(
                "subject, map, filter, scan, observer", .nanoseconds, cost, .ratioAtMost(0.2),
                against: "OpenCombine"),
            Row(
                name: "  allocations per event", unit: .count, ours: Chains.ourAllocations(),
                theirs: Chains.openCombineAllocations(), goal: .atMost(0), remark: "OpenCombine"),
        ]
    }
}
