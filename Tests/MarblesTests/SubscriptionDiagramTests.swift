// SPDX-License-Identifier: Apache-2.0

import Marbles
import Scheduling
import TestSupport
import Testing

private func milliseconds(_ count: Int64?) -> Instant? {
    count.map { Instant(nanoseconds: $0 * 1_000_000) }
}

@Suite struct `A subscription diagram` {
    @Test(
        arguments: [
            ("", nil, nil), ("---", nil, nil), ("^", 0, nil), ("--^-", 2, nil), ("--^---!", 2, 6),
            ("^!", 0, 1), ("--(^!)--", 2, 2), ("10ms ^ 1s !", 10, 1010), (" - ^ - ! - ", 1, 3),
        ] as [(String, Int64?, Int64?)])
    func `says when a stream was subscribed to and left`(
        text: String, subscribed: Int64?, unsubscribed: Int64?
    ) throws {
        let diagram = try SubscriptionDiagram(parsing: text)
        #expect(diagram.subscribed == milliseconds(subscribed))
        #expect(diagram.unsubscribed == milliseconds(unsubscribed))
    }

    @Test(arguments: [
        ("-^-^", 4, "second `^`"), ("-^!!", 4, "second `!`"), ("--!", 3, "before `^`"),
        ("(!^)", 2, "before `^`"), ("-^a", 3, "no events"), ("-^|", 3, "no events"),
        ("#", 1, "no events"), ("-(^", 2, "never closed"), ("(^-!)", 3, "inside a group"),
    ])
    func `is refused with the column of the fault`(
        text: String, column: Int, message: String
    ) throws {
        let error = try #require(throws: MarbleError.self) {
            try SubscriptionDiagram(parsing: text)
        }
        #expect(error.column == column)
        #expect(error.message.contains(message), "\(error.message)")
    }

    @Test(arguments: [
        ("--", "-"), ("--^--!--", "--^--!"), ("(^!)", "(^!)"), ("--^ 1000ms !", "--^ 1s !"),
    ])
    func `prints its canonical text`(text: String, canonical: String) throws {
        #expect(try SubscriptionDiagram(parsing: text).description == canonical)
    }

    @Test func `reads back what it printed`() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<3000 {
            let tick = random.tick()
            let from = random.gap(tick: tick)
            let isOpen = Bool.random(using: &random)
            let to = isOpen ? nil : Instant(nanoseconds: from + random.gap(tick: tick))
            let diagram = SubscriptionDiagram(
                subscribed: Instant(nanoseconds: from), unsubscribed: to, tick: tick)
            #expect(
                try SubscriptionDiagram(parsing: diagram.description, tick: tick) == diagram,
                "\(diagram)")
        }
    }

    @Test func `leaving before subscribing is a programmer's mistake`() async {
        await #expect(processExitsWith: .failure) {
            _ = SubscriptionDiagram(subscribed: nil, unsubscribed: .zero)
        }
        await #expect(processExitsWith: .failure) {
            _ = SubscriptionDiagram(
                subscribed: Instant(nanoseconds: 2), unsubscribed: Instant(nanoseconds: 1))
        }
    }
}
