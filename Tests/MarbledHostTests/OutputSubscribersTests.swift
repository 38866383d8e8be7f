// SPDX-License-Identifier: Apache-2.0

import MarbledHost
import TestSupport
import Testing

@Suite struct OutputSubscribersTests {
    @Test func `whoever stays is in the order of coming, whoever leaves, and holes are few`() {
        var random = SeededRandom(seed: 7)
        var subscribers = OutputSubscribers()
        var model: [Listener] = []
        for round in 0..<400 {
            // It grows first, and shrinks then.
            if model.isEmpty || Int.random(in: 0..<400, using: &random) > round {
                let listener = Listener()
                subscribers.add(listener)
                model.append(listener)
            } else {
                subscribers.remove(
                    model.remove(at: Int.random(in: model.indices, using: &random)))
            }
            subscribers.checkInvariants()
            #expect(subscribers.count == model.count)
            #expect(subscribers.places.count <= 2 * model.count)
        }
        #expect(
            subscribers.places.compactMap { $0.map(ObjectIdentifier.init) }
                == model.map(ObjectIdentifier.init))
    }

    @Test func `who is not there is not removed`() {
        var subscribers = OutputSubscribers()
        let (first, second) = (Listener(), Listener())
        subscribers.add(first)
        subscribers.remove(second)
        #expect(subscribers.count == 1)
        subscribers.remove(first)
        subscribers.remove(first)
        #expect(subscribers.isEmpty)
    }
}
