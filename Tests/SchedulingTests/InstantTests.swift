// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Scheduling

@Suite struct InstantTests {
    private static let sums: [(Int64, Int64, Int64)] = [
        (.max, 1, .max), (.max - 1, 5, .max), (.min, -1, .min), (-5, -3, -8), (7, -9, -2),
        (.max, .min, -1),
    ]

    @Test(arguments: sums)
    func `addition saturates`(start: Int64, distance: Int64, end: Int64) {
        #expect(
            Instant(nanoseconds: start).advanced(byNanoseconds: distance).nanoseconds == end)
    }

    private static let durations: [(Duration, Int64)] = [
        (.seconds(1) / 3, 333_333_333),
        (.milliseconds(3) + .nanoseconds(1), 3_000_001),
        (.seconds(Int64.max), .max),
        (.seconds(Int64.min), .min),
        (.nanoseconds(-7), -7),
        (.seconds(9_223_372_036) + .milliseconds(900), .max),
        (Duration(secondsComponent: 0, attosecondsComponent: 999_999_999), 0),
    ]

    @Test(arguments: durations)
    func `a duration in nanoseconds drops fractions and saturates`(
        duration: Duration, nanoseconds: Int64
    ) {
        #expect(duration.wholeNanoseconds == nanoseconds)
    }

    @Test func `instants compare, and measure the way between them`() {
        let (early, late) = (Instant(nanoseconds: -3), Instant(nanoseconds: 4))
        #expect(early < late && early < .zero && late < .distantFuture)
        #expect(early.duration(to: late) == .nanoseconds(7))
        #expect(late.advanced(by: .microseconds(2)) == Instant(nanoseconds: 2004))
        #expect("\(late)" == "4 ns")
    }

    @Test func `every scheduling error is a sentence`() {
        let instant = Instant(nanoseconds: 5)
        let errors: [(SchedulingError, String)] = [
            (.negativeDuration(.nanoseconds(-1)), "give zero or more"),
            (.zeroPeriod, "give a nanosecond or more"),
            (.targetInThePast(target: .zero, now: instant), "never goes back"),
            (.alreadyRunning, "cannot drive it"),
            (.limitReached(.items(3), at: instant, repeating: []), "not idle at 5ns"),
            (.limitReached(.microsteps(3), at: instant, repeating: ["a", "b"]), "repeating: a, b"),
            (.limitReached(.horizon(instant), at: .zero, repeating: ["a"]), "horizon of 5ns"),
        ]
        for (error, part) in errors { #expect(error.description.contains(part), "\(error)") }
    }
}
