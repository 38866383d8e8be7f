// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Scheduling

/// Carries one kind of effect out for real.
///
/// Loop-confined. `perform` answers through `reply`, now or later; what it returns gives it up.
///
///     perform   (value | part* completed | part* failure)
///
/// What is said after the last of these is not heard.
package protocol EffectProvider: AnyObject {
    /// Carries out `request`. `reply` may be called at once; the host puts the answer on the timeline.
    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)?
}

/// What an effect is told: mostly its one answer, or one of several.
package enum EffectAnswer: Equatable {
    /// The one answer, and with it the end: JSON text.
    case value([UInt8])
    /// One of several answers: JSON text.
    case part([UInt8])
    /// The end of several answers.
    case completed
    /// A failure, and with it the end.
    case failure(kind: String, message: String)
    /// A failure as JSON text, and with it the end.
    case error([UInt8])

    /// Whether nothing comes behind it.
    package var isLast: Bool {
        if case .part = self { false } else { true }
    }

    /// The same with more to come; an end stays one.
    package var part: EffectAnswer {
        if case .value(let json) = self { .part(json) } else { self }
    }

    /// An answer from a value.
    package static func json(_ value: JSONValue) -> EffectAnswer {
        .value(Array(value.text.utf8))
    }

    /// The JSON text that crosses the boundary; nothing for an end.
    package var json: [UInt8] {
        switch self {
        case .value(let json), .part(let json), .error(let json): json
        case .completed: []
        case .failure(let kind, let message):
            Array(
                JSONValue.object([
                    ("kind", .string(kind)),
                    ("message", .string(message)),
                ]).text.utf8)
        }
    }

    package var event: Record.Event {
        switch self {
        case .value, .part: .next
        case .completed: .completed
        case .failure, .error: .error
        }
    }
}

/// `random`: whole numbers from a generator seeded per instance.
///
/// The generator is SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, every seed is good, and
/// the same seed draws the same numbers on every machine.
package final class RandomProvider: EffectProvider {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        reply(answer(request))
        return nil
    }

    /// Draws the next number.
    package func answer(_ request: JSONValue) -> EffectAnswer {
        guard let minimum = request["min"]?.int, let maximum = request["max"]?.int,
            minimum <= maximum
        else {
            let message = "random takes {\"min\": a, \"max\": b}, a <= b"
            return .failure(kind: "badRequest", message: message)
        }
        return .json(.int(draw(minimum, maximum)))
    }

    /// A number from `minimum` to `maximum`, each as likely as the others.
    package func draw(_ minimum: Int64, _ maximum: Int64) -> Int64 {
        let width = UInt64(bitPattern: maximum &- minimum) &+ 1
        guard width != 0 else { return Int64(bitPattern: nextWord()) }
        // Numbers below the remainder would make some results likelier: they are drawn again.
        let unfair = (0 &- width) % width
        var word = nextWord()
        while word < unfair { word = nextWord() }
        return minimum &+ Int64(bitPattern: word % width)
    }

    private func nextWord() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

/// `wallClock`: the time of day on the instance's own timeline.
package final class WallClockProvider: EffectProvider {
    package init() {}

    package func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)? {
        reply(.json(.int(instance.clock.scheduler.wallNanoseconds)))
        return nil
    }
}
