// SPDX-License-Identifier: Apache-2.0

import MateList
import Streams
import Testing

// The five kinds of test doubles, as Meszaros names them in "xUnit Test Patterns", each where it serves.

/// A dummy: fills a place that the test must not come to.
struct DummyDevice: NearbyDevice {
    func connect() -> Single<Mate> { unexpected("connect") }
    func profile(from mate: Mate) -> Single<Profile> { unexpected("profile") }
    func disconnect(from mate: Mate) -> Single<Void> { unexpected("disconnect") }

    private func unexpected<Answer>(_ call: String) -> Single<Answer> {
        Issue.record("the dummy device was asked to \(call)")
        return .never()
    }
}

/// A fake: works, in memory.
struct FakeDatabase: MateDatabase {
    var matesByUser: [String: [Mate]] = [:]
    var images: [String: String] = [:]

    func mates(of userID: String) -> Single<[Mate]> {
        guard let mates = matesByUser[userID] else { return .error(MateListError.databaseFailed) }
        return .just(mates)
    }

    func profileImage(of mateID: String) -> Single<ProfileImage> {
        guard let data = images[mateID] else { return .error(MateListError.databaseFailed) }
        return .just(ProfileImage(mate: mateID, data: data))
    }
}

extension MateListUseCases {
    /// A stub: gives answers that the test has made, and none where it has made none.
    static func stub(
        mates: Single<[Mate]> = .never(), image: Single<ProfileImage> = .never(),
        drop: Observable<DropStep> = .never(), hangUp: Single<Void> = .never()
    ) -> MateListUseCases {
        MateListUseCases(
            fetchMates: { _ in mates }, fetchProfileImage: { _ in image }, dropProfile: { drop },
            hangUp: { _ in hangUp })
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

    private(set) var calls: [Call] = []

    func found(_ mates: [Mate]) { calls.append(.mates(mates)) }
    func found(_ image: ProfileImage) { calls.append(.image(image)) }
    func connected(to mate: Mate) { calls.append(.connected(mate)) }
    func received(_ profile: Profile) { calls.append(.received(profile)) }
    func disconnected(from mate: Mate) { calls.append(.disconnected(mate)) }
    func failed(_ error: MateListError) { calls.append(.failed(error)) }
}

/// A mock: knows beforehand what it is to be asked, in which order, and says so when it is not.
final class MockDevice: NearbyDevice {
    enum Call: Equatable {
        case connect
        case profile(Mate)
        case disconnect(Mate)
    }

    private var expected: [Call]
    let connection = PublishSubject<Mate>()
    let profiles = PublishSubject<Profile>()

    init(expecting calls: Call...) {
        expected = calls
    }

    func connect() -> Single<Mate> {
        meet(.connect)
        return connection.take(1).asSingle()
    }

    func profile(from mate: Mate) -> Single<Profile> {
        meet(.profile(mate))
        return profiles.take(1).asSingle()
    }

    func disconnect(from mate: Mate) -> Single<Void> {
        meet(.disconnect(mate))
        return .just(())
    }

    /// Fails the test when something that was expected was not asked.
    func verify(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(expected.isEmpty, "the device was not asked", sourceLocation: sourceLocation)
    }

    private func meet(_ call: Call) {
        let next = expected.isEmpty ? nil : expected.removeFirst()
        #expect(next == call, "the device was asked something else")
    }
}
