// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
package import MarbledHost
package import Scheduling

/// Everything that happened to one instance, apart from it: what a record file holds.
///
/// Made from an instance or read from a file; written as text (the format is described there), and run
/// again by `Replay`. Times are nanoseconds since the instance opened.
package struct RecordFile: Equatable {
    /// The version of the format.
    package static let version = 1

    /// The version of marbled that wrote it.
    package var marbled = MarbledVersion.current.description
    package var plugin: String
    package var pluginVersion: String
    package var feature: String
    /// Whether it happened in real time.
    package var isReal: Bool
    package var profile = Profile.strict
    /// The wall clock at the zero point, in nanoseconds since 1970-01-01 UTC; in virtual time only.
    package var epoch: Int64?
    package var seed: UInt64
    /// What the instance was opened with, without secrets: requests and answers have none either, so the
    /// record runs again all the same.
    package var options = JSONValue.object(JSONObject())
    /// The rules in force when the record was taken. What they answered stands among the facts, so a
    /// record runs again without them.
    package var stubs: [JSONValue] = []
    /// How many entries of the beginning are lost; such a record cannot run again.
    package var dropped = 0
    /// What happened, in order.
    package var facts: [Fact] = []
    /// When the record was taken.
    package var end = Instant.zero
    /// Whether work that was due then had not run.
    package var endsEarly = false

    /// One thing that happened.
    package struct Fact: Equatable {
        /// The instant that the feature saw: a timer's is the one it was due at.
        package var at: Instant
        /// Which microstep of that instant.
        package var step: UInt32 = 0
        /// How far the clock of real time was ahead.
        package var late: Int64 = 0
        package var what: What
        /// Where it stands in its file; 0 where it was never in one.
        package var line = 0

        package static func == (left: Fact, right: Fact) -> Bool {
            (left.at, left.step, left.late) == (right.at, right.step, right.late)
                && left.what == right.what
        }
    }

    /// What happened. Payloads are JSON texts as they crossed the boundary.
    package enum What: Equatable {
        case input(port: String, json: String)
        /// The feature asked the world; the number ties answers to it.
        case ask(number: Int, effect: String, json: String)
        case answer(Answer)
        /// The feature gave an ask up before its last answer; the number is 0 where the ask was lost.
        case cancel(ask: Int, effect: String)
        case output(port: String, event: Record.Event, json: String)
        /// The clock of real time jumped over work that was due at `over` and too late.
        case jump(over: Instant)
    }

    /// One thing that the world answered.
    package struct Answer: Equatable {
        /// The number of the ask; 0 where that was lost.
        package var ask: Int
        package var effect: String
        /// How long after the ask, in nanoseconds.
        package var latency: Int64
        package var event: Record.Event
        /// Whether more answers follow.
        package var hasMore = false
        package var json: String

        /// The answer as the feature was given it.
        package var said: EffectAnswer {
            let json = Array(json.utf8)
            return switch event {
            case .next: hasMore ? .part(json) : .value(json)
            case .error: .error(json)
            case .completed: .completed
            }
        }
    }
}

extension RecordFile {
    /// The record of an instance so far.
    package init(_ instance: Instance) {
        self.init(headOf: instance)
        var taking = FactTaking(instance)
        facts.reserveCapacity(taking.left)
        taking.take(.max) { facts.append($0) }
    }

    /// The same without its facts.
    init(headOf instance: Instance) {
        plugin = instance.pluginID
        pluginVersion = instance.pluginVersion
        feature = instance.feature.name
        isReal = !instance.clock.isVirtual
        if case .virtual(let scheduler) = instance.clock {
            profile = scheduler.profile
            epoch = scheduler.wallOrigin
        }
        seed = instance.seed
        options = instance.shownOptions
        stubs = instance.stubs.stubs.map(\.source)
        _ = instance.clock.arrivalInstant()
        end = instance.clock.now
        endsEarly = instance.clock.nextDue.map { $0 <= end } ?? false
        dropped = instance.record.first
    }
}
