// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Scheduling
import Streams
import Testing

/// A friend of the user's.
private struct Mate: Equatable, CustomStringConvertible {
    let name: String
    var description: String { name }
}

private let ann = Mate(name: "ann")
private let ben = Mate(name: "ben")

/// What the interactor tells: a struct of closures.
private struct Presenter {
    var show: ([Mate]) -> Void
    var fail: (String) -> Void
}

/// What the interactor asks: a protocol.
private protocol LoadingMates {
    func load(_ user: String, limit: Int) -> Single<[Mate]>
}

private struct UseCaseDouble: LoadingMates {
    let load: any TestDouble<(String, Int), Single<[Mate]>>

    func load(_ user: String, limit: Int) -> Single<[Mate]> { load.call((user, limit)) }
}

/// The middle of a scene.
private final class Interactor {
    private let presenter: Presenter
    private let useCase: any LoadingMates
    private let bag = DisposeBag()

    init(_ presenter: Presenter, _ useCase: any LoadingMates) {
        self.presenter = presenter
        self.useCase = useCase
    }

    func request(_ user: String) {
        useCase.load(user, limit: 10).asObservable()
            .subscribe(
                onNext: { [presenter] in presenter.show($0) },
                onError: { [presenter] in presenter.fail("\($0)") }
            ).disposed(by: bag)
    }
}

@Suite struct DoublesTests {
    // MARK: A scene

    @Test func `an interactor asks its use case and hands the presenter exactly that list`() {
        let scheduler = TestScheduler()
        let load = Stub<(String, Int), Single<[Mate]>>(
            "load", returning: .just([ann, ben]).delay(.milliseconds(5)), on: scheduler)
        let show = Spy<[Mate], Void>("show", on: scheduler)
        let interactor = Interactor(
            Presenter(show: show.function, fail: Dummy("fail").function),
            UseCaseDouble(load: load))
        scheduler.scheduleAt(10) { interactor.request("u1") }
        scheduler.start()
        expectEvents(show.events, [.next(15, [ann, ben])])
        #expect(show.record == ["15 show([ann, ben])"])
        scheduler.finish()
    }

    @Test func `a scene is a script of calls, in order over all its ports`() {
        let scheduler = TestScheduler()
        let script = MockScript(on: scheduler)
        let load = Mock<(String, Int), Single<[Mate]>>("load", in: script)
        let show = Mock<[Mate], Void>("show", in: script)
        let fail = Mock<String, Void>("fail", in: script)
        load.expect("u1, 10", { $0 == ("u1", 10) }, at: 10, returning: .just([ann]))
        show.expect([ann], at: 10)
        load.expect("u2", { $0.0 == "u2" }, at: 20, returning: .error(Boom()))
        fail.expect("Boom()", at: 20)
        let interactor = Interactor(
            Presenter(show: show.function, fail: fail.function), UseCaseDouble(load: load))
        scheduler.scheduleAt(10) { interactor.request("u1") }
        scheduler.scheduleAt(20) { interactor.request("u2") }
        scheduler.start()
        script.verify()
        scheduler.finish()
    }

    @Test func `a scene works on a store in memory, and bears its outage`() {
        let scheduler = TestScheduler()
        let store = FakeStore(["u1": [ann]])
        let useCase = Fake(store, named: "load") {
            (store: inout FakeStore<String, [Mate]>, request: (String, Int)) -> Single<[Mate]> in
            store.get(request.0).map { Array(($0 ?? []).prefix(request.1)) }
        }
        let show = Spy<[Mate], Void>("show", on: scheduler)
        let fail = Spy<String, Void>("fail", on: scheduler)
        let interactor = Interactor(
            Presenter(show: show.function, fail: fail.function), UseCaseDouble(load: useCase))
        let changes = scheduler.createObserver(String.self)
        store.changes.subscribe(changes)
        scheduler.scheduleAt(1) { interactor.request("u1") }
        scheduler.scheduleAt(2) { interactor.request("nobody") }
        scheduler.scheduleAt(3) { store.set("u1", to: [ann, ben]).subscribe { _ in } }
        scheduler.scheduleAt(4) { interactor.request("u1") }
        scheduler.scheduleAt(5) { store.outage = Boom() }
        scheduler.scheduleAt(6) { interactor.request("u1") }
        scheduler.scheduleAt(7) { store.remove("u1").subscribe { _ in } }
        scheduler.start()
        expectLanes(
            EventLane("show", show.events, [.next(1, [ann]), .next(2, []), .next(4, [ann, ben])]),
            EventLane("fail", fail.events, [.next(6, "Boom()")]),
            EventLane("changes", changes.events, [.next(3, "u1")]))
        #expect(store.values == ["u1": [ann, ben]])
        store.outage = nil
        store.remove("u1").subscribe { _ in }
        #expect(store.values.isEmpty && changes.events.count == 2)
        scheduler.finish()
    }

    // MARK: Dummy

    @Test func `a dummy fails the test that uses it`() throws {
        let scheduler = TestScheduler(initialClock: 4)
        let drop = Dummy<(String, Int), Int>("drop", returning: -1, on: scheduler)
        var returned = 0
        #expect(
            try issues { returned = drop("a", 1) }
                == ["the dummy drop was called with (\"a\", 1) at tick 4"])
        #expect(returned == -1)
    }

    // MARK: Stub

    @Test func `a stub answers by rule, the first that matches`() throws {
        let stub = Stub<Int, String>("name").when(1, "one").when("even", { $0 % 2 == 0 }, "even")
        #expect(stub(1) == "one" && stub(4) == "even" && stub(1) == "one")
        var answer = ""
        #expect(
            try issues { answer = stub(7) } == ["the stub name has no answer for 7 at tick 0"])
        #expect(answer == "even")
    }

    @Test func `a stub gives its list once, and tells what is left of it`() throws {
        let scheduler = TestScheduler()
        let stub = Stub<Void, Int>("next", sequence: [1, 2, 3], on: scheduler)
        #expect(stub() == 1)
        #expect(
            try issues { scheduler.finish() }[0].contains("next: 2 of 3 answers"))
        #expect(stub() == 2 && stub() == 3)
        scheduler.finish()
        var last = 0
        _ = try issues { last = stub() }
        #expect(last == 3)
    }

    @Test func `a port that throws has a result`() {
        let stub = Stub<String, Result<Int, any Error>>("read").when("a", .success(1))
            .otherwise(.failure(Boom()))
        #expect((try? stub("a").get()) == 1)
        #expect(throws: Boom.self) { try stub("b").get() }
    }

    // MARK: Spy

    @Test func `a spy writes down calls and passes them on`() {
        let scheduler = TestScheduler()
        let double = Spy<Int, Int>("double", on: scheduler) { $0 * 2 }
        let pair = Spy<(Int, String), Void>("pair")
        let none = Spy<Void, Void>("none")
        scheduler.scheduleAt(5) { #expect(double(3) == 6) }
        scheduler.scheduleAt(6) {
            // Without a timeline of their own they know the one that runs.
            pair(1, "a")
            none()
        }
        scheduler.start()
        #expect(double.calls == [Recorded(time: 5, value: 3)])
        #expect(pair.record == ["6 pair(1, \"a\")"] && none.record == ["6 none()"])
    }

    // MARK: Fake

    @Test func `a fake has a state that a test can see and set`() {
        let counter = Fake(0) { (count: inout Int, step: Int) -> Int in
            count += step
            return count
        }
        #expect(counter(2) == 2 && counter(3) == 5)
        counter.state = 10
        #expect(counter(1) == 11)
    }

    // MARK: Mock

    @Test func `a call that is not the next one fails at once`() throws {
        let scheduler = TestScheduler(initialClock: 3)
        let show = Mock<Int, Void>("show", on: scheduler)
        #expect(try issues { show(0) } == ["show(0) came at tick 3; no call is expected any more"])
        show.expect(1)
        show.expect(2, at: 3)
        #expect(try issues { show(2) } == ["show(2) came at tick 3; expected is show(1)"])
        show(1)
        #expect(try issues { show(1) } == ["show(1) came at tick 3; expected is show(2) at tick 3"])
        show(2)
        #expect(try issues { show(2) } == ["show(2) came at tick 3; no call is expected any more"])
        scheduler.finish()
    }

    @Test func `a call at the wrong time is not the one that is expected`() throws {
        let scheduler = TestScheduler()
        let show = Mock<Int, Void>("show", on: scheduler)
        show.expect(1, at: 10)
        scheduler.scheduleAt(11) { show(1) }
        let found = try issues {
            scheduler.start()
            show.verify()
        }
        #expect(
            found == [
                "show(1) came at tick 11; expected is show(1) at tick 10",
                "show(1) at tick 10 never came; expected since tick 0, now is tick 11",
            ])
        // Told once.
        show.verify()
        scheduler.finish()
    }

    @Test func `how often a call comes is part of the script`() throws {
        let mock = Mock<Int, String>("ask")
        mock.expect(1, times: 2...2, returning: "one")
        mock.expect("any", { _ in true }, times: 0...3, returning: "any")
        mock.expect(9, returning: "nine")
        #expect(mock(1) == "one")
        _ = try issues { _ = mock(9) }
        #expect(mock(1) == "one" && mock(5) == "any" && mock(9) == "any" && mock(9) == "any")
        #expect(mock(9) == "nine")
        mock.verify()
        let other = Mock<Int, Void>("other")
        other.expect(1, times: 3...3)
        other(1)
        #expect(
            try issues { other.verify() }
                == ["other(1), 3 times came 1 times; expected since tick 0, now is tick 0"])
    }

    @Test func `mocks of one script are ordered among each other`() throws {
        let script = MockScript()
        let first = Mock<Int, Void>("first", in: script)
        let second = Mock<Int, Void>("second", in: script)
        first.expect(1)
        second.expect(1)
        #expect(try issues { second(1) } == ["second(1) came at tick 0; expected is first(1)"])
        first(1)
        second(1)
        script.verify()
    }

    @Test func `a mock that nobody asks fails when it goes away`() throws {
        let found = try issues {
            let mock = Mock<Int, Void>("lost")
            mock.expect(1)
        }
        #expect(found.count == 1 && found[0].hasSuffix("(verify() was not called)"))
    }
}
