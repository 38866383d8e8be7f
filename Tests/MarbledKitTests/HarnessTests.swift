// SPDX-License-Identifier: Apache-2.0

import FindNumber
import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Synchronization
import Testing

@Suite struct HarnessTests {
    @Test func `a game is played through the boundary`() throws {
        let game = try Harness(
            FindNumber.self, options: .with { $0.source = .http },
            stubs: [.http("GET */random*", reply: .json([1]).after(20))])
        game.send("checkNumber", 1, at: 10)
        game.send("checkNumber", 2, at: 50)
        game.advance(to: 1_000)
        expectEvents(
            game.events("round", as: Int.self), [.next(0, 1), .next(10, 2), .next(50, 1)])
        #expect(game.calls(.http).map(\.time) == [10])
        #expect(game.state("round", as: Int.self) == 1)
        #expect(game.clock == 1_000)
        game.finish()
    }

    @Test func `a feature built by hand on a test scheduler sees the same world`() throws {
        let scheduler = TestScheduler()
        let door = StubDoor(
            on: scheduler, stubs: [.http("GET */random*", reply: .json([3]).after(20))])
        let game = try FindNumber(
            FeatureContext(door, on: scheduler), options: .with { $0.source = .http })
        let input = FindNumber.Input()
        let output = game.transform(input)
        let target = scheduler.createObserver(Int.self)
        output.target.subscribe(target)
        scheduler.scheduleAt(10) { input.checkNumber.accept(1) }
        scheduler.start()
        expectEvents(target.events, [.next(0, 1), .next(30, 3)])
        #expect(try door.calls(.http)[0].request(as: HTTPRequest.self).method == "GET")
        #expect(try door.stored("bestRecord", as: Int.self) == 1)
        door.finish()
    }

    // MARK: Failing as a test should

    /// The text of every issue that `body` records.
    private func issues(_ body: () throws -> Void) throws -> [String] {
        let issues = Mutex<[String]>([])
        try withKnownIssue {
            try body()
        } matching: { issue in
            let text = issue.error.map { "\($0)" } ?? issue.comments.map(\.rawValue).joined()
            issues.withLock { $0.append(text) }
            return true
        }
        return issues.withLock { $0 }
    }

    @Test func `what is left over fails the test, a kind each, and can be allowed by name`() throws
    {
        func play() throws -> Harness {
            let game = try Harness(
                FindNumber.self, options: .with { $0.source = .http },
                stubs: [
                    .http("GET */random*", replies: [.never]),
                    .http("*unused*", reply: .status(404)),
                ])
            game.send("gameStart", at: 10)
            game.send("gameStart", at: 20)
            game.advance(to: 100)
            game.send("checkNumber", 1, at: 500)
            return game
        }
        let game = try play()
        let found = try issues { game.finish() }
        #expect(found.count == 5)
        #expect(found[0].hasPrefix("stubs answered nothing:\n  {\"http\":\"*unused*\""))
        #expect(found[0].hasSuffix("allow it with finish(allowing: [.unusedStubs])"))
        #expect(found[1].contains("effects have had no answer:\n  http {"))
        #expect(found[1].contains("asked at tick 10"))
        #expect(found[2].contains("no stub answered:\n  http {") && found[2].contains("@ 20"))
        #expect(found[3].contains("work still waits:\n  input, due at tick 500"))
        #expect(found[4].contains("error: next \"networkError\" at tick"))
        try play().finish(allowing: Set(Leftover.allCases))
    }

    @Test func `what a verb cannot do fails the test where it stands`() throws {
        let game = try Harness(FindNumber.self)
        #expect(
            try issues { game.send("chekNumber", 1) }
                == ["there is no input \"chekNumber\"; there is gameStart, checkNumber, resetStage"]
        )
        #expect(
            try issues { game.send("checkNumber", "one") } == ["/checkNumber is not an integer"])
        #expect(try issues { game.send("checkNumber") } == ["/checkNumber is not an integer"])
        #expect(try issues { _ = game.events("rounds", as: Int.self) }.count == 1)
        #expect(try issues { _ = game.state("rounds", as: Int.self) }.count == 1)
        #expect(
            try issues { _ = game.events("round", as: String.self) }
                == ["round said 1, no String: expected a string"])
        game.advance(to: 10)
        #expect(try issues { game.advance(to: 5) }.count == 1)
        #expect(game.clock == 10)
        game.finish()
        #expect(try issues { game.send("checkNumber", 1) } == ["instance \"i1\" was closed"])
    }

    @Test func `options that make no sense are the initializer's error`() {
        #expect(throws: (any Error).self) {
            _ = try Harness(FindNumber.self, options: .with { $0.min = 9 })
        }
    }

    @Test func `a limit that strikes fails the test and does not hang it`() throws {
        let game = try Harness(FindNumber.self)
        game.limits.items = 10
        for tick in 1...20 { game.send("checkNumber", 9, at: tick) }
        #expect(try issues { game.run() }.first?.hasPrefix("10 items ran") == true)
        game.limits.items = 1_000
        game.run()
        game.finish()
    }

    @Test func `the same seed draws the same game, and ticks are as long as was said`() throws {
        func play(_ seed: UInt64) throws -> [Recorded<Event<Int>>] {
            let game = try Harness(
                FindNumber.self, options: .with { $0.max = 1_000 }, seed: seed, tick: .seconds(1))
            for tick in 1...5 { game.send("gameStart", at: tick) }
            game.run()
            #expect(game.record.last?.hasPrefix("5") == true)
            game.finish()
            return game.events("target", as: Int.self)
        }
        #expect(try play(1) == play(1))
        #expect(try play(1) != play(2))
        #expect(try play(1).map(\.time) == [0, 1, 2, 3, 4, 5])
    }

    @Test func `rules can be changed on the way, and a log is kept`() throws {
        let game = try Harness(FindNumber.self, options: .with { $0.source = .http })
        game.stub([.http(replies: [.json([2]), .text("no list"), .status(500), .fail("reset")])])
        for tick in 1...4 { game.send("gameStart", at: tick) }
        game.run()
        #expect(game.state("target", as: Int.self) == 2)
        #expect(
            game.events("error", as: String.self).map(\.value.element) == [
                "decodingError", "networkError", "networkError",
            ])
        #expect(game.calls(.http).map(\.time) == [1, 2, 3, 4])
        #expect(game.calls().count == 5 && game.log.isEmpty)
        game.finish()
    }

    @Test func `a record of a test runs again, and a difference fails it with a picture`() throws {
        let game = try Harness(
            FindNumber.self, options: .with { $0.source = .http },
            stubs: [.http("GET */random*", reply: .json([1]).after(20))], seed: 9)
        game.send("checkNumber", 1, at: 10)
        game.send("checkNumber", 2, at: 80)
        game.advance(to: 100)
        let record = game.recordFile
        #expect(record.contains("\n30ms answer 3 http after 20ms {"))
        #expect(try replay(record, against: FindNumber.self))
        for time in [ReplayTime.zero, .scaled(2), .jittered(seed: 3)] {
            #expect(try replay(record, against: FindNumber.self, time: time))
        }
        let edited = record.replacing("80ms output round 1", with: "80ms output round 3")
        let found = try issues { try replay(edited, against: FindNumber.self) }
        #expect(found.count == 1 && found[0].hasPrefix("round: 3 expected at 80, 1 came\ntick="))
        #expect(throws: (any Error).self) { try replay("no record", against: FindNumber.self) }
    }

    // MARK: The door

    @Test
    func `a door answers by rule, from its store, its seed and the wall clock, else not at all`()
        throws
    {
        let scheduler = TestScheduler()
        let door = StubDoor(
            on: scheduler,
            stubs: [
                .effect(.store, matching: ["get": "stubbed"], reply: .value(7).after(5)),
                .effect("custom", reply: .never), .effect("list", replies: [.value("a")]),
            ], seed: 3)
        let context = FeatureContext(door, on: scheduler)
        var log: [String] = []
        func ask<Answer>(_ name: String, _ single: Single<Answer>) -> any Disposable {
            single.subscribe { log.append("\(scheduler.clock) \(name) \($0)") }
        }
        _ = ask("stubbed", context.store.get("stubbed", as: Int.self))
        _ = ask("set", context.store.set("a", to: [1]))
        _ = ask("get", context.store.get("a", as: [Int].self))
        _ = ask("clock", context.wallClock.now())
        _ = ask("random", context.random.integer(in: 4...4))
        _ = ask("http", context.http.get("http://x"))
        let custom = ask("custom", door.ask("custom", 1) { _ in })
        _ = ask("list", door.ask("list", 1) { try String.decode($0) })
        #expect(log.isEmpty)
        scheduler.start()
        #expect(
            log == [
                "0 set success()", "0 get success(Optional([1]))",
                "0 clock success(978307200000000000)",
                "0 random success(4)",
                "0 http failure(unavailable: no stub matches the request, and a test has no live \"http\")",
                "0 list success(\"a\")", "5 stubbed success(Optional(7))",
            ])
        #expect(try door.stored("a", as: [Int].self) == [1])
        #expect(try door.stored("b", as: Int.self) == nil)
        let found = try issues { door.finish() }
        #expect(found.count == 2)
        #expect(found[0].contains("effects have had no answer:\n  custom 1, asked at tick 0"))
        #expect(found[1].contains("no stub answered:\n  http {"))
        custom.dispose()
        door.finish(allowing: [.unstubbedEffects])
    }

    @Test func `what is given up is taken off the timeline`() throws {
        let scheduler = TestScheduler()
        let context = FeatureContext.test(
            on: scheduler, stubs: [.http(reply: .status(204).after(50))])
        let subscription = context.http.get("http://x").subscribe { _ in Issue.record("answered") }
        scheduler.scheduleAt(49) { subscription.dispose() }
        scheduler.start()
        #expect(scheduler.clock == 49)
    }

    @Test func `a door and the host draw and answer alike`() throws {
        let seeds: [UInt64] = [0, 7, .max]
        for seed in seeds {
            let scheduler = TestScheduler()
            var drawn: [Int] = []
            let random = FeatureContext.test(on: scheduler, seed: seed).random
            let game = try Harness(FindNumber.self, options: .with { $0.max = 99 }, seed: seed)
            for tick in 1...5 {
                scheduler.scheduleAt(tick) {
                    _ = random.integer(in: 1...99).subscribe {
                        if case .success(let n) = $0 { drawn.append(n) }
                    }
                }
                game.send("gameStart", at: tick)
            }
            scheduler.start()
            game.run()
            #expect(
                game.events("target", as: Int.self).dropFirst().compactMap(\.value.element) == drawn
            )
        }
    }

    @Test func `a door keeps the times of its rules: chunks, instants, and what is held`() throws {
        let scheduler = TestScheduler()
        let door = StubDoor(
            on: scheduler,
            stubs: [
                .effect(
                    "feed",
                    reply: .chunks([.value(1), .value(2).after(10), .fail("reset").after(30)])
                        .after(5)),
                .effect("late", reply: .value(3).at(40)),
                .effect("held", reply: .value(4).released(by: "gate")),
            ])
        var log: [String] = []
        for name in ["feed", "late", "held"] {
            let effect = Effect(stringLiteral: name)
            _ = door.perform(effect, request: Array("null".utf8)) { event in
                switch event {
                case .next(let json):
                    log.append("\(scheduler.clock) \(String(decoding: json, as: UTF8.self))")
                case .error(let error): log.append("\(scheduler.clock) \(error)")
                case .completed: log.append("\(scheduler.clock) end")
                }
            }
        }
        scheduler.scheduleAt(50) { #expect(door.release("gate") == 1 && door.release("x") == 0) }
        scheduler.start()
        #expect(
            log == [
                "5 1", "15 2", "35 reset: a stub answered so", "40 3", "40 end", "50 4", "50 end",
            ])
        door.finish()
    }

    @Test func `a test releases what its rules hold, and fails where nothing is held`() throws {
        let game = try Harness(
            FindNumber.self, options: .with { $0.source = .http },
            stubs: [.http(reply: .json([2]).released(by: "number"))])
        game.send("gameStart", at: 10)
        game.advance(to: 70)
        #expect(
            try issues { game.release("nmber") }
                == ["nothing is held as \"nmber\"; there is number"])
        game.release("number")
        expectEvents(game.events("target", as: Int.self), [.next(0, 1), .next(70, 2)])
        game.finish()
    }

    @Test func `rules are written as scenario files write them`() {
        #expect(
            StubRule.http(reply: .chunks([.text("a"), .text("b").after(3)]).latency(1...4)).json
                == #"{"http":"*","reply":{"chunks":[{"status":200,"body":"a"},{"status":200,"body":"b","after":3}],"latency":{"uniform":[1,4]}}}"#
        )
        #expect(
            StubRule.http("GET *", reply: .json([1]).after(5)).json
                == #"{"http":"GET *","reply":{"status":200,"json":[1],"after":5}}"#)
        #expect(
            StubRule.effect("x", matching: ["b": 1, "a": "z"], replies: [.value(2), .never]).json
                == #"{"x":{"a":"z","b":1},"reply":[{"value":2},{"never":true}]}"#)
        #expect(
            StubRule.http(reply: .fail("refused")).json
                == #"{"http":"*","reply":{"fail":"refused","message":"a stub answered so"}}"#)
    }
}
