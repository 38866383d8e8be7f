// SPDX-License-Identifier: Apache-2.0

import FindNumber
import MarbledKit
import MarbledTesting
import Streams
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
}
