// SPDX-License-Identifier: Apache-2.0

import FindNumber
import JSONRPC
import MarbledHost
import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// Own tests 4 to 6, which no peer has: two ports at one instant, and one game run in several ways.
@Suite struct SameResultTests {
    /// What the player does: a tick, an input, a value in JSON. Several at one tick are meant.
    private static let moves: [(tick: Int, input: String, value: JSONValue)] = [
        (0, "gameStart", nil), (10, "checkNumber", 1), (10, "checkNumber", 1),
        (10, "checkNumber", 2),
        (15, "checkNumber", 1), (15, "resetStage", nil), (20, "resetStage", nil),
        (20, "checkNumber", 1), (20, "gameStart", nil), (40, "checkNumber", 1),
    ]

    /// What answers the game's requests: late, at once, late enough to meet an input, and with a fault.
    private static let stubs: [JSONValue] = [
        [
            "http": "GET */random*",
            "reply": [
                ["json": [2], "after": 5], ["json": [1]], ["json": [1], "after": 5],
                ["status": 503],
                ["json": [3], "after": 20], ["json": [1], "after": 7], ["json": [2]],
            ],
        ]
    ]

    /// A host with the game, and a real clock that is moved by hand.
    private final class Bench {
        private var clock: Int64 = 1_000
        private var alarm: Instant?
        private var real: RealTimeScheduler?
        private let export = PluginExport(id: "find-number", version: "0.0.0", [FindNumber.self])
        private var host = Host()

        init() throws {
            host = Host(
                .init(
                    makeRealScheduler: { [unowned self] in
                        let made = RealTimeScheduler(
                            clock: { [unowned self] in clock },
                            wallClock: { [unowned self] in clock },
                            alarm: { [unowned self] in alarm = $0 })
                        real = made
                        return made
                    }))
            host.add(try Plugin(PluginTable(export.table)))
        }

        deinit { host.closeAll() }

        func open(isVirtual: Bool, profile: Profile = .strict) throws -> Instance {
            var request = Host.OpenRequest(feature: "find-number", isVirtual: isVirtual)
            request.options = ["source": "http"]
            request.seed = 3
            request.profile = profile
            request.stubs = try stubs.map {
                try Stub($0, pointer: "") { (after, _) throws(HostError) in
                    (after.int ?? 0) * 1_000_000
                }
            }
            return try host.open(request)
        }

        /// Lets real time pass up to `target`: each alarm strikes at its instant.
        func pass(to target: Instant) {
            guard let real else { return }
            let end = real.clockReading(at: target)
            while let due = alarm.map(real.clockReading(at:)), due <= end {
                clock = max(clock, due)
                alarm = nil
                real.runDue()
            }
            clock = end
            real.runDue()
        }
    }

    private static func instant(_ tick: Int) -> Instant {
        Instant(nanoseconds: Int64(tick) * 1_000_000)
    }

    private static func send(
        _ move: (tick: Int, input: String, value: JSONValue), to instance: Instance,
        at due: Instant?
    ) throws {
        try instance.send(
            instance.feature.inputNumber(move.input), copying: Array(move.value.text.utf8), at: due)
    }

    /// How the moves reach the timeline.
    enum Sending: CaseIterable {
        /// All of them beforehand, each with its instant.
        case beforehand
        /// Each when its instant has come, with all that it causes there.
        case inTime
    }

    /// The record of the game in virtual time.
    private static func virtualRecord(
        _ profile: Profile, _ sending: Sending = .beforehand
    ) throws -> [String] {
        let bench = try Bench()
        let instance = try bench.open(isVirtual: true, profile: profile)
        for move in moves {
            switch sending {
            case .beforehand: try send(move, to: instance, at: instant(move.tick))
            case .inTime:
                try instance.drive(.through(instant(move.tick))) { _ in }
                try send(move, to: instance, at: nil)
            }
        }
        try instance.drive(.through(instant(100))) { _ in }
        return withExtendedLifetime(bench) { RecordText.lines(instance) }
    }

    /// The record of the game on a real clock, which is moved by hand.
    private static func realRecord(_ sending: Sending) throws -> [String] {
        let bench = try Bench()
        let instance = try bench.open(isVirtual: false)
        for move in moves {
            switch sending {
            case .beforehand: try send(move, to: instance, at: instant(move.tick))
            case .inTime:
                bench.pass(to: instant(move.tick))
                try send(move, to: instance, at: nil)
            }
        }
        bench.pass(to: instant(100))
        return withExtendedLifetime(bench) { RecordText.lines(instance) }
    }

    /// A line without its microstep, which the profile `rxTest` does not know.
    private static func withoutStep(_ line: String) -> String {
        guard let space = line.firstIndex(of: " ") else { return line }
        let time = line[..<space].prefix { $0 != "." }
        return String(time + line[space...])
    }

    @Test(arguments: Profile.allCases, [false, true])
    func `own 4 two ports at one instant: the inputs take effect in the order they came`(
        _ profile: Profile, resetsFirst: Bool
    ) throws {
        let game = try Harness(
            FindNumber.self, options: .with { $0.source = .http },
            stubs: [.http(reply: .json([1]))], profile: profile)
        game.send("checkNumber", 1, at: 10)
        if resetsFirst { game.send("resetStage", at: 20) }
        game.send("checkNumber", 1, at: 20)
        if !resetsFirst { game.send("resetStage", at: 20) }
        game.run()
        let inputs = game.record.filter { $0.contains(" input ") }
            .map { $0.split(separator: " ")[2] }
        #expect(
            inputs.dropFirst()
                == (resetsFirst ? ["resetStage", "checkNumber"] : ["checkNumber", "resetStage"]))
        #expect(
            game.events("round", as: Int.self).suffix(2).map(\.value.element)
                == (resetsFirst ? [1, 2] : [3, 1]))
        game.finish()
    }

    @Test func `own 5 insertion order alone: the same record as by phases`() throws {
        let strict = try Self.virtualRecord(.strict)
        let rxTest = try Self.virtualRecord(.rxTest)
        #expect(strict.count > 40)
        #expect(rxTest == strict.map(Self.withoutStep))
    }

    @Test(arguments: Sending.allCases)
    func `own 6 real mode: the same record as in virtual time, microstep by microstep`(
        _ sending: Sending
    ) throws {
        let virtual = try Self.virtualRecord(.strict, sending)
        #expect(virtual.count > 40)
        #expect(try Self.realRecord(sending) == virtual)
    }
}
