// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Scheduling

@Suite struct WorkQueueTests {
    /// What a queue should hold, kept the simplest way.
    private struct Model {
        var items: [(time: Int64, step: UInt32, phase: Phase, sequence: Int, token: WorkToken)] = []

        var first: Int? { inOrder.first }

        var inOrder: [Int] {
            items.indices.sorted {
                let (left, right) = (items[$0], items[$1])
                return (left.time, left.step, left.phase.rawValue, left.sequence)
                    < (right.time, right.step, right.phase.rawValue, right.sequence)
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `under random use the queue does what a plain list does`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = WorkQueue()
        var model = Model()
        var past: [WorkToken] = []
        var ranSequence = -1
        for sequence in 0..<2000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let time = Int64.random(in: -3...20, using: &random)
                let step = UInt32.random(in: 0...2, using: &random)
                let phase = Phase.allCases.randomElement(using: &random) ?? .timer
                let token = queue.push(time: time, step: step, phase: phase, label: "item") {
                    ranSequence = sequence
                }
                model.items.append((time, step, phase, sequence, token))
            case 5..<7 where !model.items.isEmpty:
                let victim = Int.random(in: model.items.indices, using: &random)
                let token = model.items.remove(at: victim).token
                #expect(queue.cancel(token) != nil)
                past.append(token)
            case 7:
                if let token = past.randomElement(using: &random) {
                    #expect(queue.cancel(token) == nil)
                }
            default:
                let limit = Int64.random(in: -3...20, using: &random)
                let first = model.first
                #expect(queue.nextTime() == first.map { model.items[$0].time })
                #expect(queue.nextStep() == (first.map { model.items[$0].step } ?? 0))
                let item = queue.pop(through: limit)
                guard let first, model.items[first].time <= limit else {
                    #expect(item == nil)
                    continue
                }
                let expected = model.items.remove(at: first)
                item?.work()
                #expect(ranSequence == expected.sequence)
                #expect(item?.time == expected.time && item?.step == expected.step)
                past.append(expected.token)
            }
            if sequence.isMultiple(of: 50) {
                let limit = Int.random(in: 0...80, using: &random)
                let waiting = queue.waiting(limit: limit).map(\.time)
                #expect(waiting == model.inOrder.prefix(limit).map { model.items[$0].time })
            }
            queue.checkInvariants()
            #expect(queue.live == model.items.count)
        }
        #expect(queue.waiting(limit: .max).count == model.items.count)
    }

    @Test func `memory stays small when a timer is restarted a million times`() {
        var queue = WorkQueue()
        for number in 0..<10 {
            _ = queue.push(time: Int64(number), step: 0, phase: .timer, label: "other") {}
        }
        var token = WorkToken.none
        var most = 0
        for round in 0..<1_000_000 {
            _ = queue.cancel(token)
            token = queue.push(time: Int64(round), step: 0, phase: .timer, label: "timer") {}
            most = max(most, queue.count)
        }
        #expect(queue.live == 11)
        #expect(most <= 128)
        #expect(queue.capacity <= 256 && queue.slotCapacity <= 16)
        queue.checkInvariants()
    }

    @Test func `after every cancellation the dead are no more than the living, or few`() {
        var random = SeededRandom(seed: 3)
        var queue = WorkQueue()
        var tokens = (0..<5000).map { number in
            queue.push(time: Int64(number * 7919 % 5000), step: 0, phase: .timer, label: "item") {}
        }
        tokens.shuffle(using: &random)
        for token in tokens {
            #expect(queue.cancel(token) != nil)
            if queue.count > max(64, 2 * queue.live + 1) {
                Issue.record("\(queue.count) entries for \(queue.live) items")
                break
            }
        }
        #expect(queue.live == 0 && queue.nextTime() == nil)
    }

    @Test func `who asks what is next meets what was cancelled before it once`() {
        var queue = WorkQueue()
        let tokens = (0..<5_000).map { number in
            queue.push(time: Int64(number), step: 0, phase: .timer, label: "item") {}
        }
        for token in tokens[1..<2_000] { #expect(queue.cancel(token) != nil) }
        #expect(queue.count == 5_000)
        #expect(queue.waiting(limit: 1).map(\.time) == [0])
        #expect(queue.waiting(limit: 3).map(\.time) == [0, 2_000, 2_001])
        #expect(queue.count == 3_001 && queue.live == 3_001)
        queue.checkInvariants()
        #expect(queue.pop(through: 0) != nil)
        #expect(queue.waiting(limit: 1).map(\.time) == [2_000])
    }

    @Test func `everything taken back at once is handed out, and the queue goes on`() {
        var queue = WorkQueue()
        for number in 0..<100 {
            _ = queue.push(time: Int64(number), step: 0, phase: .timer, label: "item") {}
        }
        #expect(queue.removeAll().count == 100)
        queue.checkInvariants()
        #expect(queue.nextTime() == nil && queue.nextLabel() == nil)
        _ = queue.push(time: 5, step: 0, phase: .timer, label: "new") {}
        #expect(queue.nextLabel()?.description == "new")
        #expect(queue.pop(through: 4) == nil)
        #expect(queue.pop(through: 5) != nil)
    }

    @Test func `a label and a token cross a C boundary and back`() {
        let label: WorkLabel = "debounce"
        #expect(WorkLabel(immortal: label.cString).description == "debounce")
        let token = WorkToken(rawValue: 42)
        #expect(WorkToken(rawValue: token.rawValue) == token)
    }
}
