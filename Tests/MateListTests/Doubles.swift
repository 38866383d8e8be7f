// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import MateList
import Streams
import Testing

// The scene's ports as doubles of each of the five kinds.

/// A dummy: fills a place that the test must not come to.
struct DummyDevice: NearbyDevice {
    func connect() -> Single<Mate> {
        Dummy<Void, Single<Mate>>("connect", returning: .never()).call(())
    }

    func profile(from mate: Mate) -> Single<Profile> {
        Dummy<Mate, Single<Profile>>("profile", returning: .never()).call(mate)
    }

    func disconnect(from mate: Mate) -> Single<Void> {
        Dummy<Mate, Single<Void>>("disconnect", returning: .never()).call(mate)
    }
}

/// A fake: works, in memory.
struct FakeDatabase: MateDatabase {
    private let matesByUser: Fake<[String: [Mate]], String, Single<[Mate]>>
    private let images: Fake<[String: String], String, Single<ProfileImage>>

    init(matesByUser: [String: [Mate]] = [:], images: [String: String] = [:]) {
        self.matesByUser = Fake(matesByUser) { mates, user in
            mates[user].map { .just($0) } ?? .error(MateListError.databaseFailed)
        }
        self.images = Fake(images) { images, mate in
            images[mate].map { .just(ProfileImage(mate: mate, data: $0)) }
                ?? .error(MateListError.databaseFailed)
        }
    }

    func mates(of userID: String) -> Single<[Mate]> { matesByUser.call(userID) }
    func profileImage(of mateID: String) -> Single<ProfileImage> { images.call(mateID) }
}

extension MateListUseCases {
    /// Stubs: they give answers that the test has made, and none where it has made none.
    static func stub(
        mates: Single<[Mate]> = .never(), image: Single<ProfileImage> = .never(),
        drop: Observable<DropStep> = .never(), hangUp: Single<Void> = .never()
    ) -> MateListUseCases {
        let dropProfile = Stub<Void, Observable<DropStep>>("dropProfile", returning: drop)
        return MateListUseCases(
            fetchMates: Stub("fetchMates", returning: mates).function,
            fetchProfileImage: Stub("fetchProfileImage", returning: image).function,
            dropProfile: { dropProfile.call(()) },
            hangUp: Stub("hangUp", returning: hangUp).function)
    }
}

/// A spy: writes down what the presenter is told.
final class PresenterSpy: MateListInteractorOutput {
    enum Call: Equatable {
        case mates([Mate])
        case image(ProfileImage)
        case connected(Mate)
        case received(Profile)
        case disconnected(Mate)
        case failed(MateListError)
    }

    private let told = Spy<Call, Void>("presenter")

    var calls: [Call] { told.calls.map(\.value) }

    func found(_ mates: [Mate]) { told.call(.mates(mates)) }
    func found(_ image: ProfileImage) { told.call(.image(image)) }
    func connected(to mate: Mate) { told.call(.connected(mate)) }
    func received(_ profile: Profile) { told.call(.received(profile)) }
    func disconnected(from mate: Mate) { told.call(.disconnected(mate)) }
    func failed(_ error: MateListError) { told.call(.failed(error)) }
}

/// A mock: knows beforehand what it is to be asked, in which order, and says so when it is not.
final class MockDevice: NearbyDevice {
    enum Call: Equatable {
        case connect
        case profile(Mate)
        case disconnect(Mate)
    }

    private let asked: Mock<Call, Void>
    let connection = PublishSubject<Mate>()
    let profiles = PublishSubject<Profile>()

    init(expecting calls: Call..., sourceLocation: SourceLocation = #_sourceLocation) {
        asked = Mock("device", sourceLocation: sourceLocation)
        for call in calls { asked.expect(call, sourceLocation: sourceLocation) }
    }

    func connect() -> Single<Mate> {
        asked.call(.connect)
        return connection.take(1).asSingle()
    }

    func profile(from mate: Mate) -> Single<Profile> {
        asked.call(.profile(mate))
        return profiles.take(1).asSingle()
    }

    func disconnect(from mate: Mate) -> Single<Void> {
        asked.call(.disconnect(mate))
        return .just(())
    }

    /// Fails the test for everything that was expected and not asked.
    func verify(sourceLocation: SourceLocation = #_sourceLocation) {
        asked.verify(sourceLocation: sourceLocation)
    }
}
