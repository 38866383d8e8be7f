// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import TestSupport
import Testing

@Suite struct SubscriptionTests {
    @Test func `what a subscription holds is given up in the order in which it came, once`() {
        let subscription = Subscription()
        var said: [Int] = []
        for number in 1...5 { subscription.onDispose { said.append(number) } }
        subscription.dispose()
        subscription.dispose()
        #expect(said == [1, 2, 3, 4, 5])
        subscription.onDispose { said.append(6) }
        #expect(said == [1, 2, 3, 4, 5, 6])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `children that come and go in any order leave the others in theirs`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let parent = Subscription()
        var ended: [Int] = []
        var open: [(number: Int, child: Subscription)] = []
        for number in 0..<600 {
            // It grows, then shrinks to nothing, then grows again.
            if open.isEmpty || Int.random(in: 0..<10, using: &random) < (number / 200 == 1 ? 2 : 7)
            {
                let child = parent.makeChild()
                child.onDispose { ended.append(number) }
                open.append((number, child))
            } else {
                let index = Int.random(in: 0..<open.count, using: &random)
                let (number, child) = open.remove(at: index)
                child.dispose()
                #expect(ended.last == number)
            }
        }
        ended = []
        parent.dispose()
        #expect(ended == open.map(\.number))
        #expect(open.allSatisfy { $0.child.isDisposed })
    }

    @Test func `a child of one subscription may be added to another, and is forgotten by its own`()
    {
        let (parent, other) = (Subscription(), Subscription())
        for subscription in [parent, other] {
            for _ in 0..<3 { subscription.onDispose {} }
        }
        for _ in 0..<2 { _ = other.makeChild() }
        weak var child: Subscription?
        do {
            _ = parent.makeChild()
            let made = parent.makeChild()
            other.add(made)
            child = made
            made.dispose()
        }
        #expect(child != nil, "the other still holds it")
        other.dispose()
        #expect(child == nil, "its parent has forgotten it")
        #expect(!parent.isDisposed)
    }

    @Test func `who gives up in the last value hears no end of it`() {
        let source = PublishSubject<Int>()
        var ended = 0
        var subscription: (any Disposable)?
        for stream in [source.take(1), source.debounce(.seconds(1), scheduler: TestScheduler())] {
            subscription = stream.do(onCompleted: { ended += 1 }).subscribe(onNext: { _ in
                subscription?.dispose()
            })
            source.onNext(1)
        }
        source.onCompleted()
        #expect(ended == 0)
    }

    @Test func `a parent that is gone is not looked for by its children`() {
        var children: [Subscription] = []
        do {
            let parent = Subscription()
            for _ in 0..<5 { children.append(parent.makeChild()) }
        }
        for child in children { child.dispose() }
        #expect(children.allSatisfy { $0.isDisposed })
    }
}
