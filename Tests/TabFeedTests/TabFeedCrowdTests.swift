// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import TabFeed
import Testing

/// A thousand feeds in one process, each on a timeline of its own, in tasks that run beside each other.
@Suite("tab-feed, a crowd")
struct TabFeedCrowdTests {
    /// One reader: when which tab is selected, and how slow the network is.
    private struct Reader: Sendable {
        let delay: Int
        let times: [Int]

        /// Different for each number, and the same in every run.
        init(_ number: Int) {
            delay = 1 + number * 37 % 90
            times = (1...8).map { $0 * 40 + number * $0 % 31 }
        }

        /// What must come, from the rule alone: a page comes unless the next selection is as early.
        var expected: [Recorded<Event<Int>>] {
            times.indices.compactMap { index in
                let due = times[index] + delay
                let isOvertaken = index + 1 < times.count && times[index + 1] <= due
                return isOvertaken ? nil : .next(due, index)
            }
        }

        /// What comes, and everything that happened besides.
        func run() throws -> (results: [Recorded<Event<Int>>], record: [String]) {
            let pages = times.indices.map { tab in
                StubRule.http(
                    "GET */tabs/\(tab)",
                    reply: .json(Page(id: tab, items: ["Of \(delay)"])).after(delay))
            }
            let feed = try Harness(TabFeed.self, stubs: pages)
            for (tab, time) in times.enumerated() { feed.send("select", tab, at: time) }
            feed.run()
            let results = feed.events("result", as: Page.self).map { recorded in
                Recorded(time: recorded.time, value: recorded.value.map(\.id))
            }
            return (results, feed.record)
        }
    }

    @Test func `a thousand feeds in parallel tasks do not touch each other`() async throws {
        let runs = try await withThrowingTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask { (number, try Reader(number).run()) }
            }
            var runs: [Int: (results: [Recorded<Event<Int>>], record: [String])] = [:]
            for try await (number, run) in group { runs[number] = run }
            return runs
        }
        for number in 0..<1_000 {
            let run = try #require(runs[number])
            expectEvents(run.results, Reader(number).expected)
        }
        // Alone, a feed does exactly what it did in the crowd.
        for number in stride(from: 0, to: 1_000, by: 97) {
            #expect(try Reader(number).run().record == runs[number]?.record)
        }
    }

    @Test func `the crowd has readers that overtake and readers that do not`() {
        let counts = Set((0..<1_000).map { Reader($0).expected.count })
        #expect(counts.isSuperset(of: [1, 8]) && counts.count > 3, "\(counts.sorted())")
    }
}
