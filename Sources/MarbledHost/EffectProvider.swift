// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import Scheduling

/// Carries one kind of effect out for real.
///
/// Loop-confined. `perform` answers through `reply`, now or later; what it returns gives it up.
package protocol EffectProvider: AnyObject {
    /// Carries out `request`. `reply` may be called at once; the host puts the answer on the timeline.
    func perform(
        _ request: JSONValue, for instance: Instance, reply: @escaping (EffectAnswer) -> Void
    ) -> (() -> Void)?
}

/// How an effect ends.
package enum EffectAnswer: Equatable {
    /// With an answer: JSON text.
    case value([UInt8])
    /// With a failure.
    case failure(kind: String, message: String)
    /// With a failure as JSON text.
    case error([UInt8])

    /// An answer from a value.
    package static func json(_ value: JSONValue) -> EffectAnswer {
        .value(Array(value.text.utf8))
    }

    /// The JSON text that crosses the boundary and stands in the record.
    package var json: [UInt8] {
        switch self {
        case .value(let json), .error(let json): json
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
        case .value: .next
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
