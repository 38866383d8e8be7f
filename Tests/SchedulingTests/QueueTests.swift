// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scheduling

@Suite struct QueueTests {
    @Test(arguments: 0..<5 as Range<UInt64>)
    func `who came first is first, whatever the order of coming and going`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = Queue<Int>()
        var model: [Int] = []
        for number in 0..<5_000 {
            // It grows for a while, then shrinks.
            if Int.random(in: 0..<10, using: &random) < (number / 500 % 2 == 0 ? 7 : 3) {
                queue.append(number)
                model.append(number)
            } else {
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(queue.first == model.first && queue.count == model.count)
            #expect(queue.isEmpty == model.isEmpty)
        }
        // What was taken takes little more room than what waits.
        #expect(queue.elements.count <= max(64, 2 * queue.count) + 1)
    }

    @Test func `what was taken is let go of`() {
        final class Thing {}
        var queue = Queue<Thing>()
        queue.append(Thing())
        queue.append(Thing())
        weak let first = queue.first
        #expect(first != nil)
        _ = queue.popFirst()
        #expect(first == nil && queue.count == 1)
    }
}
