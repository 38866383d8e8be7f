// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// The stubs of one instance, and what was asked of them.
///
/// The first rule that matches and is not used up answers. Bounded: of the calls, the newest 10,000
/// are kept.
package struct StubBook {
    package private(set) var stubs: [Stub] = []
    /// How often each rule answered.
    package private(set) var uses: [Int] = []
    /// What was asked so far, oldest first, and by which rule it was answered (nil: by none).
    package private(set) var calls: [Call] = []
    private static let callLimit = 10_000

    /// One request that a feature made.
    package struct Call {
        package var effect: String
        package var request: JSONValue
        package var at: Int64
        package var stub: Int?
    }

    /// Draws latencies; a stream of its own, so that no rule changes what the feature draws.
    private var random: RandomProvider?
    private let seed: UInt64

    package init(seed: UInt64 = 0) {
        self.seed = seed
    }

    /// What a rule does with a request.
    package enum Answering {
        /// These answers, after the request; none is never.
        case answers([TimedAnswer])
        /// These, once somebody releases what is held under the name.
        case held(String, [TimedAnswer])
    }

    /// Notes a request and returns what its rule does, or nil when no rule matches.
    package mutating func answering(
        _ effect: String, _ request: JSONValue, at now: Int64
    ) -> Answering? {
        guard let reply = reply(to: effect, request, at: now) else { return nil }
        var answers = reply.chunks
        if let answer = reply.answer { answers = [TimedAnswer(after: 0, answer)] }
        if let name = reply.release { return .held(name, answers) }
        var delay = reply.at.map { max(0, $0 &- now) } ?? reply.after
        if reply.spread > 0 { delay = Self.sum(delay, draw(reply.spread)) }
        for index in answers.indices {
            answers[index].after = Self.sum(delay, answers[index].after)
        }
        return .answers(answers)
    }

    private mutating func draw(_ spread: Int64) -> Int64 {
        let random = random ?? RandomProvider(seed: ~seed)
        self.random = random
        return random.draw(0, spread)
    }

    /// Held inside the range of `Int64`.
    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    /// Puts other rules in place; what was asked so far is kept.
    package mutating func replace(with stubs: [Stub]) {
        self.stubs = stubs
        uses = Array(repeating: 0, count: stubs.count)
    }

    /// Notes a request and returns what answers it, or nil when no rule does.
    package mutating func reply(
        to effect: String, _ request: JSONValue, at: Int64
    ) -> Stub.Reply? {
        let match = stubs.indices.first { index in
            stubs[index].matches(effect, request)
                && (!stubs[index].isSequence || uses[index] < stubs[index].replies.count)
        }
        if calls.count >= Self.callLimit { calls.removeFirst(Self.callLimit / 2) }
        calls.append(Call(effect: effect, request: request, at: at, stub: match))
        guard let match else { return nil }
        defer { uses[match] += 1 }
        let stub = stubs[match]
        return stub.isSequence ? stub.replies[uses[match]] : stub.replies[0]
    }

    /// The rules that answered nothing.
    package var unused: [Stub] {
        zip(stubs, uses).filter { $1 == 0 }.map(\.0)
    }
}
