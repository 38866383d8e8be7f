// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

@Suite struct EndOfTestTests {
    /// A scheduler on which everything is left over that can be.
    private func messyScheduler() -> TestScheduler {
        let scheduler = TestScheduler()
        _ = scheduler.createColdObservable([.next(10, 1)])
        _ = scheduler.createHotObservable([.next(3, "x")])
        let mates = Stub<String, Int>("mates", on: scheduler).when("ann", 1).otherwise(0)
        #expect(mates("bob") == 0)
        Observable.of(1, 2).subscribe(scheduler.createObserver(Int.self, named: "numbers"))
        _ = scheduler.expect("silent") { Observable<Int>.never() }
        let show = Mock<Int, Void>("show", on: scheduler)
        show.expect(7, at: 9)
        scheduler.scheduleAt(2) { Observable<Int>.error(Boom()).subscribe(onNext: { _ in }) }
        Observable<Int>.timer(.milliseconds(100)).subscribe()
        Observable.just(1).delay(.milliseconds(200)).subscribe()
        scheduler.advanceTo(20)
        return scheduler
    }

    @Test func `a scheduler tells all that is left over, who waits for what since when`() throws {
        let scheduler = messyScheduler()
        let hold = scheduler.timeline.hold("worker")
        let found = try issues { scheduler.finish() }
        hold.release()
        #expect(
            found.map {
                $0.split(separator: "\n").dropLast().joined(separator: "\n")
                    .replacing(/line \d+/, with: "line N")
            } == [
                """
                stubs answered nothing:
                  stream 1, a cold one that begins with next(1) @ 10, was never subscribed to
                  stream 2, a hot one that begins with next(x) @ 3, was never subscribed to
                  mates: the rule for ann
                """,
                """
                work still waits:
                  timer, due at tick 100, 80 from now
                  delay, due at tick 200, 180 from now
                """,
                """
                something was said and the test never looked:
                  numbers: next(1) @ 0 and 2 more
                """,
                """
                expectations were never told what to be:
                  "silent", said at tick 0, 20 ticks ago, line N
                """,
                """
                calls were expected and did not come:
                  show(7) at tick 9 never came; expected since tick 0, now is tick 20
                """,
                """
                nobody took the errors:
                  Boom()
                """,
                """
                the clock is held:
                  worker
                """,
            ])
        #expect(found[1].hasSuffix("allow it with finish(allowing: [.pendingTimers])"))
    }

    @Test func `each can be allowed, by its kind or by its name`() throws {
        messyScheduler().finish(allowing: Set(Leftover.allCases))
        messyScheduler().finish(except: [
            "stream 1", "stream 2", "mates", "timer", "delay", "numbers", "silent", "show",
            "Boom()",
        ])
        #expect(
            try issues {
                messyScheduler().finish(
                    allowing: Set(Leftover.allCases).subtracting([.pendingTimers]),
                    except: ["timer"])
            } == [
                """
                work still waits:
                  delay, due at tick 200, 180 from now
                allow it with finish(allowing: [.pendingTimers])
                """
            ])
    }

    @Test func `a test that used up everything ends well`() {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start { source }
        #expect(observer.events.isEmpty)
        scheduler.finish(allowing: [.unusedStubs])
        let other = TestScheduler()
        let seen = other.start { other.createColdObservable([.completed(1, Int.self)]) }
        expectEvents(seen.events, [.completed(201)])
        other.finish()
    }

    @Test func `events that came after the test looked are told`() throws {
        let scheduler = TestScheduler()
        let source = scheduler.createHotObservable("-1-2|", of: Int.self)
        let observer = scheduler.createObserver(Int.self)
        source.subscribe(observer)
        scheduler.advanceTo(1)
        expectEvents(observer.events, [.next(1, 1)])
        scheduler.advanceTo(10)
        #expect(
            try issues { scheduler.finish() }[0].contains("observer 1: next(2) @ 3 and 1 more"))
        #expect(observer.events.count == 3)
        scheduler.finish()
    }

    @Test func `expectations are compared in one picture, at the first that differs`() throws {
        let scheduler = TestScheduler()
        scheduler.expect("good") { Observable.just(1).delay(.milliseconds(2)) }.toBe("--(1|)")
        scheduler.expect("bad") { Observable.just(1).delay(.milliseconds(2)) }.toBe("---(1|)")
        scheduler.expect("named", subscribed: 1, disposed: 4) {
            Observable<Int>.interval(.milliseconds(1)).map { $0 > 0 }
        }.toBe("--ab", values: ["a": false, "b": true])
        scheduler.expect("silent") { Observable<Int>.never() }.toBeSilent()
        scheduler.expect("broken") { Observable<Int>.error(Boom()) }.toBe("#")
        scheduler.start()
        #expect(
            try issues { scheduler.finish() } == [
                """
                bad: nothing expected at 2, 1, completed came

                tick=1ms      0     3
                bad expected  ---   (1|)
                bad actual    --(1|)
                                ^

                time  port  expected      actual
                2     bad   -             1, completed
                3     bad   1, completed  -
                """
            ])
    }

    @Test func `a task that has not ended is told, with its line and since when`() throws {
        let scheduler = TestScheduler(initialClock: 5)
        let line = #line + 1
        let task = scheduler.task("poll") {
            try await scheduler.timeline.clock.sleep(for: .milliseconds(100))
        }
        scheduler.advanceTo(25)
        let found = try issues { scheduler.finish(allowing: [.pendingTimers]) }
        #expect(
            found == [
                """
                tasks have not ended:
                  poll, started at MarbledTestingTests/EndOfTestTests.swift:\(line) at tick 5, 20 ticks ago
                allow it with finish(allowing: [.runningTasks])
                """
            ])
        scheduler.finish(allowing: [.pendingTimers], except: ["poll"])
        task.cancel()
        scheduler.runDue()
        scheduler.finish()
    }

    // MARK: A harness

    @Test func `an event that nobody read fails the end, a state does not`() throws {
        func play() throws -> Harness {
            let desk = try Harness(Desk.self, stubs: [.http(reply: .text("found").after(3))])
            desk.send("text", "a", at: 1)
            desk.run()
            return desk
        }
        let desk = try play()
        let found = try issues { desk.finish() }
        #expect(
            found == [
                """
                something was said and the test never looked:
                  ticks: next 0 at tick 10 and 3 more
                allow it with finish(allowing: [.unconsumedOutputs])
                """
            ])
        try play().finish(except: ["ticks"])
        try play().finish(allowing: [.unconsumedOutputs])
        let read = try play()
        expectValues(read.events("ticks", as: Int.self), [0, 1, 2])
        read.finish()
        let whole = try play()
        #expect(whole.record.count == 8)
        whole.finish()
    }

    @Test func `what is stuck says what it waits for and since when, and can be named`() throws {
        func play() throws -> Harness {
            let desk = try Harness(
                Desk.self, stubs: [.http("*/a", reply: .never), .http("*/b", reply: .never)])
            desk.send("text", "a", at: 1)
            desk.advance(to: 25)
            return desk
        }
        let desk = try play()
        _ = desk.record
        let found = try issues { desk.finish() }
        #expect(found.count == 3)
        #expect(found[0].contains("*/b"))
        #expect(found[1].hasPrefix("effects have had no answer:\n  http {"))
        #expect(found[1].contains("asked at tick 6, 19 ticks ago"))
        #expect(found[2].contains("timer, due at tick 30, 5 from now"))
        let other = try play()
        _ = other.record
        other.finish(except: ["http", "timer"])
    }

    @Test func `a harness compares what was expected of its ports, and says how to play again`()
        throws
    {
        func play() throws -> Harness {
            let desk = try Harness(
                Desk.self, stubs: [.http(reply: .text("found").after(3))], seed: 7)
            desk.send("text", "a", at: 1)
            return desk
        }
        let good = try play()
        good.expect("ticks", as: Int.self).toBe([
            .next(10, 0), .next(20, 1), .next(30, 2), .completed(30),
        ])
        good.expect("result", as: String.self).toBe("---------'found'", values: ["found": "found"])
        good.run()
        good.finish()

        let bad = try play()
        bad.expect("result", as: String.self).toBe("---------'lost'")
        bad.expect("ticks", as: Int.self).toBe("10ms 0 10ms 1 10ms (2|)")
        _ = bad.expect("wall", as: Int.self)
        bad.run()
        let found = try issues { bad.finish() }
        #expect(found.count == 2)
        #expect(
            found[0] == """
                result: lost expected at 9, found came

                tick=1ms         0        9
                result expected  ---------'lost'
                result actual    ---------'found'
                                          ^

                time  port    expected  actual
                9     result  lost      found

                replay: Harness(Desk.self, seed: 7, tick: .nanoseconds(1000000), profile: .strict)
                """)
        #expect(found[1].contains("\"wall\", said at tick 0, 30 ticks ago"))
    }

    @Test func `several ports are compared with pictures under one ruler`() throws {
        let desk = try Harness(Desk.self, stubs: [.http(reply: .text("found").after(3))])
        desk.send("text", "a", at: 1)
        desk.run()
        desk.expect(["result": "9ms 'found'", "ticks": "10ms 0 10ms 1 10ms (2|)", "wall": ""])
        let found = try issues {
            desk.expect(["result": "9ms x", "ticks": "10ms 0 10ms 7 10ms (2|)"])
        }
        #expect(found.count == 1)
        #expect(found[0].contains("result expected") && found[0].contains("ticks actual"))
        #expect(found[0].contains("20    ticks   7         1"))
        #expect(found[0].contains("replay: Harness(Desk.self, seed: 0"))
        #expect(try issues { desk.expect(["nowhere": ""]) }[0].contains("no output \"nowhere\""))
        desk.finish()
    }
}
