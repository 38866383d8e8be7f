// SPDX-License-Identifier: Apache-2.0

public import Streams

/// An effect that is not built in, through the effect door, with types for what is asked and answered.
///
/// ```swift
/// let mates = context.effect("mates.database", asking: MatesRequest.self, answering: [Mate].self)
/// mates.ask(MatesRequest(of: "ada")).subscribe(onSuccess: { mates in … })
/// ```
///
/// Who answers it is the host's matter: a provider registered under this name, or a stub. Where there is neither
/// it fails with `unavailable`. Every failure is an `EffectError`; an answer that is no `Answer` is `badAnswer`.
public struct CustomEffect<Request: PortValue, Answer: PortValue> {
    /// Its name, as hosts, stubs and records spell it.
    public let effect: Effect
    let door: any EffectDoor

    /// Asks for one answer. Disposing gives it up.
    public func ask(_ request: Request) -> Single<Answer> {
        door.ask(effect, request) { [effect] json in try Self.decode(json, of: effect) }
    }

    /// Asks for several answers:
    ///
    ///     answers  --a---b-----c|
    ///
    /// What came before a failure comes before it. Disposing gives it up.
    public func askForMany(_ request: Request) -> Observable<Answer> {
        door.askForMany(effect, request) { [effect] json in [try Self.decode(json, of: effect)] }
    }

    private static func decode(
        _ json: UnsafeRawBufferPointer, of effect: Effect
    ) throws(EffectError) -> Answer {
        do {
            return try Answer.decode(json)
        } catch {
            throw EffectError(kind: "badAnswer", message: "what \(effect.name) answered: \(error)")
        }
    }
}

extension FeatureContext {
    /// A custom effect with types; name it in the feature's `effects` as well.
    public func effect<Request: PortValue, Answer: PortValue>(
        _ effect: Effect, asking request: Request.Type, answering answer: Answer.Type
    ) -> CustomEffect<Request, Answer> {
        CustomEffect(effect: effect, door: door)
    }
}
