// SPDX-License-Identifier: Apache-2.0

internal import Marbles
internal import Scheduling

/// Marbles: reading and printing are inverse, faults point into the text, and every lane of a picture reads
/// as the events it shows.
///
/// Each line of an input is a lane.
enum MarblesSubject {
    private static let ticks: [Duration] = [.milliseconds(1), .nanoseconds(7), .seconds(90)]

    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        let texts = bytes.split(separator: 0x0A, maxSplits: 7, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // The length decides, so that a corpus is text and nothing else.
        let tick = ticks[bytes.count % ticks.count]
        var lanes: [[Marble]] = []
        for text in texts {
            if let diagram = try checkDiagram(text, tick) { lanes.append(diagram.marbles) }
            try checkSubscription(text, tick)
        }
        try checkPicture(lanes, tick)
    }

    private static func checkDiagram(
        _ text: String, _ tick: Duration
    ) throws(FuzzFinding) -> MarbleDiagram? {
        let diagram: MarbleDiagram
        do { diagram = try MarbleDiagram(parsing: text, tick: tick) } catch {
            try requirePlace(error, text)
            return nil
        }
        let printed = diagram.description
        let again: MarbleDiagram
        do { again = try MarbleDiagram(parsing: printed, tick: tick) } catch {
            throw FuzzFinding("printed as \(printed)\n\(error)")
        }
        try require(again == diagram, "printed as \(printed.debugDescription)")
        for (one, other) in zip(diagram.marbles, again.marbles) {
            if case (.next(let one), .next(let other)) = (one.event, other.event) {
                try requireSame(one, other, "a name in \(printed.debugDescription)")
            }
        }
        try requireSame(again.description, printed, "printed twice")
        if (try? MarbleDiagram(parsing: text, tick: tick, as: .cold)) == nil {
            try require(text.contains("^"), "a cold stream is refused, without a zero point")
        }
        return diagram
    }

    private static func checkSubscription(_ text: String, _ tick: Duration) throws(FuzzFinding) {
        do {
            let diagram = try SubscriptionDiagram(parsing: text, tick: tick)
            let again = try? SubscriptionDiagram(parsing: diagram.description, tick: tick)
            try require(again == diagram, "printed as \(diagram.description)")
        } catch let error as MarbleError {
            try requirePlace(error, text)
        } catch let finding as FuzzFinding {
            throw finding
        } catch { preconditionFailure("\(error)") }
    }

    private static func requirePlace(
        _ error: MarbleError, _ text: String
    ) throws(FuzzFinding) {
        try require(
            (1...text.count + 1).contains(error.column), "column \(error.column) of \(text.count)")
        try require(error.description.contains(error.message), "no message in \(error)")
    }

    // MARK: Pictures

    private static func checkPicture(_ lanes: [[Marble]], _ tick: Duration) throws(FuzzFinding) {
        guard !lanes.isEmpty else { return }
        let drawn = MarblePicture(
            lanes.enumerated().map { .init("\($0)", $1) }, tick: tick)
        let names = "tick=\(DurationText.text(of: tick))".count + 2
        for (number, marbles) in lanes.enumerated() {
            let lane = String(drawn.lines[number + 1].dropFirst(names))
            let read: MarbleDiagram
            do { read = try MarbleDiagram(parsing: lane, tick: tick) } catch {
                throw FuzzFinding("a lane of a picture\n\(drawn)\n\(error)")
            }
            try require(
                read.marbles.map(\.at) == marbles.map(\.at)
                    && read.marbles.map(\.event.isTerminal) == marbles.map(\.event.isTerminal),
                "a lane reads as something else\n\(drawn)")
        }
        let comparison = MarbleComparison(
            lanes.enumerated().map { number, marbles in
                .init("\(number)", expected: marbles, actual: lanes[0])
            }, tick: tick)
        try require(
            comparison.isEqual == lanes.allSatisfy { $0 == lanes[0] }, "compared: \(comparison)")
    }
}
