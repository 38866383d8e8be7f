// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import MateList
import Streams
import Testing

@Suite("mate-list, the scene")
struct MateListSceneTests {
    private let mates = [Mate(id: "m1", name: "Mary"), Mate(id: "g1", name: "Grace")]

    // MARK: As a view model

    @Test func `the mates of a user are shown by name, the ids deciding among equals`() {
        let mates = mates + [Mate(id: "a1", name: "Mary")]
        let scene = MateList(
            database: FakeDatabase(matesByUser: ["ada": mates]), device: DummyDevice())
        let input = MateList.Input()
        let output = scene.transform(input)
        #expect(output.mates.value == [])
        input.requestMateList.accept("ada")
        #expect(output.mates.value.map(\.id) == ["g1", "a1", "m1"])
    }

    @Test func `every wish of the view has its answer at its time`() {
        let scheduler = TestScheduler()
        let scene = MateList(
            database: FakeDatabase(matesByUser: ["ada": mates], images: ["g1": "R3JhY2U="]),
            device: DummyDevice())
        let input = MateList.Input()
        let output = scene.transform(input)
        let names = scheduler.createObserver([String].self)
        let images = scheduler.createObserver(ProfileImage.self)
        let errors = scheduler.createObserver(MateListError.self)
        output.mates.map { $0.map(\.name) }.subscribe(names)
        output.profileImage.subscribe(images)
        output.error.subscribe(errors)
        scheduler.createColdObservable([.next(10, "ada"), .next(20, "nobody")])
            .bind(to: input.requestMateList)
        scheduler.createColdObservable([.next(30, "g1"), .next(40, "x")])
            .bind(to: input.requestProfileImage)
        scheduler.start()
        expectEvents(names.events, [.next(0, []), .next(10, ["Grace", "Mary"])])
        expectEvents(images.events, [.next(30, ProfileImage(mate: "g1", data: "R3JhY2U="))])
        expectEvents(errors.events, [.next(20, .databaseFailed), .next(40, .databaseFailed)])
    }

    // MARK: Hosted

    @Test(arguments: ScenarioFile.all(in: "../../plugins/MateList/scenarios"))
    func `a scenario passes`(_ file: ScenarioFile) {
        file.run(MateList.self)
    }

    @Test func `a drop asks the device three things, and a quit takes the open one back`() throws {
        let linus = Mate(id: "l1", name: "Linus")
        let scene = try Harness(
            MateList.self,
            stubs: [
                .effect("nearby.device", matching: ["order": "connect"], reply: .value(linus)),
                .effect("nearby.device", matching: ["order": "profile"], reply: .never),
                .effect("nearby.device", matching: ["order": "disconnect"], reply: .value(true)),
            ])
        scene.send("tryProfileDrop", at: 10)
        scene.send("quitProfileDrop", at: 20)
        scene.advance(to: 100)
        #expect(
            scene.calls("nearby.device").map(\.description) == [
                #"nearby.device {"order":"connect"} @ 10"#,
                #"nearby.device {"mate":"l1","order":"profile"} @ 10"#,
                #"nearby.device {"mate":"l1","order":"disconnect"} @ 20"#,
            ])
        expectEvents(scene.events("nearbyConnected", as: Mate.self), [.next(10, linus)])
        expectEvents(scene.events("nearbyDisconnected", as: Mate.self), [.next(20, linus)])
        // Strict: an effect that is still open would fail it.
        scene.finish()
    }

    @Test func `a device that is absent is an error, and the scene goes on`() throws {
        let scene = try Harness(
            MateList.self, stubs: [.effect("mates.database", reply: .value(mates))])
        scene.send("tryProfileDrop", at: 10)
        scene.send("requestMateList", "ada", at: 20)
        scene.advance(to: 100)
        expectEvents(scene.events("error", as: MateListError.self), [.next(10, .nearbyAbsent)])
        #expect(scene.state("mates", as: [Mate].self)?.count == 2)
        #expect(scene.failure == nil)
        scene.finish(allowing: [.unstubbedEffects])
    }
}
