// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// The world as a record knows it: answers requests of one key in recorded order.
final class ReplayScript: EffectScript {
    /// One request of the record and what came of it.
    struct Ask {
        var at: Instant
        var effect: String
        var request: String
        var answers: [TimedAnswer] = []
        /// Whether it is one of `atOnce`.
        var isAtOnce = false
        /// The open effect that asked it again.
        var id: UInt64?
    }

    /// A request that the record does not know.
    struct Stranger {
        var at: Instant
        var effect: String
        var request: String
        /// Whether it was made of an answer whose secret the record does not hold.
        var lacksSecret: Bool
    }

    private(set) var asks: [Int: Ask] = [:]
    private(set) var strangers: [Stranger] = []
    private let mode: Replay.Mode
    /// The numbers of the asks of one key, in recorded order, the next one last.
    private var waiting: [String: [Int]] = [:]
    /// The numbers of asks that were answered in the instant in which they were made, by that instant, in
    /// the order of the answers: it need not be that of the asks.
    private var atOnce: [Instant: Queue<Int>] = [:]
    /// Strangers that are kept; a feature that asks for ever fills no memory.
    private static let strangerLimit = 1_000

    init(_ record: RecordFile, _ options: Replay.Options) {
        mode = options.mode
        var timing = ReplayTiming(options.timing)
        for fact in record.facts {
            switch fact.what {
            case .ask(let number, let effect, let json):
                asks[number] = Ask(at: fact.at, effect: effect, request: json)
                waiting[Self.key(effect, try? JSONValue(parsing: json)), default: []]
                    .append(number)
            case .answer(let answer):
                if answer.latency == 0, options.timing == .recorded,
                    asks[answer.ask]?.answers.isEmpty == true
                {
                    atOnce[fact.at, default: Queue()].append(answer.ask)
                    asks[answer.ask]?.isAtOnce = true
                }
                asks[answer.ask]?.answers.append(
                    TimedAnswer(after: timing.latency(answer.latency), answer.said))
            case .input, .cancel, .output, .jump: break
            }
        }
        for key in waiting.keys { waiting[key]?.reverse() }
    }

    func plan(
        for effect: String, _ request: JSONValue, shownAs shown: JSONValue, id: UInt64,
        of instance: Instance
    ) -> EffectPlan {
        if let number = waiting[Self.key(effect, shown)]?.popLast() {
            asks[number]?.id = id
            guard let ask = asks[number], ask.isAtOnce else {
                return .answers(asks[number]?.answers ?? [])
            }
            giveAtOnce(ask.at, to: instance)
            return .answers([])
        }
        // The world is not asked with a mark for a token.
        let lacksSecret = mode == .refresh && Redaction.isIn(request)
        if strangers.count < Self.strangerLimit {
            strangers.append(
                Stranger(
                    at: instance.clock.now, effect: effect, request: shown.text,
                    lacksSecret: lacksSecret))
        }
        switch mode {
        case .refresh where lacksSecret:
            return Self.unrecorded("the secret of this request is not in the record")
        case .refresh: return .world
        case .none: return .refuse("it asked \(effect) \(shown.text), which is not in the record")
        case .once: return Self.unrecorded("the record has no answer to this")
        }
    }

    private static func unrecorded(_ message: String) -> EffectPlan {
        .answers([TimedAnswer(after: 0, .failure(kind: "unrecorded", message: message))])
    }

    /// Answers those asks of one instant whose turn it is; one whose answer came before is waited for.
    private func giveAtOnce(_ instant: Instant, to instance: Instance) {
        while let number = atOnce[instant]?.first, let ask = asks[number], let id = ask.id {
            _ = atOnce[instant]?.popFirst()
            instance.answer(id, ask.answers)
        }
    }

    /// What was not asked again, in recorded order.
    var unused: [Ask] {
        waiting.values.joined().sorted().compactMap { asks[$0] }
    }

    /// The same for requests that mean the same: the members of an object in any order.
    private static func key(_ effect: String, _ request: JSONValue?) -> String {
        effect + "\n" + (request.map(canonical)?.text ?? "")
    }

    private static func canonical(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(canonical))
        case .object(let object):
            .object(
                object.members.sorted { $0.name < $1.name }.map { ($0.name, canonical($0.value)) })
        case .null, .bool, .int, .double, .string: value
        }
    }
}

/// What becomes of a recorded latency.
struct ReplayTiming {
    private let timing: Replay.Timing
    private var random: RandomProvider

    init(_ timing: Replay.Timing) {
        self.timing = timing
        guard case .jittered(let seed) = timing else {
            random = RandomProvider(seed: 0)
            return
        }
        random = RandomProvider(seed: seed)
    }

    mutating func latency(_ recorded: Int64) -> Int64 {
        switch timing {
        case .recorded: recorded
        case .zero: 0
        case .scaled(let numerator, let denominator): Self.scale(recorded, numerator, denominator)
        case .jittered: Self.scale(recorded, 500 + random.draw(0, 1_000), 1_000)
        }
    }

    /// Exact, held inside the range of `Int64`.
    private static func scale(_ value: Int64, _ numerator: Int64, _ denominator: Int64) -> Int64 {
        let (short, overflow) = value.multipliedReportingOverflow(by: numerator)
        guard overflow else { return short / denominator }
        let product = value.multipliedFullWidth(by: numerator)
        guard product.high < denominator / 2 else { return .max }
        return denominator.dividingFullWidth(product).quotient
    }
}
