// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import TestSupport
import Testing

struct RPCSessionTests {
    /// A bit of everything, with answers that depend on order and place.
    private static let conversation: [UInt8] =
        Array(
            ([
                Request.ping(1), "", Request.call("echo", 2, #"{"value":"ü\n"}"#), "\r", "{", "[]",
                "[1]",
                Request.notify("echo"), "[\(Request.ping(3)),\(Request.notify("drop"))]",
                Request.call("nobody", 4), Request.call("echo", 5, #"{"valeu":1}"#) + "\r",
            ] as [String]).joined(separator: "\n").utf8) + [0x0A]

    @Test func `how the bytes arrive does not matter`() {
        let whole = Front()
        whole.receive(Self.conversation)
        let lines = whole.takeLines()
        #expect(lines.count == 8)
        let single = Front()
        single.receive(Self.conversation) { 1 }
        #expect(single.takeLines() == lines)
        #expect(single.seen == whole.seen)
        let byLine = Front()
        for line in Self.conversation.split(separator: 0x0A, omittingEmptySubsequences: false) {
            byLine.receive(line + [0x0A])
        }
        #expect(byLine.takeLines() == lines)
        for seed in 0..<200 {
            var random = SeededRandom(seed: UInt64(seed))
            let front = Front()
            front.receive(Self.conversation) { Int.random(in: 1...50, using: &random) }
            #expect(front.takeLines() == lines, "seed \(seed)")
        }
    }

    @Test func `sessions share a validator`() {
        let validator = JSONValidator()
        let fronts = [Front(validator: validator), Front(validator: validator)]
        let reference = Front()
        reference.receive(Self.conversation)
        let lines = reference.takeLines()
        for byte in Self.conversation {
            for front in fronts { front.receive([byte]) }
        }
        for front in fronts { #expect(front.takeLines() == lines) }
    }

    @Test func `a line too long is answered and ends the session`() throws {
        var limits = RPCLimits()
        limits.lineBytes = 100
        let front = Front(limits: limits)
        let action = front.receive(
            Request.ping(1) + "\n" + String(repeating: " ", count: 101) + Request.ping(2) + "\n")
        #expect(action == .close)
        let answers = try front.takeValues()
        #expect(answers.count == 2)
        #expect(answers[0]["result"] == [:])
        #expect(answers[1]["id"] == .null)
        #expect(answers[1]["error"]?["data"]?["kind"] == "limit")
        #expect(front.receive(Request.ping(3) + "\n") == .close)
        #expect(front.takeLines().isEmpty)
        #expect(front.seen == ["ping"])
    }

    @Test func `half a line and a hang-up close without a word`() {
        let front = Front()
        #expect(front.receive(#"{"jsonrpc":"2.0","#) == .read)
        front.session.inputEnded()
        #expect(front.session.process(front) == .close)
        #expect(front.takeLines().isEmpty)
    }

    @Test func `calls before the end of input are answered before the close`() {
        let front = Front()
        front.receive(Request.call("keep", 1) + "\n")
        front.session.inputEnded()
        #expect(front.session.process(front) == .waitForAnswers)
        front.kept[0].take()?.succeed()
        #expect(front.session.process(front) == .close)
        #expect(front.takeLines().count == 1)
    }

    @Test func `a budget cuts the work into turns`() {
        let front = Front()
        let bytes = Array((1...10).map { Request.ping($0) + "\n" }.joined().utf8)
        bytes.withUnsafeBytes {
            front.session.room(atLeast: $0.count).copyMemory(from: $0)
            front.session.didRead($0.count)
        }
        var turns: [Int] = []
        while true {
            let action = front.session.process(front, budget: 4)
            turns.append(front.takeLines().count)
            if action == .read { break }
            #expect(action == .yield)
        }
        #expect(turns == [4, 4, 2])
    }

    @Test func `a batch spends as much budget as it holds`() {
        let front = Front()
        let batch = "[" + (1...5).map(Request.ping).joined(separator: ",") + "]\n"
        let bytes = Array((batch + Request.ping(6) + "\n").utf8)
        bytes.withUnsafeBytes {
            front.session.room(atLeast: $0.count).copyMemory(from: $0)
            front.session.didRead($0.count)
        }
        #expect(front.session.process(front, budget: 4) == .yield)
        #expect(front.takeLines().count == 1)
        #expect(front.session.process(front, budget: 4) == .read)
        #expect(front.takeLines().count == 1)
    }

    @Test func `at the limit of calls in flight it pauses, and an answer lets it go on`() {
        let front = Front()
        let text = (1...70).map { Request.call("keep", $0) + "\n" }.joined()
        #expect(front.receive(text) == .waitForAnswers)
        #expect(front.kept.count == 64)
        #expect(front.session.callsInFlight == 64)
        front.kept[10].take()?.succeed()
        #expect(front.session.process(front) == .waitForAnswers)
        #expect(front.kept.count == 65)
        for reply in front.kept { reply.take()?.succeed() }
        #expect(front.session.process(front) == .read)
        #expect(front.kept.count == 70)
        for reply in front.kept { reply.take()?.succeed() }
        #expect(front.takeLines().count == 70)
        #expect(front.session.callsInFlight == 0)
    }

    @Test
    func `at that limit a call that ends another is taken, where no other line waits before it`() {
        let release = Method<Front>("release", level: .read, doc: "", passesCallLimit: true) {
            call, reply in
            call.context.kept.removeFirst().take()?.succeed()
            reply.succeed()
        }
        let front = Front(Front.makeRouter([release]))
        func keep(_ id: Int) -> String { Request.call("keep", id) + "\n" }
        #expect(front.receive((1...64).map(keep).joined()) == .read)
        #expect(front.session.strikes.callsInFlight == 0)
        #expect(front.receive(Request.call("release", 65) + "\r\n" + keep(66)) == .read)
        #expect(front.takeLines().count == 2)
        #expect(front.session.callsInFlight == 64)
        let rest = "\n" + Request.ping(67) + "\r\n" + Request.call("release", 68) + "\n"
        #expect(front.receive(rest) == .waitForAnswers)
        #expect(front.session.process(front) == .waitForAnswers)
        #expect(front.session.strikes.callsInFlight == 2)
        #expect(front.takeLines().isEmpty)
        front.kept.removeFirst().take()?.succeed()
        #expect(front.session.process(front) == .read)
        #expect(front.takeLines().count == 4)
        #expect(front.session.callsInFlight == 62)
    }

    @Test func `a caller of too low a level is denied before any effect`() throws {
        let front = Front()
        front.session.level = .read
        let answers = try front.answer(Request.call("drop", 1))
        #expect(answers[0]["error"]?["data"]?["kind"] == "denied")
        #expect(front.seen.isEmpty)
        front.session.level = .control
        #expect(try front.answer(Request.call("drop", 1))[0]["error"]?["code"] == -32603)
    }
}
