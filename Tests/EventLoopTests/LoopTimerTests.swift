// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EventLoop

@Suite struct LoopTimerTests {
    @Test func `a timer strikes once, and not early`() throws {
        try withLoop { loop in
            var strikes: [Int64] = []
            let timer = LoopTimer(on: loop) { strikes.append(EventLoop.monotonicNanoseconds) }
            let start = EventLoop.monotonicNanoseconds
            timer.start(after: .microseconds(1500))
            loop.turn { !strikes.isEmpty }
            loop.turn(waiting: false)
            #expect(strikes.count == 1)
            #expect(strikes[0] - start >= 1_500_000)
        }
    }

    @Test func `a timer started late in a long callback is not early`() throws {
        try withLoop { loop in
            var start: Int64 = 0
            var strike: Int64?
            let timer = LoopTimer(on: loop) { strike = EventLoop.monotonicNanoseconds }
            loop.nextTurn {
                compute(forNanoseconds: 8_000_000)
                start = EventLoop.monotonicNanoseconds
                timer.start(after: .milliseconds(3))
            }
            loop.turn { strike != nil }
            #expect((strike ?? 0) - start >= 3_000_000)
        }
    }

    @Test func `a repeating timer strikes until it is stopped from its own strike`() throws {
        try withLoop { loop in
            var strikes = 0
            let timer = LoopTimer(on: loop)
            timer.onStrike = {
                strikes += 1
                if strikes == 3 { timer.stop() }
            }
            timer.start(after: .zero, every: .microseconds(10))
            loop.turn { strikes == 3 }
            var isOver = false
            let other = LoopTimer(on: loop) { isOver = true }
            other.start(after: .milliseconds(5))
            loop.turn { isOver }
            #expect(strikes == 3)
            timer.onStrike = {}
        }
    }

    @Test func `a timer that is started again starts over`() throws {
        try withLoop { loop in
            var order: [String] = []
            let first = LoopTimer(on: loop) { order.append("first") }
            let second = LoopTimer(on: loop) { order.append("second") }
            first.start(after: .milliseconds(1))
            second.start(after: .milliseconds(3))
            first.start(after: .milliseconds(6))
            loop.turn { order.count == 2 }
            #expect(order == ["second", "first"])
        }
    }

    @Test func `a timer may close itself when it strikes`() throws {
        try withLoop { loop in
            let timer = LoopTimer(on: loop)
            var strikes = 0
            timer.onStrike = { [unowned timer] in
                strikes += 1
                timer.close()
                timer.start(after: .zero)
            }
            timer.start(after: .zero, every: .milliseconds(1))
            loop.turn { strikes == 1 }
            loop.turn(waiting: false)
            #expect(strikes == 1 && !timer.isOpen)
        }
    }
}
