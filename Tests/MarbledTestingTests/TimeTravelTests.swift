// SPDX-License-Identifier: Apache-2.0

import MarbledKit
import MarbledTesting
import Scheduling
import Streams
import Testing

/// What is done to the time of a run.
private enum Travel: Sendable, CustomStringConvertible {
    case nothing
    case steps
    case runUntil(Int)
    case busy(at: Int, for: Int)
    case suspend(at: Int)
    case wall(at: Int, by: Duration)

    var description: String {
        switch self {
        case .nothing: "nothing"
        case .steps: "one step at a time"
        case .runUntil(let tick): "a run until \(tick), then the rest"
        case .busy(let tick, let length): "busy at \(tick) for \(length)"
        case .suspend(let tick): "the machine asleep at \(tick) for an hour"
        case .wall(let tick, let jump): "the wall clock moved by \(jump) at \(tick)"
        }
    }

    func play(_ scheduler: TestScheduler) {
        switch self {
        case .nothing: break
        case .steps: while scheduler.step() {}
        case .runUntil(let tick): scheduler.run(until: { scheduler.clock >= tick })
        case .busy(let tick, let length):
            scheduler.scheduleAt(tick, phase: .check) {
                scheduler.busy(for: .milliseconds(length))
            }
        case .suspend(let tick):
            scheduler.scheduleAt(tick, phase: .check) {
                scheduler.suspendMachine(for: .seconds(3600))
            }
        case .wall(let tick, let jump):
            scheduler.scheduleAt(tick, phase: .check) { scheduler.jumpWall(by: jump) }
        }
        scheduler.start()
    }
}

/// One line of the table.
private struct Row: Sendable, CustomTestStringConvertible {
    let what: String
    let make: @Sendable (TestScheduler) -> Observable<String>
    let travel: Travel
    let expected: String
    let because: String

    var testDescription: String { "\(what), \(travel): \(because)" }
}

/// An operator, what it says when nothing happens to time, and when it is late.
private struct Operator: Sendable {
    let name: String
    let apply: @Sendable (Observable<String>) -> Observable<String>
    let source: String
    let undisturbed: String
    /// Busy at, for, the picture, the reason.
    let late: [(at: Int, for: Int, picture: String, because: String)]
}

private let operators = [
    Operator(
        name: "debounce(5)", apply: { $0.debounce(.milliseconds(5)) },
        source: "10ms a-b 28ms c 20ms |", undisturbed: "17ms b 28ms c 15ms |",
        late: [
            (
                13, 10, "23ms b 22ms c 15ms |",
                "the timer for 17 runs when the thread is free, at 23"
            ),
            (
                11, 10, "26ms b 19ms c 15ms |",
                "the value due at 12 is older than the timer due at 15: it moves the timer, from 21 on"
            ),
            (38, 10, "17ms b 36ms c 7ms |", "a late value is quiet for 5 from when it is seen, 48"),
        ]),
    Operator(
        name: "throttle(5)", apply: { $0.throttle(.milliseconds(5)) },
        source: "10ms a-b 28ms c 20ms |", undisturbed: "10ms a 5ms b 25ms c 20ms |",
        late: [
            (13, 10, "10ms a 13ms b 17ms c 20ms |", "the end of the window at 15 is seen at 23"),
            (
                39, 2, "10ms a 5ms b 26ms c 19ms |",
                "a value after the window passes at once, late as it is"
            ),
        ]),
    Operator(
        name: "delay(5)", apply: { $0.delay(.milliseconds(5)) },
        source: "10ms a-b 28ms c 20ms |", undisturbed: "15ms a-b 28ms c 20ms |",
        late: [
            (13, 10, "23ms (ab) 22ms c 20ms |", "both timers are overdue and keep their order"),
            (38, 4, "15ms a-b 30ms c 18ms |", "the delay counts from when the value is seen, 42"),
        ]),
    Operator(
        name: "timeout(20)", apply: { $0.timeout(.milliseconds(20)) },
        source: "10ms a-b 28ms c 20ms |", undisturbed: "10ms a-b 20ms #",
        late: [
            (
                30, 15, "10ms a-b 33ms #",
                "the deadline at 32 is older than the value due at 40, though both are seen at 45"
            )
        ]),
    Operator(
        name: "timeout(30)", apply: { $0.timeout(.milliseconds(30)) },
        source: "10ms a-b 28ms c 20ms |", undisturbed: "10ms a-b 28ms c 20ms |",
        late: [
            (
                38, 10, "10ms a-b 36ms c 12ms |",
                "a value due at 40 was in time for 42, even if both are seen at 48"
            )
        ]),
    Operator(
        name: "interval(10)",
        apply: { _ in
            Observable<Int>.interval(.milliseconds(10)).take(5).map { "\($0)" }
        },
        source: "", undisturbed: "10ms 0 10ms 1 10ms 2 10ms 3 10ms (4|)",
        late: [
            (
                10, 25, "10ms 0 25ms (12) 5ms 3 10ms (4|)",
                "overdue ticks come in a burst, none is lost"
            )
        ]),
]

/// What neither a step nor the wall can change.
private let harmless: [(Travel, String)] = [
    (.nothing, "nothing happens to time"),
    (.steps, "a step runs what is next, and no time of its own passes"),
    (.runUntil(12), "a run that pauses goes on where it was"),
    (.suspend(at: 13), "a machine asleep lets no timer come closer"),
    (.wall(at: 13, by: .seconds(86_400)), "timers do not look at the wall clock"),
    (.wall(at: 13, by: .seconds(-86_400)), "nor when it goes back"),
]

private let table: [Row] = operators.flatMap { item in
    let make: @Sendable (TestScheduler) -> Observable<String> = {
        item.apply($0.createHotObservable(item.source))
    }
    return harmless.map {
        Row(
            what: item.name, make: make, travel: $0, expected: item.undisturbed, because: $1)
    }
        + item.late.map {
            Row(
                what: item.name, make: make, travel: .busy(at: $0.at, for: $0.for),
                expected: $0.picture, because: $0.because)
        }
}

@Suite struct TimeTravelTests {
    @Test(arguments: table.indices)
    func `operators are right whatever happens to time`(_ index: Int) {
        let row = table[index]
        let scheduler = TestScheduler()
        let observer = scheduler.createObserver(String.self)
        row.make(scheduler).subscribe(observer)
        row.travel.play(scheduler)
        let isRight = expectEvents(observer.events, row.expected, as: row.what)
        #expect(isRight, "\(row.testDescription)")
    }

    @Test(arguments: [
        (PeriodicWork.Overdue.burst, "0@10 1@35 2@35 3@40 4@50", "each overdue tick runs"),
        (.skip, "0@10 1@35 3@40 4@50", "one runs late, the rest of the past is left out"),
        (.delay, "0@10 1@35 2@45 3@55", "one runs late and the series goes on from there"),
    ])
    func `what a periodic timer does when it is late is said`(
        _ overdue: PeriodicWork.Overdue, _ expected: String, _ because: String
    ) {
        // The machine asleep and the wall moved besides: neither is seen.
        let scheduler = TestScheduler()
        var ticks: [String] = []
        let work = scheduler.schedulePeriodic(from: 10, every: 10, overdue: overdue) {
            ticks.append("\($0.number)@\(scheduler.clock)")
        }
        scheduler.scheduleAt(5) { scheduler.suspendMachine(for: .seconds(60)) }
        scheduler.scheduleAt(10, phase: .check) { scheduler.busy(for: .milliseconds(25)) }
        scheduler.scheduleAt(37) { scheduler.jumpWall(by: .seconds(-60)) }
        scheduler.advanceTo(55)
        work.dispose()
        if overdue != .delay { #expect(ticks.count == (overdue == .burst ? 5 : 4), "\(because)") }
        #expect(ticks.joined(separator: " ") == expected, "\(because)")
        scheduler.finish()
    }

    @Test func `a machine asleep moves the wall and nothing else`() {
        let scheduler = TestScheduler()
        scheduler.scheduleAt(100) {}
        scheduler.advanceTo(10)
        let wall = scheduler.wallNanoseconds
        scheduler.suspendMachine(for: .seconds(3_600))
        #expect(scheduler.wallNanoseconds - wall == 3_600_000_000_000)
        #expect(scheduler.clock == 10)
        #expect(scheduler.timeline.nextDue == Instant(nanoseconds: 100_000_000))
        scheduler.jumpWall(by: .seconds(-7_200))
        #expect(scheduler.wallNanoseconds - wall == -3_600_000_000_000)
        scheduler.busy(for: .milliseconds(5))
        #expect(scheduler.clock == 15)
        #expect(scheduler.wallNanoseconds - wall == -3_600_000_000_000 + 5_000_000)
    }

    // MARK: In a harness

    @Test func `a feature sees the wall jump and its timers stand`() throws {
        let desk = try Harness(Desk.self)
        desk.send("clock", at: 5)
        desk.advance(to: 5)
        desk.suspendMachine(for: .seconds(60))
        desk.send("clock", at: 6)
        desk.advance(to: 6)
        desk.jumpWall(by: .seconds(-30))
        desk.send("clock", at: 7)
        desk.run()
        let walls = desk.events("wall", as: Int.self).compactMap(\.value.element)
        #expect(zip(walls, walls.dropFirst()).map { $1 - $0 } == [60_001_000_000, -29_999_000_000])
        #expect(desk.events("ticks", as: Int.self).map(\.time) == [10, 20, 30, 30])
        #expect(desk.wallNanoseconds == Int64(walls[0]) + 30_025_000_000)
        desk.finish()
    }

    @Test func `a busy host makes a feature late`() throws {
        let desk = try Harness(Desk.self, stubs: [.http(reply: .text("found").after(3))])
        desk.send("text", "a", at: 1)
        desk.busy(for: .milliseconds(25), at: 5)
        desk.run()
        desk.expect(["ticks": "30ms (012|)", "result": "33ms 'found'"])
        desk.finish()
        let other = try Harness(Desk.self)
        other.busy(for: .milliseconds(15))
        #expect(other.clock == 15)
        other.run()
        #expect(other.events("ticks", as: Int.self).map(\.time) == [15, 20, 30, 30])
        other.finish()
    }

    @Test func `a harness steps, runs until, and stops before`() throws {
        let desk = try Harness(Desk.self)
        desk.advance(before: 10)
        #expect(desk.clock == 10 && desk.events("ticks", as: Int.self).isEmpty)
        #expect(desk.step())
        #expect(desk.events("ticks", as: Int.self).count == 1)
        desk.run(until: { desk.events("ticks", as: Int.self).count == 2 })
        #expect(desk.clock == 20)
        #expect(
            try issues { desk.run(until: { false }) }
                == ["the condition does not hold and nothing waits any more at tick 30"])
        #expect(!desk.step())
        desk.send("text", "a", at: 40)
        #expect(try issues { desk.run(until: { false }, limit: 1) }[0].hasPrefix("1 items ran"))
        desk.finish(allowing: [.pendingTimers, .unconsumedOutputs])
    }
}
