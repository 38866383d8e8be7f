// SPDX-License-Identifier: Apache-2.0

package import Streams

/// What the scene can do. Each is a function, so that a test puts its own in place of any of them.
package struct MateListUseCases {
    /// The mates of a user, by name.
    package var fetchMates: (_ userID: String) -> Single<[Mate]>
    /// The picture of a mate.
    package var fetchProfileImage: (_ mateID: String) -> Single<ProfileImage>
    /// Looks for somebody near and takes their profile: `connected`, then `received`.
    package var dropProfile: () -> Observable<DropStep>
    /// Ends the connection to somebody near.
    package var hangUp: (_ mate: Mate) -> Single<Void>

    package init(
        fetchMates: @escaping (String) -> Single<[Mate]>,
        fetchProfileImage: @escaping (String) -> Single<ProfileImage>,
        dropProfile: @escaping () -> Observable<DropStep>,
        hangUp: @escaping (Mate) -> Single<Void>
    ) {
        self.fetchMates = fetchMates
        self.fetchProfileImage = fetchProfileImage
        self.dropProfile = dropProfile
        self.hangUp = hangUp
    }
}

/// How far a drop is.
package enum DropStep: Equatable {
    case connected(Mate)
    case received(Profile)
}

extension MateListUseCases {
    /// The use cases on a database and a device.
    package init(database: any MateDatabase, device: any NearbyDevice) {
        self.init(
            fetchMates: { user in
                database.mates(of: user).map { mates in
                    mates.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
                }
            },
            fetchProfileImage: { mate in database.profileImage(of: mate) },
            dropProfile: {
                device.connect().asObservable().flatMap { mate in
                    device.profile(from: mate).map(DropStep.received).asObservable()
                        .startWith(.connected(mate))
                }
            },
            hangUp: { mate in device.disconnect(from: mate) })
    }
}
