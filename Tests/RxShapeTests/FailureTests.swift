// SPDX-License-Identifier: Apache-2.0

import MarbledTesting
import Streams
import XCTest

/// What goes wrong on a test scheduler fails an XCTest too, which Testing's own issues do not.
final class FailureTests: XCTestCase {
    private var heard: [String] = []

    /// What fails here is meant to.
    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
        expected: Bool
    ) {
        heard.append(description)
    }

    private func assertHeard(
        _ text: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        if heard.count == 1, heard[0].contains(text), heard[0].contains("FailureTests.swift:") {
            return
        }
        super.recordFailure(
            withDescription: "expected \(text), heard \(heard)", inFile: "\(file)",
            atLine: Int(line), expected: true)
    }

    func testALimitThatStrikes() {
        let scheduler = TestScheduler(initialClock: 0)
        scheduler.limits.items = 5
        _ = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler).subscribe()
        scheduler.start()
        assertHeard("5 items ran")
    }

    func testATargetInThePast() {
        let scheduler = TestScheduler(initialClock: 10)
        scheduler.advanceTo(5)
        assertHeard("lies before the clock")
    }

    func testEventsThatDiffer() {
        let expected: [Recorded<Event<Int>>] = [.next(10, 1)]
        XCTAssertFalse(expectEvents([.next(10, 2)], expected))
        assertHeard("1 expected at 10, 2 came")
    }

    func testElementsThatDiffer() {
        XCTAssertRecordedElements([Recorded<Event<Int>>.next(10, 2)], [1])
        assertHeard("expected values [1], got [2]")
    }

    func testElementsWithAnEnd() {
        XCTAssertRecordedElements([Recorded<Event<Int>>.next(10, 2), .completed(20)], [2])
        assertHeard("completed @ 20 is no value")
    }

    func testLeftoversAtTheEnd() {
        let scheduler = TestScheduler(initialClock: 0)
        scheduler.scheduleAt(10) {}
        StubDoor(on: scheduler).finish()
        assertHeard("work still waits")
    }

    func testATaskThatLeavesTheTimeline() {
        let scheduler = TestScheduler(initialClock: 0)
        scheduler.scheduleAt(10) { Task {} }
        scheduler.start()
        assertHeard("leaves the timeline")
    }
}
