// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import MarbledHost
package import Marbles
package import Scheduling

/// One test of a feature as data: what goes in when, what the world answers, what must come out.
///
/// Read from YAML by `ScenarioReader`, run by `ScenarioRun`. Times are nanoseconds here; the file speaks
/// in ticks.
package struct Scenario {
    /// What is tested, as a sentence.
    package var title: String
    /// The feature that is opened.
    package var feature: String
    /// The unit of the file's times.
    package var tick: Duration = .milliseconds(1)
    /// The rules of order.
    package var profile = Profile.strict
    /// The options it is opened with.
    package var options = JSONValue.object(JSONObject())
    /// The seed of its random draws.
    package var seed: UInt64 = 0
    /// What answers its effects.
    package var stubs: [Stub] = []
    /// What goes in: in the order of the file.
    package var inputs: [Arrival] = []
    /// When what stubs hold is released, and under which name.
    package var releases: [(at: Instant, name: String)] = []
    /// Further streams into the observer of an output, beside the feature.
    package var cold: [Expectation] = []
    /// Where the clock ends.
    package var until = Instant.zero
    /// What must come out, of the outputs that are named.
    package var expect: [Expectation] = []
    /// How often the feature must have asked for an effect.
    package var effectCounts: [(effect: String, count: Int)] = []
    /// What a strict end of test would refuse and this scenario allows.
    package var allowances: Set<Allowance> = []
    /// Where the file has what a host may refuse, by pointer: `/feature`, `/inputs/NAME`, `/outputs/NAME`.
    package var places: [String: Place] = [:]

    /// A place in the file, counted from 1.
    package struct Place: Equatable {
        package var line: Int
        package var column: Int
    }

    /// A value that goes in.
    package struct Arrival {
        package var at: Instant
        package var input: String
        package var value: JSONValue
    }

    /// What one output says.
    package struct Expectation {
        package var output: String
        package var events: [TimedEvent]
    }

    /// What a strict end of test can be told to let pass.
    package enum Allowance: String, CaseIterable {
        /// A stub that answered nothing.
        case unusedStubs
        /// A request that no stub answered, to an effect that has nothing else to answer it.
        case unstubbedEffects
    }
}

/// One event and its instant.
package struct TimedEvent: Equatable {
    package var at: Instant
    package var event: ValueEvent

    package init(at: Instant, _ event: ValueEvent) {
        self.at = at
        self.event = event
    }
}

/// One event whose value is JSON.
package enum ValueEvent: Equatable {
    case next(JSONValue)
    case error(JSONValue)
    case completed

    /// The event as a marble: the value's JSON text is its name, a string stands without its quotes,
    /// and `null`, which says only that something happened, is an x.
    package var marble: MarbleEvent {
        switch self {
        case .next(.string(let text)): .next(text.isEmpty ? "\"\"" : text)
        case .next(.null): .next("x")
        case .next(let value): .next(value.text)
        case .error: .error
        case .completed: .completed
        }
    }

    /// The event as a value of the report: the value itself, or an object that says the end.
    package var json: JSONValue {
        switch self {
        case .next(let value): value
        case .error(let value): .object([("$error", value)])
        case .completed: .object([("$completed", .bool(true))])
        }
    }
}
