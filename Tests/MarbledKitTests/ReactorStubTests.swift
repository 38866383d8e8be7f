// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct ReactorStubTests {
    typealias Made = ReactorTests.Made

    @Test func `on, it logs what is sent and no logic runs`() {
        let reactor = ReactorTests.Stages()
        reactor.stub.isEnabled = true
        reactor.action.onNext(["a"])
        reactor.action.onNext(["b"])
        #expect(reactor.stub.actions == [["a"], ["b"]])
        #expect(reactor.currentState == [])
        #expect(reactor.transforms == [])
    }

    @Test func `off, it logs nothing`() {
        let reactor = Made()
        reactor.action.onNext(1)
        #expect(reactor.stub.actions == [])
        #expect(!reactor.stub.isEnabled)
    }

    @Test func `its state drives the stream and the current state`() {
        let reactor = Made()
        reactor.states = { $0.map { $0 + [0] } }
        var seen: [[Int]] = []
        reactor.stub.isEnabled = true
        reactor.state.subscribe(onNext: { seen.append($0) })
        reactor.stub.state = [1]
        #expect(reactor.currentState == [1])
        #expect(reactor.stub.state == [1])
        reactor.stub.state = [1, 2]
        #expect(seen == [[], [1], [1, 2]])
    }

    @Test func `who bound before it was turned on is stubbed like the others`() {
        let reactor = Made()
        var seen: [[Int]] = []
        let action = reactor.action
        reactor.state.subscribe(onNext: { seen.append($0) })
        action.onNext(1)
        reactor.stub.isEnabled = true
        action.onNext(2)
        reactor.stub.state = [8]
        #expect(reactor.stub.actions == [2])
        #expect(seen == [[], [1], [8]])
    }

    @Test
    func `turned on, it gives running effects up; turned off, the logic goes on from its state`() {
        let scheduler = TestScheduler()
        var isDisposed = false
        let reactor = Made { _, action in
            Observable<Int>.timer(.milliseconds(5)).map { _ in action }
                .do(onDispose: { isDisposed = true })
        }
        let action = reactor.action
        action.onNext(1)
        reactor.stub.isEnabled = true
        #expect(isDisposed)
        scheduler.advanceTo(10)
        #expect(reactor.currentState == [])
        reactor.stub.state = [8]
        reactor.stub.isEnabled = false
        action.onNext(2)
        scheduler.advanceTo(20)
        #expect(reactor.currentState == [8, 2])
        #expect(reactor.stub.actions == [])
    }

    @Test func `turned on in the middle of a step, it forgets what the logic had in hand`() {
        let reactor = Made { _, action in .of(action, 2) }
        let outside = PublishSubject<Int>()
        reactor.mutations = { .merge($0, outside) }
        reactor.state.subscribe(onNext: { state in
            guard state == [1] else { return }
            outside.onNext(3)
            reactor.stub.isEnabled = true
            reactor.action.onNext(4)
        })
        reactor.action.onNext(1)
        #expect(reactor.currentState == [1])
        #expect(reactor.stub.actions == [4])
    }

    @Test func `off, a test can begin from any state`() {
        let reactor = Made()
        reactor.stub.state = [1, 2, 3]
        reactor.action.onNext(4)
        #expect(reactor.currentState == [1, 2, 3, 4])
    }

    @Test(arguments: [true, false])
    func `a mutation that is fed is reduced, and every one can be seen`(_ isEnabled: Bool) {
        let reactor = Made()
        _ = reactor.state
        reactor.stub.isEnabled = isEnabled
        var seen: [Int] = []
        reactor.stub.mutation.subscribe(onNext: { seen.append($0) })
        reactor.stub.mutation.onNext(5)
        reactor.action.onNext(6)
        #expect(reactor.currentState == (isEnabled ? [5] : [5, 6]))
        #expect(seen == reactor.currentState)
    }

    @Test func `states set from an observer of the state are queued, never nested`() {
        let reactor = Made()
        reactor.stub.isEnabled = true
        var first: [[Int]] = []
        var second: [[Int]] = []
        reactor.state.subscribe(onNext: { state in
            first.append(state)
            if state == [1] { reactor.stub.state = [2] }
        })
        reactor.state.subscribe(onNext: { second.append($0) })
        reactor.stub.state = [1]
        #expect(first == [[], [1], [2]])
        #expect(second == first)
    }

    @Test func `a stub does not keep its reactor`() {
        weak var gone: Made?
        let stub: ReactorStub<Int, Int, [Int]>
        do {
            let reactor = Made()
            gone = reactor
            stub = reactor.stub
            stub.isEnabled = true
            stub.state = [1]
        }
        #expect(gone == nil)
        #expect(stub.state == [1])
    }
}
