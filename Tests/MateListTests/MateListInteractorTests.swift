// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import MateList
import Streams
import Testing

private let grace = Mate(id: "g1", name: "Grace")
private let mary = Mate(id: "m1", name: "Mary")
private let linus = Mate(id: "l1", name: "Linus")

@Suite("mate-list, the interactor")
struct MateListInteractorTests {
    private let presenter = PresenterSpy()

    private func interactor(_ useCases: MateListUseCases) -> MateListInteractor {
        let interactor = MateListInteractor(useCases)
        interactor.output = presenter
        return interactor
    }

    @Test func `asked for mates it asks the use case and hands the presenter exactly that list`() {
        var users: [String] = []
        var useCases = MateListUseCases.stub()
        useCases.fetchMates = { user in
            users.append(user)
            return .just([mary, grace, mary])
        }
        interactor(useCases).requestMates(of: "ada")
        #expect(users == ["ada"])
        #expect(presenter.calls == [.mates([mary, grace, mary])])
    }

    @Test func `asked for a picture it hands the presenter that picture`() {
        let image = ProfileImage(mate: "g1", data: "R3JhY2U=")
        interactor(.stub(image: .just(image))).requestProfileImage(of: "g1")
        #expect(presenter.calls == [.image(image)])
    }

    @Test(arguments: MateListError.allCases)
    func `every failure reaches the presenter`(_ error: MateListError) {
        let interactor = interactor(
            .stub(mates: .error(error), image: .error(error), drop: .error(error)))
        interactor.requestMates(of: "ada")
        interactor.requestProfileImage(of: "g1")
        interactor.tryProfileDrop()
        #expect(presenter.calls == [.failed(error), .failed(error), .failed(error)])
    }

    @Test func `it goes on after a failure`() {
        var answers: [Single<[Mate]>] = [.error(MateListError.databaseFailed), .just([grace])]
        var useCases = MateListUseCases.stub()
        useCases.fetchMates = { _ in answers.removeFirst() }
        let interactor = interactor(useCases)
        interactor.requestMates(of: "ada")
        interactor.requestMates(of: "ada")
        #expect(presenter.calls == [.failed(.databaseFailed), .mates([grace])])
    }

    @Test func `a failure that is none of its own is an answer that cannot be read`() {
        struct Other: Error {}
        interactor(.stub(mates: .error(Other()))).requestMates(of: "ada")
        #expect(presenter.calls == [.failed(.badAnswer)])
    }

    @Test func `later mates overtake earlier ones, pictures overtake nothing`() {
        let scheduler = TestScheduler()
        let mates = [[mary], [grace]].map { list in
            scheduler.createColdObservable([.next(50, list), .completed(50)])
        }
        let images = ["m1", "g1"].map { mate in
            scheduler.createColdObservable([
                .next(50, ProfileImage(mate: mate, data: "")), .completed(50),
            ])
        }
        var useCases = MateListUseCases.stub()
        useCases.fetchMates = { mates[$0 == "ada" ? 0 : 1].asSingle() }
        useCases.fetchProfileImage = { images[$0 == "m1" ? 0 : 1].asSingle() }
        let interactor = interactor(useCases)
        scheduler.scheduleAt(10) {
            interactor.requestMates(of: "ada")
            interactor.requestProfileImage(of: "m1")
        }
        scheduler.scheduleAt(30) {
            interactor.requestMates(of: "joan")
            interactor.requestProfileImage(of: "g1")
        }
        scheduler.start()
        #expect(mates.map(\.subscriptions) == [[.init(10, 30)], [.init(30, 80)]])
        #expect(
            presenter.calls == [
                .image(ProfileImage(mate: "m1", data: "")), .mates([grace]),
                .image(ProfileImage(mate: "g1", data: "")),
            ])
    }

    // MARK: Drops

    private func interactor(on device: MockDevice) -> MateListInteractor {
        interactor(MateListUseCases(database: FakeDatabase(), device: device))
    }

    @Test func `a drop connects, takes the profile and disconnects`() {
        let device = MockDevice(expecting: .connect, .profile(linus), .disconnect(linus))
        let profile = Profile(mate: linus, about: "Likes penguins.")
        let interactor = interactor(on: device)
        interactor.tryProfileDrop()
        device.connection.onNext(linus)
        device.profiles.onNext(profile)
        device.verify()
        #expect(presenter.calls == [.connected(linus), .received(profile), .disconnected(linus)])
    }

    @Test func `quit while it looks for somebody: nobody is connected, whoever is found later`() {
        let device = MockDevice(expecting: .connect)
        let interactor = interactor(on: device)
        interactor.tryProfileDrop()
        #expect(device.connection.hasObservers)
        interactor.quitProfileDrop()
        #expect(!device.connection.hasObservers)
        device.connection.onNext(linus)
        device.verify()
        #expect(presenter.calls == [])
    }

    @Test func `quit while connected: the device is told, and a profile that comes later is lost`()
    {
        let device = MockDevice(expecting: .connect, .profile(linus), .disconnect(linus))
        let interactor = interactor(on: device)
        interactor.tryProfileDrop()
        device.connection.onNext(linus)
        interactor.quitProfileDrop()
        device.profiles.onNext(Profile(mate: linus, about: "Too late."))
        interactor.quitProfileDrop()
        device.verify()
        #expect(presenter.calls == [.connected(linus), .disconnected(linus)])
    }

    @Test func `a connection that breaks is told, and is over`() {
        let device = MockDevice(expecting: .connect, .profile(linus), .disconnect(linus))
        let interactor = interactor(on: device)
        interactor.tryProfileDrop()
        device.connection.onNext(linus)
        device.profiles.onError(MateListError.nearbyFailed)
        device.verify()
        #expect(
            presenter.calls == [.connected(linus), .failed(.nearbyFailed), .disconnected(linus)])
    }

    @Test func `a quit without a drop asks nothing of the device`() {
        let useCases = MateListUseCases(database: FakeDatabase(), device: DummyDevice())
        interactor(useCases).quitProfileDrop()
        #expect(presenter.calls == [])
    }

    @Test func `the presenter is not kept alive, and without it the news are lost`() {
        let interactor = MateListInteractor(.stub(mates: .just([grace])))
        do {
            let presenter = PresenterSpy()
            interactor.output = presenter
        }
        interactor.requestMates(of: "ada")
        #expect(interactor.output == nil)
    }
}
