// SPDX-License-Identifier: Apache-2.0

internal import MarbledKit
package import Streams

/// Where mates are kept.
package protocol MateDatabase {
    /// The mates of a user.
    func mates(of userID: String) -> Single<[Mate]>
    /// The picture of a mate.
    func profileImage(of mateID: String) -> Single<ProfileImage>
}

/// A database somewhere else, through the effect door.
///
/// | request | answer |
/// |---|---|
/// | `{"matesOf": "ada"}` | `[{"id": "grace", "name": "Grace"}]` |
/// | `{"imageOf": "grace"}` | `"iVBORw0K…"`, the picture in base64 |
struct RemoteDatabase: MateDatabase {
    let door: any EffectDoor

    func mates(of userID: String) -> Single<[Mate]> {
        ask(Request(matesOf: userID)) { try [Mate].decode($0) }
    }

    func profileImage(of mateID: String) -> Single<ProfileImage> {
        ask(Request(imageOf: mateID)) {
            ProfileImage(mate: mateID, data: try String.decode($0))
        }
    }

    private struct Request: PortValue {
        var matesOf: String?
        var imageOf: String?
    }

    private func ask<Answer>(
        _ request: Request, decode: @escaping (UnsafeRawBufferPointer) throws -> Answer
    ) -> Single<Answer> {
        door.ask(.matesDatabase, request, decode: decode).catch { failure in
            .error(failure is EffectError ? MateListError.databaseFailed : .badAnswer)
        }
    }
}

extension Effect {
    /// The database of mates.
    static let matesDatabase: Effect = "mates.database"
}
