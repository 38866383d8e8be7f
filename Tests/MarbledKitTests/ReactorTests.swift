// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct ReactorTests {
    struct Oops: Error, Equatable {}

    /// Every stage leaves its word.
    final class Stages: Reactor {
        typealias Action = [String]
        typealias Mutation = [String]
        let initialState: [String] = []
        let core = ReactorCore()
        var transforms: [String] = []

        func transform(action: Observable<[String]>) -> Observable<[String]> {
            transforms.append("action")
            return action.map { $0 + ["action"] }
        }
        func mutate(action: [String]) -> Observable<[String]> { .just(action + ["mutate"]) }
        func transform(mutation: Observable<[String]>) -> Observable<[String]> {
            transforms.append("mutation")
            return mutation.map { $0 + ["mutation"] }
        }
        func reduce(state: [String], mutation: [String]) -> [String] {
            state + mutation + ["reduce"]
        }
        func transform(state: Observable<[String]>) -> Observable<[String]> {
            transforms.append("state")
            return state.map { $0 + ["state"] }
        }
    }

    @Test func `an action goes through every stage, in order`() {
        let reactor = Stages()
        reactor.action.onNext(["sent"])
        #expect(
            reactor.currentState
                == ["sent", "action", "mutate", "mutation", "reduce", "state"])
        reactor.action.onNext([])
        // What transform(state:) adds is seen and not reduced.
        #expect(reactor.currentState.count { $0 == "state" } == 1)
        #expect(reactor.transforms == ["state", "mutation", "action"])
    }

    @Test(arguments: 0..<3)
    func `whichever is looked at first, the first state came through its transform`(_ look: Int) {
        let reactor = Stages()
        switch look {
        case 0: _ = reactor.state
        case 1: _ = reactor.action
        default: _ = reactor.currentState
        }
        #expect(reactor.currentState == ["state"])
        #expect(reactor.transforms.count == 3)
    }

    /// A reactor made of closures.
    final class Made: Reactor {
        typealias Action = Int
        typealias Mutation = Int
        let initialState: [Int] = []
        let core = ReactorCore()
        var effect: (Made, Int) -> Observable<Int> = { .just($1) }
        var actions: (Observable<Int>) -> Observable<Int> = { $0 }
        var mutations: (Observable<Int>) -> Observable<Int> = { $0 }
        var states: (Observable<[Int]>) -> Observable<[Int]> = { $0 }

        init(_ effect: @escaping (Made, Int) -> Observable<Int> = { .just($1) }) {
            self.effect = effect
        }

        func mutate(action: Int) -> Observable<Int> { effect(self, action) }
        func reduce(state: [Int], mutation: Int) -> [Int] { state + [mutation] }
        func transform(action: Observable<Int>) -> Observable<Int> { actions(action) }
        func transform(mutation: Observable<Int>) -> Observable<Int> { mutations(mutation) }
        func transform(state: Observable<[Int]>) -> Observable<[Int]> { states(state) }
    }

    @Test func `a newcomer is given the newest state`() {
        let reactor = Made()
        reactor.state.subscribe().dispose()
        reactor.action.onNext(1)
        reactor.action.onNext(2)
        var seen: [[Int]] = []
        reactor.state.subscribe(onNext: { seen.append($0) })
        reactor.action.onNext(3)
        #expect(seen == [[1, 2], [1, 2, 3]])
    }

    @Test func `a mutation is reduced before the next one of its mutate is made`() {
        let reactor = Made { reactor, action in
            .concat(
                (0..<action).map { _ in
                    .deferred { [unowned reactor] in .just(reactor.currentState.count) }
                })
        }
        reactor.action.onNext(2)
        reactor.action.onNext(1)
        reactor.action.onNext(3)
        #expect(reactor.currentState == [0, 1, 2, 3, 4, 5])
    }

    @Test func `streams that end leave the way in open`() {
        let scheduler = TestScheduler()
        let reactor = Made()
        scheduler.createHotObservable([.next(1, 1), .error(3, Oops())]).bind(to: reactor.action)
        scheduler.createHotObservable([.next(2, 2), .completed(3)]).bind(to: reactor.action)
        scheduler.createHotObservable([.next(4, 4)]).bind(to: reactor.action)
        let observer = scheduler.start(created: 0, subscribed: 0) { reactor.state }
        expectEvents(
            observer.events,
            [.next(0, []), .next(1, [1]), .next(2, [1, 2]), .next(4, [1, 2, 4])])
        #expect(scheduler.unhandledErrors as? [Oops] == [Oops()])
    }

    @Test func `a mutate that fails is told, and the reactor goes on`() {
        let scheduler = TestScheduler()
        let reactor = Made { _, action in
            action == 2 ? .concat(.just(action), .error(Oops())) : .just(action)
        }
        for action in 1...3 { reactor.action.onNext(action) }
        #expect(reactor.currentState == [1, 2, 3])
        #expect(scheduler.unhandledErrors as? [Oops] == [Oops()])
    }

    @Test func `it is told where an error happened`() {
        let scheduler = TestScheduler()
        var places: [String] = []
        scheduler.timeline.onUnhandledError = { places.append("\($1)") }
        let reactor = Made { _, _ in .error(Oops()) }
        let gate = PublishSubject<Int>()
        reactor.actions = { $0.map { action in if action == 0 { throw Oops() } else { action } } }
        reactor.mutations = { .merge($0, gate) }
        reactor.states = { $0.map { state in if state == [9] { throw Oops() } else { state } } }
        reactor.action.onNext(1)
        reactor.action.onError(Oops())
        reactor.action.onNext(0)
        gate.onNext(9)
        gate.onError(Oops())
        #expect(
            places == [
                "a reactor's mutate", "a stream bound to a reactor's action",
                "a reactor's transform(action:)", "a reactor's transform(state:)",
                "a reactor's transform(mutation:)",
            ])
        #expect(reactor.currentState == [])
    }

    @Test func `a transform may subscribe to its stream twice; an action is still done once`() {
        let reactor = Made()
        reactor.mutations = { .merge($0, $0.map { -$0 }) }
        var count = 0
        reactor.effect = { _, action in
            count += 1
            return .just(action)
        }
        reactor.action.onNext(1)
        #expect(reactor.currentState == [1, -1])
        #expect(count == 1)
    }

    @Test func `what happens by itself is merged into the mutations`() {
        let scheduler = TestScheduler()
        let reactor = Made()
        reactor.mutations = { .merge($0, Observable<Int>.timer(.milliseconds(5)).map { _ in 7 }) }
        let observer = scheduler.start(created: 0, subscribed: 0) { reactor.state }
        expectEvents(observer.events, [.next(0, []), .next(5, [7])])
    }

    @Test func `a transform may look at the reactor that is starting`() {
        let reactor = Made()
        reactor.actions = { [unowned reactor] actions in
            actions.withLatestFrom(reactor.state) { $0 * 10 + $1.count }
        }
        reactor.mutations = { [unowned reactor] mutations in
            mutations.startWith(reactor.currentState.count)
        }
        reactor.action.onNext(3)
        #expect(reactor.currentState == [0, 31])
    }

    // MARK: Never nested

    @Test func `an action sent by mutate follows what that mutate says at once`() {
        let reactor = Made { reactor, action in
            if action == 1 { reactor.action.onNext(2) }
            return .of(action, action * 10)
        }
        reactor.action.onNext(1)
        #expect(reactor.currentState == [1, 10, 2, 20])
    }

    @Test func `an action is never done inside another, whoever sends it, whenever`() {
        let scheduler = TestScheduler()
        var depth = 0
        var deepest = 0
        let reactor = Made { _, action in
            .deferred {
                depth += 1
                deepest = max(deepest, depth)
                defer { depth -= 1 }
                return action == 1
                    ? Observable<Int>.timer(.milliseconds(1)).map { _ in 1 } : .just(action)
            }
        }
        reactor.state.subscribe(onNext: { state in
            depth += 1
            deepest = max(deepest, depth)
            if let last = state.last, last < 4 {
                reactor.action.onNext(last + 1)
                // Asked for, and not begun.
                #expect(reactor.currentState == state)
            }
            depth -= 1
        })
        reactor.action.onNext(1)
        scheduler.start()
        #expect(reactor.currentState == [1, 2, 3, 4])
        #expect(deepest == 1)
    }

    @Test func `an action that its transform held back is done no differently`() {
        let scheduler = TestScheduler()
        let reactor = Made { _, action in .of(action, action * 10) }
        reactor.actions = { $0.delay(.milliseconds(5)) }
        reactor.state.subscribe(onNext: { state in
            if state == [1] { reactor.action.onNext(2) }
        })
        reactor.action.onNext(1)
        scheduler.start()
        #expect(reactor.currentState == [1, 10, 2, 20])
    }

    @Test func `every observer sees the states in one order, and with the newest of its own`() {
        let reactor = Made()
        let outside = PublishSubject<Int>()
        reactor.mutations = { .merge($0, outside) }
        var first: [[Int]] = []
        var second: [[Int]] = []
        reactor.state.subscribe(onNext: { state in
            first.append(state)
            if state == [1] {
                outside.onNext(2)
                reactor.action.onNext(3)
                outside.onNext(4)
            }
            #expect(reactor.currentState == state)
        })
        reactor.state.subscribe(onNext: { second.append($0) })
        reactor.action.onNext(1)
        // Mutations are further along than actions, so they come first.
        #expect(first == [[], [1], [1, 2], [1, 2, 4], [1, 2, 4, 3]])
        #expect(second == first)
    }

    @Test func `of what waits, mutations come before actions`() {
        let reactor = Made()
        reactor.state.subscribe(onNext: { state in
            guard state == [1] else { return }
            reactor.action.onNext(3)
            reactor.stub.mutation.onNext(2)
        })
        reactor.stub.mutation.onNext(1)
        #expect(reactor.currentState == [1, 2, 3])
    }

    @Test func `listeners hear an action before it is done`() {
        let reactor = Made()
        var log: [String] = []
        reactor.effect = { _, action in
            log.append("mutate \(action)")
            return .just(action)
        }
        reactor.action.subscribe(onNext: { log.append("heard \($0)") })
        reactor.state.skip(1).subscribe(onNext: { log.append("state \($0)") })
        reactor.action.onNext(1)
        #expect(log == ["heard 1", "mutate 1", "state [1]"])
    }

    @Test(arguments: [999, 1_000, 1_001, 2_500])
    func `many actions sent at once are done in order`(_ count: Int) {
        let scheduler = TestScheduler()
        let reactor = Made()
        reactor.state.take(1).subscribe(onNext: { _ in
            for action in 0..<count { reactor.action.onNext(action) }
        })
        reactor.action.onNext(-1)
        scheduler.start()
        #expect(reactor.currentState.sorted() == Array(-1..<count))
        reactor.stub.state = []
        reactor.action.subscribe(onNext: { action in
            if action == 0 { for next in 1...count { reactor.action.onNext(next) } }
        })
        reactor.action.onNext(0)
        scheduler.start()
        #expect(reactor.currentState == Array(0...count))
    }

    @Test func `a reactor that feeds itself for ever is named, and does not hang`() throws {
        let scheduler = TestScheduler()
        let reactor = Made { _, _ in .empty() }
        reactor.action.subscribe(onNext: { [unowned reactor] in reactor.action.onNext($0) })
        reactor.action.onNext(1)
        scheduler.limits.microsteps = 10
        let error = #expect(throws: SchedulingError.self) { try scheduler.timeline.run() }
        #expect("\(error as Any)".contains("steps a reactor makes for itself"))
    }

    // MARK: The end

    @Test func `a reactor goes away with its last owner, and its effects are given up`() {
        weak var gone: Made?
        let scheduler = TestScheduler()
        var isDisposed = false
        var states = 0
        let kept: ReactorInput<Int>
        let bag = DisposeBag()
        do {
            let reactor = Made { _, action in
                Observable<Int>.timer(.milliseconds(5)).map { _ in action }
                    .do(onDispose: { isDisposed = true })
            }
            gone = reactor
            kept = reactor.action
            reactor.state.subscribe(onNext: { _ in states += 1 }).disposed(by: bag)
            reactor.action.subscribe().disposed(by: bag)
            scheduler.createHotObservable([.next(10, 1)]).bind(to: reactor.action)
                .disposed(by: bag)
            reactor.action.onNext(1)
            #expect(!isDisposed)
        }
        #expect(gone == nil)
        #expect(isDisposed)
        kept.onNext(2)
        scheduler.start()
        #expect(states == 1)
    }

    @Test func `a running effect may hold its reactor, for as long as it runs`() {
        weak var gone: Made?
        let scheduler = TestScheduler()
        do {
            let reactor = Made { reactor, action in
                Observable<Int>.timer(.milliseconds(5)).map { _ in reactor.currentState.count }
            }
            gone = reactor
            reactor.action.onNext(1)
        }
        #expect(gone != nil)
        scheduler.start()
        #expect(gone == nil)
    }

    @Test func `a reactor that was stopped gives its effects up and does nothing any more`() {
        let scheduler = TestScheduler()
        let reactor = Made { _, action in
            Observable<Int>.timer(.milliseconds(5)).map { _ in action }
        }
        reactor.action.onNext(1)
        reactor.core.stop()
        #expect(scheduler.timeline.pendingCount == 0)
        reactor.action.onNext(2)
        scheduler.start()
        #expect(reactor.currentState == [])
    }

    @Test func `a core serves one reactor`() async {
        await #expect(processExitsWith: .failure) {
            final class Borrower: Reactor {
                typealias Action = Int
                let initialState = 0
                let core: ReactorCore
                init(_ core: ReactorCore) { self.core = core }
                func reduce(state: Int, mutation: Int) -> Int { state }
            }
            let one = Borrower(ReactorCore())
            let other = Borrower(one.core)
            one.action.onNext(1)
            other.action.onNext(1)
        }
    }

    @Test func `a class of reactors can have subclasses`() {
        class Base<Value>: Reactor {
            typealias Action = Value
            let initialState: Value
            let core = ReactorCore()
            init(_ value: Value) { initialState = value }
            func reduce(state: Value, mutation: Value) -> Value { mutation }
        }
        final class Numbers: Base<Int> {
            override func reduce(state: Int, mutation: Int) -> Int { state + mutation }
        }
        let numbers = Numbers(1)
        numbers.action.onNext(2)
        #expect(numbers.currentState == 3)
    }
}
