// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
package import Streams

/// What finds somebody near, and talks to them.
package protocol NearbyDevice {
    /// Finds somebody and connects; disposing gives the search up.
    func connect() -> Single<Mate>
    /// The profile of who is connected.
    func profile(from mate: Mate) -> Single<Profile>
    /// Ends the connection.
    func disconnect(from mate: Mate) -> Single<Void>
}

/// A device of the machine, through the effect door.
///
/// | request | answer |
/// |---|---|
/// | `{"order": "connect"}` | `{"id": "linus", "name": "Linus"}`, who is near |
/// | `{"order": "profile", "mate": "linus"}` | `"Likes penguins."` |
/// | `{"order": "disconnect", "mate": "linus"}` | anything |
///
/// Where there is no such device the effect fails with `unavailable`, as any effect without a provider.
struct WirelessDevice: NearbyDevice {
    let door: any EffectDoor

    func connect() -> Single<Mate> {
        ask(Request(order: "connect")) { try Mate.decode($0) }
    }

    func profile(from mate: Mate) -> Single<Profile> {
        ask(Request(order: "profile", mate: mate.id)) {
            Profile(mate: mate, about: try String.decode($0))
        }
    }

    func disconnect(from mate: Mate) -> Single<Void> {
        ask(Request(order: "disconnect", mate: mate.id)) { _ in }
    }

    private struct Request: PortValue {
        var order: String
        var mate: String?
    }

    private func ask<Answer>(
        _ request: Request, decode: @escaping (UnsafeRawBufferPointer) throws -> Answer
    ) -> Single<Answer> {
        door.ask(.nearbyDevice, request, decode: decode).catch { failure in
            guard let failure = failure as? EffectError else {
                return .error(MateListError.badAnswer)
            }
            return .error(
                failure.kind == "unavailable" ? MateListError.nearbyAbsent : .nearbyFailed)
        }
    }
}

extension Effect {
    /// The device that finds who is near.
    static let nearbyDevice: Effect = "nearby.device"
}
