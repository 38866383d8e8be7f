// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Streams
import Testing

/// A reactor that is a feature.
@Suite struct ReactorPortsTests {
    private final class Counter: Reactor, Feature {
        struct Input: Ports {
            @In("One more.") var increase: PublishRelay<Void>
            @In("So many more.") var add: PublishRelay<Int>
            @In("That many, later.") var addLater: PublishRelay<Int>
        }
        struct Output: Ports {
            @Out("How many.") var value: Driver<Int>
            @Out("Whether that is even.") var isEven: Driver<Bool>
            @Out("What was too much.") var refused: Signal<Int>
        }
        enum Action { case add(Int), addLater(Int) }
        struct State {
            var value = 0
            var isEven: Bool { value % 2 == 0 }
            @Pulse var refused: Int?
        }
        struct TooSmall: Error {}
        // Safety: a test uses it on its own thread; a task-local value has to be Sendable.
        final class Watch: @unchecked Sendable {
            weak var counter: Counter?
        }

        @TaskLocal static var watch: Watch?
        static let name = "counter"
        static let doc = "Counts."
        let initialState = State()
        let core = ReactorCore()

        init(_ context: FeatureContext, options: NoOptions) {
            Self.watch?.counter = self
        }

        func mutate(action: Action) -> Observable<Action> {
            switch action {
            case .add(..<0): .error(TooSmall())
            case .add: .just(action)
            case .addLater(let count):
                Observable<Int>.timer(.milliseconds(10)).map { _ in
                    // Holds the reactor: what waits is given up with the instance.
                    self.currentState.value < 100 ? .add(count) : .add(0)
                }
            }
        }

        func reduce(state: State, mutation: Action) -> State {
            guard case .add(let count) = mutation else { return state }
            var state = state
            if count > 9 { state.refused = count } else { state.value += count }
            return state
        }

        func transform(_ input: Input) -> Output {
            connect(input.increase, to: .add(1))
            connect(input.add, to: Action.add)
            connect(input.addLater, to: Action.addLater)
            var output = Output()
            output.value = driver(\.value)
            output.isEven = driver(\.isEven)
            output.refused = signal(\.$refused)
            return output
        }
    }

    @Test func `inputs become actions, parts of the state become outputs`() throws {
        let counter = try Harness(Counter.self)
        counter.send("increase", at: 1)
        counter.send("add", 4, at: 2)
        counter.send("add", 10, at: 3)
        counter.send("add", 10, at: 4)
        counter.send("addLater", 2, at: 5)
        counter.run()
        expectEvents(
            counter.events("value", as: Int.self),
            [.next(0, 0), .next(1, 1), .next(2, 5), .next(15, 7)])
        expectEvents(
            counter.events("isEven", as: Bool.self), [.next(0, true), .next(1, false)])
        expectEvents(counter.events("refused", as: Int.self), [.next(3, 10), .next(4, 10)])
        counter.finish()
    }

    @Test func `a mutate that fails is a line in the log, and the reactor goes on`() throws {
        let counter = try Harness(Counter.self)
        counter.send("add", -1, at: 1)
        counter.send("add", 1, at: 2)
        counter.run()
        #expect(counter.state("value", as: Int.self) == 1)
        #expect(counter.log.map(\.level) == ["error"])
        #expect(counter.log.first?.line.contains("a reactor's mutate failed") == true)
        counter.finish()
    }

    @Test func `a reactor goes away with its owner, bound ports and all`() {
        weak var gone: Counter?
        let scheduler = TestScheduler()
        let input = Counter.Input()
        do {
            let counter = Counter(.test(on: scheduler), options: NoOptions())
            gone = counter
            let output = counter.transform(input)
            input.increase.accept(())
            #expect(counter.currentState.value == 1)
            output.value.drive(onNext: { _ in }).dispose()
        }
        #expect(gone == nil)
        #expect(!input.increase.hasObservers)
    }

    @Test func `a reactor goes away with its instance, also while an effect holds it`() throws {
        let watch = Counter.Watch()
        let hosted = try Counter.$watch.withValue(watch) { try Harness(Counter.self) }
        hosted.send("addLater", 2, at: 5)
        hosted.advance(to: 6)
        #expect(watch.counter != nil)
        hosted.finish(allowing: [.pendingTimers])
        #expect(watch.counter == nil)
    }
}
