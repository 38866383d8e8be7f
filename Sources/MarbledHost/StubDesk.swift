// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import Scheduling

/// Where requests are answered by rules: those that wait are kept here, and let go when their time comes.
///
/// Loop-confined. Its owner names each request by a number that grows, puts the answers on the timeline, and
/// says when a request is given up. Bounded by what the owner lets be open at once.
package final class StubDesk {
    package private(set) var book: StubBook
    /// Puts answers on the timeline, each so long after the given instant.
    package var answer: (_ id: UInt64, _ answers: [TimedAnswer], _ from: Instant) -> Void = {
        _, _, _ in
    }
    /// Asks whoever answers where no rule does.
    package var askWorld: (_ id: UInt64, _ effect: String, _ request: JSONValue) -> Void = {
        _, _, _ in
    }
    /// Is kept as long as something here waits for its time.
    package weak var owner: AnyObject?

    private let scheduler: any Scheduler
    private var waiting: [UInt64: Waiting] = [:]
    /// What ends a window that does not fill, by rule.
    private var timers: [Int: WorkToken] = [:]

    /// A request without an answer.
    private struct Waiting {
        var effect: String
        var request: JSONValue
        var reason: Reason
        /// What heals its partition.
        var token = WorkToken.none
    }

    private enum Reason {
        case held(String, [TimedAnswer])
        case gathered(rule: Int)
        case cutOff(rule: Int)
    }

    package init(seed: UInt64, on scheduler: any Scheduler) {
        book = StubBook(seed: seed)
        self.scheduler = scheduler
    }

    /// Answers a request now, later or never; where no rule does, the world is asked.
    package func ask(_ id: UInt64, _ effect: String, _ request: JSONValue, at now: Instant) {
        ask(id, effect, request, at: now, isAgain: false)
    }

    private func ask(
        _ id: UInt64, _ effect: String, _ request: JSONValue, at now: Instant, isAgain: Bool
    ) {
        let answering = book.answering(
            effect, request, at: now.nanoseconds, id: id, isAgain: isAgain)
        func wait(_ reason: Reason) {
            waiting[id] = Waiting(effect: effect, request: request, reason: reason)
        }
        switch answering {
        case .answers(let answers)?: answer(id, answers, now)
        case .held(let name, let answers)?: wait(.held(name, answers))
        case .gathered(let rule, let within)?:
            wait(.gathered(rule: rule))
            if let within, timers[rule] == nil {
                timers[rule] = schedule(at: now.advanced(byNanoseconds: within), "reorder") {
                    $0.closeWindow(rule, at: $0.scheduler.now)
                }
            }
        case .window(let rule, let answers)?: giveOut(answers, of: rule, at: now)
        case .cutOff(let rule)?:
            wait(.cutOff(rule: rule))
            guard let heal = book.stubs[rule].partition?.heal else { return }
            waiting[id]?.token = schedule(at: Instant(nanoseconds: heal), "heal") {
                $0.letThrough(id, at: $0.scheduler.now)
            }
        case nil: askWorld(id, effect, request)
        }
    }

    /// Nobody waits for this answer any more.
    package func giveUp(_ id: UInt64) {
        guard let gone = waiting.removeValue(forKey: id) else { return }
        scheduler.cancel(gone.token)
        guard case .gathered(let rule) = gone.reason else { return }
        let hasMore = waiting.values.contains {
            if case .gathered(rule) = $0.reason { true } else { false }
        }
        if !hasMore, let timer = timers.removeValue(forKey: rule) { scheduler.cancel(timer) }
    }

    /// Releases what is held under `name`, in the order in which it was asked for, and heals the partitions of
    /// that name. Returns how many answers and partitions it was.
    package func release(_ name: String, at now: Instant) -> Int {
        var count = 0
        for (id, held) in inOrder {
            guard case .held(name, let answers) = held.reason else { continue }
            waiting[id] = nil
            count += 1
            answer(id, answers, now)
        }
        let healed = book.heal(name, at: now.nanoseconds)
        for (id, one) in inOrder {
            guard case .cutOff(let rule) = one.reason, healed.contains(rule) else { continue }
            letThrough(id, at: now)
        }
        return count + healed.count
    }

    /// Whether a request waits here.
    var hasWaiting: Bool { !waiting.isEmpty }

    /// The names that `release` knows now.
    package func names(at now: Instant) -> [String] {
        let held: [String] = waiting.values.compactMap {
            if case .held(let name, _) = $0.reason { name } else { nil }
        }
        return Set(held + book.partitionNames(at: now.nanoseconds)).sorted()
    }

    /// Puts other rules in place. What is held by a name stays so; windows that are not full are given out, and
    /// what a partition cut off is asked again, of the new rules.
    package func replace(with stubs: [Stub], at now: Instant) {
        for rule in book.openWindows { closeWindow(rule, at: now) }
        let old = book.stubs
        book.replace(with: stubs)
        for (id, one) in inOrder {
            guard case .cutOff(let rule) = one.reason else { continue }
            letThrough(id, at: now, old[rule].partition)
        }
    }

    // MARK: Helpers

    private var inOrder: [(key: UInt64, value: Waiting)] { waiting.sorted { $0.key < $1.key } }

    private func letThrough(_ id: UInt64, at now: Instant) {
        guard case .cutOff(let rule)? = waiting[id]?.reason else { return }
        letThrough(id, at: now, book.stubs[rule].partition)
    }

    private func letThrough(_ id: UInt64, at now: Instant, _ partition: Partition?) {
        guard let one = waiting.removeValue(forKey: id) else { return }
        scheduler.cancel(one.token)
        if let farewell = partition?.farewell {
            answer(id, [TimedAnswer(after: 0, farewell)], now)
        } else {
            ask(id, one.effect, one.request, at: now, isAgain: true)
        }
    }

    private func closeWindow(_ rule: Int, at now: Instant) {
        giveOut(book.closeWindow(rule, at: now.nanoseconds), of: rule, at: now)
    }

    private func giveOut(
        _ answers: [(id: UInt64, answers: [TimedAnswer])], of rule: Int, at now: Instant
    ) {
        if let timer = timers.removeValue(forKey: rule) { scheduler.cancel(timer) }
        for one in answers {
            waiting[one.id] = nil
            answer(one.id, one.answers, now)
        }
    }

    private func schedule(
        at due: Instant, _ label: WorkLabel, _ work: @escaping (StubDesk) -> Void
    ) -> WorkToken {
        let owner = owner
        return scheduler.schedule(at: due, phase: .arrival, label: label) { [weak self] in
            guard let self else { return }
            withExtendedLifetime(owner) { work(self) }
        }
    }
}
