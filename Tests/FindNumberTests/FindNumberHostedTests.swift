// SPDX-License-Identifier: Apache-2.0

import FindNumber
import MarbledKit
import MarbledTesting
import Streams
import Testing

/// The game as the daemon hosts it: through the C table, values as JSON.
@Suite("find-number, hosted")
struct FindNumberHostedTests {
    private static func service(_ change: (inout FindNumber.Options) -> Void = { _ in })
        -> FindNumber.Options
    {
        var options = FindNumber.Options()
        options.source = .http
        change(&options)
        return options
    }

    @Test func `stage: the table holds through the boundary`() throws {
        let game = try Harness(
            FindNumber.self, options: Self.service(),
            stubs: [.http("GET */random*", reply: .json([1]))])
        for (time, guess) in [(10, 1), (15, 1), (20, 1), (25, 2), (30, 1)] {
            game.send("checkNumber", guess, at: time)
        }
        game.advance(to: 1_000)
        expectEvents(
            game.events("round", as: Int.self),
            [.next(0, 1), .next(10, 2), .next(15, 3), .next(20, 4), .next(25, 1), .next(30, 2)])
        expectEvents(
            game.events("bestRecord", as: Int.self),
            [.next(0, 0), .next(10, 1), .next(15, 2), .next(20, 3), .next(30, 3)])
        #expect(game.calls(.http).count == 4)
        game.finish()
    }

    @Test func `the request names the range that was chosen`() throws {
        let game = try Harness(
            FindNumber.self,
            options: Self.service {
                $0.baseURL = "http://numbers.example"
                $0.min = 5
                $0.max = 9
            }, stubs: [.http("GET http://numbers.example/*", reply: .json([7]))])
        game.send("gameStart", at: 1)
        game.advance(to: 10)
        let request = try #require(game.calls(.http).first)
        #expect(
            request.request.contains("/api/v1.0/random?min=5&max=9&count=1"), "\(request.request)")
        #expect(game.state("target", as: Int.self) == 7)
    }

    @Test func `a slow answer delays the number and nothing else`() throws {
        let game = try Harness(
            FindNumber.self, options: Self.service(),
            stubs: [.http(reply: .json([2]).after(250))])
        game.send("checkNumber", 1, at: 10)
        game.send("checkNumber", 2, at: 20)
        game.advance(to: 1_000)
        expectEvents(
            game.events("round", as: Int.self), [.next(0, 1), .next(10, 2), .next(20, 1)])
        expectEvents(game.events("target", as: Int.self), [.next(0, 1), .next(260, 2)])
    }

    @Test func `the best record is what the store has kept`() throws {
        let game = try Harness(
            FindNumber.self,
            stubs: [
                .effect(.store, matching: ["get": "bestRecord"], reply: .value(7).after(5))
            ])
        game.send("checkNumber", 1, at: 10)
        game.advance(to: 100)
        expectEvents(
            game.events("bestRecord", as: Int.self), [.next(0, 0), .next(5, 7), .next(10, 7)])
        game.send("resetStage", at: 200)
        game.advance(to: 300)
        #expect(game.calls(.store).last?.request == #"{"remove":"bestRecord"}"#)
    }

    @Test func `the same seed plays the same game`() throws {
        func targets(_ seed: UInt64) throws -> [Int] {
            let game = try Harness(FindNumber.self, seed: seed)
            for time in 1...20 { game.send("gameStart", at: time) }
            game.advance(to: 100)
            return game.events("target", as: Int.self).compactMap(\.value.element)
        }
        #expect(try targets(5) == targets(5))
        #expect(try targets(5) != targets(6))
        #expect(try targets(5).allSatisfy { (1...3).contains($0) })
    }

    @Test func `options that make no sense together are refused with a sentence`() {
        #expect(throws: (any Error).self) {
            try Harness(
                FindNumber.self,
                options: Self.service {
                    $0.min = 9
                    $0.max = 5
                })
        }
    }
}
