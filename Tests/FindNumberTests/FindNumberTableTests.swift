// SPDX-License-Identifier: Apache-2.0

import FindNumber
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The game's table in the usual style of an app's tests: a view model on a test scheduler, cold streams
/// bound to its inputs, observers on its outputs.
@Suite("find-number, as a view model")
struct FindNumberTableTests {
    /// One observer per output, connected to a game on a test's timeline.
    private struct Bench {
        let scheduler = TestScheduler()
        let input = FindNumber.Input()
        let output: FindNumber.Output
        let door: StubDoor
        let target: TestableObserver<Int>
        let round: TestableObserver<Int>
        let bestRecord: TestableObserver<Int>
        let currentRecord: TestableObserver<Int>
        let error: TestableObserver<GameError>
        private let game: FindNumber
        let bag = DisposeBag()

        init(
            _ replies: [StubReply] = [], source: FindNumber.Source = .http, max: Int = 3,
            store: [StubRule] = []
        ) throws {
            let rules = replies.isEmpty ? [] : [StubRule.http("GET */random*", replies: replies)]
            door = StubDoor(on: scheduler, stubs: rules + store)
            var options = FindNumber.Options()
            options.source = source
            options.max = max
            game = try FindNumber(FeatureContext(door, on: scheduler), options: options)
            output = game.transform(input)
            target = scheduler.createObserver(Int.self)
            round = scheduler.createObserver(Int.self)
            bestRecord = scheduler.createObserver(Int.self)
            currentRecord = scheduler.createObserver(Int.self)
            error = scheduler.createObserver(GameError.self)
            output.target.asDriver().drive(target).disposed(by: bag)
            output.round.asDriver().drive(round).disposed(by: bag)
            output.bestRecord.asDriver().drive(bestRecord).disposed(by: bag)
            output.currentRecord.asDriver().drive(currentRecord).disposed(by: bag)
            output.error.asSignal().emit(to: error).disposed(by: bag)
        }

        func sends<Element>(
            _ events: [Recorded<Event<Element>>], to input: PublishRelay<Element>
        ) {
            scheduler.createColdObservable(events).bind(to: input).disposed(by: bag)
        }
    }

    @Test func `start: a game that starts asks for a number and shows it`() throws {
        let bench = try Bench([.json([2])])
        bench.sends([.next(10, ())], to: bench.input.gameStart)
        bench.scheduler.start()
        expectEvents(bench.target.events, [.next(0, 1), .next(10, 2)])
        expectEvents(bench.round.events, [.next(0, 1)])
    }

    @Test func `stage: right guesses move the stage on, a wrong one starts it again`() throws {
        let bench = try Bench(Array(repeating: .json([1]), count: 4))
        bench.sends(
            [.next(10, 1), .next(15, 1), .next(20, 1), .next(25, 2), .next(30, 1)],
            to: bench.input.checkNumber)
        bench.scheduler.start()
        expectEvents(
            bench.target.events,
            [.next(0, 1), .next(10, 1), .next(15, 1), .next(20, 1), .next(30, 1)])
        expectEvents(
            bench.round.events,
            [.next(0, 1), .next(10, 2), .next(15, 3), .next(20, 4), .next(25, 1), .next(30, 2)])
        expectEvents(
            bench.bestRecord.events,
            [.next(0, 0), .next(10, 1), .next(15, 2), .next(20, 3), .next(30, 3)])
        expectEvents(
            bench.currentRecord.events,
            [.next(0, 0), .next(10, 1), .next(15, 2), .next(20, 3), .next(25, 0), .next(30, 1)])
        #expect(bench.door.calls(.http).count == 4)
    }

    @Test func `reset: every state is said again`() throws {
        let bench = try Bench()
        bench.sends([.next(20, ())], to: bench.input.resetStage)
        bench.scheduler.start()
        expectEvents(bench.round.events, [.next(0, 1), .next(20, 1)])
        expectEvents(bench.bestRecord.events, [.next(0, 0), .next(20, 0)])
        expectEvents(bench.currentRecord.events, [.next(0, 0), .next(20, 0)])
    }

    @Test func `observers: they hear the game and whatever else is put into them`() throws {
        let bench = try Bench()
        for (value, observer) in [
            (4, bench.round), (5, bench.bestRecord), (3, bench.currentRecord),
        ] {
            bench.scheduler.createColdObservable([.next(10, value)]).subscribe(observer)
                .disposed(by: bench.bag)
        }
        bench.sends([.next(20, ())], to: bench.input.resetStage)
        bench.scheduler.start()
        expectEvents(bench.round.events, [.next(0, 1), .next(10, 4), .next(20, 1)])
        expectEvents(bench.bestRecord.events, [.next(0, 0), .next(10, 5), .next(20, 0)])
        expectEvents(bench.currentRecord.events, [.next(0, 0), .next(10, 3), .next(20, 0)])
    }

    @Test func `network error: a request that fails is told`() throws {
        let bench = try Bench([.fail("refused")])
        bench.sends([.next(0, 1)], to: bench.input.checkNumber)
        bench.scheduler.start()
        expectEvents(bench.error.events, [.next(0, .networkError)])
    }

    @Test func `decoding error: an answer that is no list of one integer is told`() throws {
        let bench = try Bench([.text("[d]")])
        bench.sends([.next(0, ())], to: bench.input.gameStart)
        bench.scheduler.start()
        expectEvents(bench.error.events, [.next(0, .decodingError)])
    }

    @Test(arguments: [StubReply.status(199), .status(404), .status(503), .fail("reset")])
    func `the game goes on after a failed request`(_ failure: StubReply) throws {
        let bench = try Bench([failure, .json([3])])
        bench.sends([.next(10, ()), .next(20, ())], to: bench.input.gameStart)
        bench.scheduler.start()
        expectEvents(bench.error.events, [.next(10, .networkError)])
        expectEvents(bench.target.events, [.next(0, 1), .next(20, 3)])
    }

    // MARK: The record that is kept

    /// A game of ones, whose store is first asked at 0 and says `stored` at 15.
    private static func late(_ stored: Int) throws -> Bench {
        let get = StubRule.effect(
            .store, matching: ["get": "bestRecord"], replies: [.value(stored).after(15)])
        return try Bench(source: .local, max: 1, store: [get])
    }

    @Test func `a record that comes late is not overwritten by a smaller one`() throws {
        let told = StubRule.effect(
            .store, matching: ["get": "bestRecord"], reply: .value(5).after(15))
        let carriedOut = StubRule.effect(
            .store, replies: [.value(["done": false]), .value(["done": true])])
        let bench = try Bench(source: .local, max: 1, store: [told, carriedOut])
        bench.sends([.next(10, 1), .next(20, 1)], to: bench.input.checkNumber)
        bench.scheduler.start()
        expectEvents(
            bench.bestRecord.events, [.next(0, 0), .next(10, 1), .next(15, 5), .next(20, 5)])
        let asked = bench.door.calls(.store).map(\.request).filter { $0.contains("set") }
        #expect(
            asked == [
                #"{"transaction":[{"expect":"bestRecord"},{"set":"bestRecord","value":1}]}"#,
                #"{"transaction":[{"expect":"bestRecord","value":5},"#
                    + #"{"set":"bestRecord","value":5}]}"#,
            ])
    }

    @Test func `a record that was beaten before it came is overwritten`() throws {
        let bench = try Self.late(1)
        bench.sends([.next(5, 1), .next(10, 1)], to: bench.input.checkNumber)
        bench.scheduler.start()
        expectEvents(bench.bestRecord.events, [.next(0, 0), .next(5, 1), .next(10, 2)])
        #expect(try bench.door.stored("bestRecord", as: Int.self) == 2)
    }

    @Test func `a record that was forgotten before it came does not come back`() throws {
        let bench = try Self.late(5)
        bench.sends([.next(10, ())], to: bench.input.resetStage)
        bench.sends([.next(20, 1)], to: bench.input.checkNumber)
        bench.scheduler.start()
        expectEvents(bench.bestRecord.events, [.next(0, 0), .next(10, 0), .next(20, 1)])
        #expect(bench.door.calls(.store)[1].request == #"{"remove":"bestRecord"}"#)
        #expect(try bench.door.stored("bestRecord", as: Int.self) == 1)
    }

    @Test func `a better record of somebody else stays`() throws {
        let told = StubRule.effect(
            .store, matching: ["get": "bestRecord"], replies: [.value(0), .value(7)])
        let carriedOut = StubRule.effect(
            .store, replies: [.value(["done": false]), .value(["done": true])])
        let bench = try Bench(source: .local, max: 1, store: [told, carriedOut])
        bench.sends([.next(10, 1)], to: bench.input.checkNumber)
        bench.scheduler.start()
        let last = try #require(bench.door.calls(.store).last?.request)
        #expect(last.contains(#"{"set":"bestRecord","value":7}"#), "\(last)")
    }
}
