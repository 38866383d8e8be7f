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
        /// The rule that answered, or withheld the answer.
        package var stub: Int?
        /// Which request it was, for who asks once more.
        var id: UInt64 = 0
    }

    /// Draws latencies, garbage and orders; a stream of its own, so that no rule changes what the feature draws.
    private var random: RandomProvider?
    private let seed: UInt64

    package init(seed: UInt64 = 0) {
        self.seed = seed
    }

    /// Answers that wait for others of their window, by rule.
    private var windows: [Int: [Gathered]] = [:]
    /// The partitions that were healed by hand, by rule.
    private var healed: Set<Int> = []

    /// What a rule does with a request.
    package enum Answering {
        /// These answers, after the request; none is never.
        case answers([TimedAnswer])
        /// These, once somebody releases what is held under the name.
        case held(String, [TimedAnswer])
        /// Its answers wait for others of this rule, no longer than `within` from the first on.
        case gathered(rule: Int, within: Int64?)
        /// It was the last of its window: each of these is answered, in this order, after now.
        case window(rule: Int, [(id: UInt64, answers: [TimedAnswer])])
        /// This partition cut it off, and it waits: to be asked again when that heals.
        case cutOff(rule: Int)
    }

    /// Answers that wait: due at `due`, each further one so much later.
    private struct Gathered {
        var id: UInt64
        var due: Int64
        var answers: [TimedAnswer]
    }

    /// Notes a request and returns what its rule does, or nil when no rule matches.
    ///
    /// - Parameters:
    ///   - id: names the request; greater than those before.
    ///   - isAgain: whether it was asked before and cut off; it is not noted twice.
    package mutating func answering(
        _ effect: String, _ request: JSONValue, at now: Int64, id: UInt64 = 0, isAgain: Bool = false
    ) -> Answering? {
        if let rule = partition(cutting: effect, request, at: now) {
            note(effect, request, now, rule, id, isAgain)
            let refusal = stubs[rule].partition?.refusal
            return refusal.map { .answers([TimedAnswer(after: 0, $0)]) } ?? .cutOff(rule: rule)
        }
        guard let (rule, reply) = match(effect, request, now, id, isAgain) else { return nil }
        let random = draws()
        var answers = reply.answers(to: request, random)
        if let name = reply.release { return .held(name, answers) }
        var delay = reply.at.map { max(0, $0 &- now) } ?? reply.after
        if reply.spread > 0 { delay = Self.sum(delay, random.draw(0, reply.spread)) }
        if let reorder = stubs[rule].reorder {
            let one = Gathered(id: id, due: Self.sum(now, delay), answers: answers)
            windows[rule, default: []].append(one)
            guard windows[rule, default: []].count >= reorder.window else {
                return .gathered(rule: rule, within: reorder.within)
            }
            return .window(rule: rule, closeWindow(rule, at: now))
        }
        for index in answers.indices {
            answers[index].after = Self.sum(delay, answers[index].after)
        }
        return .answers(answers)
    }

    /// Ends a window: its answers, each after now, in the order in which they come.
    ///
    /// The times stay those that the rule gives; which answer has which is drawn.
    package mutating func closeWindow(
        _ rule: Int, at now: Int64
    ) -> [(id: UInt64, answers: [TimedAnswer])] {
        let window = windows.removeValue(forKey: rule) ?? []
        let dues = window.map { max(0, $0.due &- now) }.sorted()
        return zip(dues, shuffled(window)).map { due, one in
            (
                one.id,
                one.answers.map { TimedAnswer(after: Self.sum(due, $0.after), $0.answer) }
            )
        }
    }

    /// The rules whose windows are not full, in order.
    var openWindows: [Int] { windows.keys.sorted() }

    /// In an order that the seed draws, and not in their own.
    private mutating func shuffled(_ window: [Gathered]) -> [Gathered] {
        guard window.count > 1 else { return window }
        let random = draws()
        var order = Array(window.indices)
        while order == Array(window.indices) {
            for last in (1..<order.count).reversed() {
                order.swapAt(last, Int(random.draw(0, Int64(last))))
            }
        }
        return order.map { window[$0] }
    }

    private mutating func draws() -> RandomProvider {
        let random = random ?? RandomProvider(seed: ~seed)
        self.random = random
        return random
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
        windows = [:]
        healed = []
    }

    /// Notes a request and returns what answers it, or nil when no rule does.
    package mutating func reply(
        to effect: String, _ request: JSONValue, at: Int64
    ) -> Stub.Reply? {
        match(effect, request, at, 0, false)?.reply
    }

    private mutating func match(
        _ effect: String, _ request: JSONValue, _ now: Int64, _ id: UInt64, _ isAgain: Bool
    ) -> (rule: Int, reply: Stub.Reply)? {
        let match = stubs.indices.first { index in
            stubs[index].partition == nil && stubs[index].matches(effect, request)
                && (!stubs[index].isSequence || uses[index] < stubs[index].replies.count)
        }
        let reply = match.map { stubs[$0].replies[stubs[$0].isSequence ? uses[$0] : 0] }
        note(effect, request, now, match, id, isAgain)
        guard let match, let reply else { return nil }
        return (match, reply)
    }

    private mutating func note(
        _ effect: String, _ request: JSONValue, _ now: Int64, _ rule: Int?, _ id: UInt64,
        _ isAgain: Bool
    ) {
        if let rule { uses[rule] += 1 }
        if isAgain {
            if let index = calls.lastIndex(where: { $0.id == id }) { calls[index].stub = rule }
            return
        }
        if calls.count >= Self.callLimit { calls.removeFirst(Self.callLimit / 2) }
        calls.append(Call(effect: effect, request: request, at: now, stub: rule, id: id))
    }

    // MARK: Partitions

    private func partition(
        cutting effect: String, _ request: JSONValue, at now: Int64
    ) -> Int? {
        stubs.indices.first {
            !healed.contains($0) && stubs[$0].partition?.cuts(effect, request, at: now) == true
        }
    }

    /// Heals what bears this name and has not healed by `now`: the rules it was.
    package mutating func heal(_ name: String, at now: Int64) -> [Int] {
        let rules = open(at: now).filter { stubs[$0].partition?.name == name }
        healed.formUnion(rules)
        return rules
    }

    /// The names of partitions that can still be healed by hand.
    package func partitionNames(at now: Int64) -> [String] {
        open(at: now).compactMap { stubs[$0].partition?.name }
    }

    private func open(at now: Int64) -> [Int] {
        stubs.indices.filter { rule in
            guard let partition = stubs[rule].partition else { return false }
            return !healed.contains(rule) && now < partition.heal ?? .max
        }
    }

    /// The rules that answered nothing.
    package var unused: [Stub] {
        zip(stubs, uses).filter { $1 == 0 }.map(\.0)
    }
}
