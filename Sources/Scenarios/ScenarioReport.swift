// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import Scheduling

/// How a scenario went.
package struct ScenarioReport {
    /// What was tested.
    package var title: String
    package var tick: Duration
    /// What the outputs said, in the order of the feature's ports.
    package var outputs: [Scenario.Expectation] = []
    /// Where expectation and outcome part.
    package var failures: [Failure] = []
    /// The lanes: inputs and outputs when it passed, expected beside actual when it did not.
    package var picture = ""

    package var passed: Bool { failures.isEmpty }

    /// How many instants a report draws. Nobody reads more, and a picture is as wide as it has instants
    /// and as high as the feature has ports.
    static let drawnInstants = 1_000

    /// One thing that is not as it should be.
    package enum Failure: Equatable {
        /// One instant of one output.
        case output(String, at: Instant, expected: [ValueEvent], actual: [ValueEvent])
        /// Anything else, in a sentence.
        case other(String)
    }

    /// The report as `scenario.run` answers it; times in ticks.
    package var json: JSONValue {
        let lanes = outputs.map { lane in
            (
                lane.output,
                JSONValue.array(lane.events.map { .array([time($0.at), $0.event.json]) })
            )
        }
        return .object([
            ("scenario", .string(title)), ("passed", .bool(passed)), ("outputs", .object(lanes)),
            ("failures", .array(failures.map(json))), ("picture", .string(picture)),
        ])
    }

    private func json(_ failure: Failure) -> JSONValue {
        switch failure {
        case .other(let sentence):
            .object([("message", .string(sentence))])
        case .output(let name, let at, let expected, let actual):
            .object([
                ("output", .string(name)),
                ("at", time(at)),
                ("expected", Self.side(expected)),
                ("actual", Self.side(actual)),
            ])
        }
    }

    /// One event is itself; none is nothing; several are a list.
    private static func side(_ events: [ValueEvent]) -> JSONValue {
        switch events.count {
        case 0: .null
        case 1: events[0].json
        default: .array(events.map(\.json))
        }
    }

    /// An instant in ticks: whole where it stands on one.
    private func time(_ instant: Instant) -> JSONValue {
        let (ticks, rest) = instant.nanoseconds.quotientAndRemainder(
            dividingBy: tick.wholeNanoseconds)
        return rest == 0
            ? .int(ticks)
            : .double(Double(instant.nanoseconds) / Double(tick.wholeNanoseconds))
    }
}
