// SPDX-License-Identifier: Apache-2.0

package import JSONRPC
internal import MarbledHost
internal import Marbles
package import Scheduling

/// How a record ran again.
package struct ReplayReport {
    package var feature: String
    /// What is not as it was, a sentence each, the first difference of the outputs first.
    package var failures: [String] = []
    /// What is worth knowing and fails nothing.
    package var notes: [String] = []
    /// The lanes that differ, expected beside actual, with a table; empty when none does.
    package var picture = ""
    /// How far the clock came.
    package var end = Instant.zero
    /// How many items ran.
    package var ran = 0
    /// The outputs compared, and how many events they said.
    package var events = 0
    /// The record with the answers that were missing, when it was refreshed.
    package var refreshed: RecordFile?

    package var passed: Bool { failures.isEmpty }

    /// Sentences of one kind that are shown; the rest is counted.
    private static let shown = 10

    init(
        _ record: RecordFile, _ actual: RecordFile, _ options: Replay.Options,
        strangers: [ReplayScript.Stranger], unused: [ReplayScript.Ask], complaints: [String]
    ) {
        feature = record.feature
        if (record.plugin, record.pluginVersion) != (actual.plugin, actual.pluginVersion) {
            notes.append(
                "recorded with \(record.plugin) \(record.pluginVersion), run with "
                    + "\(actual.plugin) \(actual.pluginVersion)")
        }
        guard options.mode != .refresh else {
            let secretless = strangers.filter(\.lacksSecret)
            failures = complaints
            failures += Self.limited(
                secretless, "its secret is not in the record, so make one anew of a live instance"
            ) { $0.sentence }
            if secretless.isEmpty { refreshed = Self.refresh(record, actual) }
            notes += Self.limited(strangers.filter { !$0.lacksSecret }, "the world answered") {
                $0.sentence
            }
            notes += Self.limited(unused, "not asked any more, and gone") { $0.sentence }
            events = actual.outputs.map(\.events.count).reduce(0, +)
            return
        }
        compare(record, actual, byTime: options.timing == .recorded)
        failures += complaints
        failures += Self.limited(strangers, "not in the record") { $0.sentence }
        failures += Self.limited(unused, "in the record, and not asked again") { $0.sentence }
    }

    private static func limited<Item>(
        _ items: [Item], _ what: String, _ sentence: (Item) -> String
    ) -> [String] {
        let lines = items.prefix(shown).map { "\(what): \(sentence($0))" }
        let more = items.count - shown
        return more > 0 ? lines + ["\(what): \(more) more"] : lines
    }

    /// The record that was made just now, with the head of the one it takes the place of.
    private static func refresh(_ record: RecordFile, _ actual: RecordFile) -> RecordFile {
        var refreshed = actual
        refreshed.isReal = record.isReal
        refreshed.epoch = record.epoch
        refreshed.stubs = record.stubs
        return refreshed
    }

    // MARK: Comparing

    /// Compares output by output: what was said and when, or with other latencies what was said and in
    /// which order.
    private mutating func compare(_ record: RecordFile, _ actual: RecordFile, byTime: Bool) {
        let expected = record.outputs
        let came = record.endsEarly ? actual.outputs(asFarAs: record) : actual.outputs
        let names =
            expected.map(\.port)
            + came.map(\.port).filter { port in !expected.contains { $0.port == port } }
        var ports: [MarbleComparison.Port] = []
        for name in names {
            var left = expected.first { $0.port == name }?.events ?? []
            var right = came.first { $0.port == name }?.events ?? []
            events += right.count
            guard left != right else { continue }
            // What is spelled in two ways may mean the same.
            left = left.map(\.spelled)
            right = right.map(\.spelled)
            ports.append(
                .init(
                    name, expected: Self.marbles(left, byTime: byTime),
                    actual: Self.marbles(right, byTime: byTime)))
            if let failure = Self.errorDifference(name, left, right) { failures.append(failure) }
        }
        let comparison = MarbleComparison(ports, mostInstants: ScenarioReport.drawnInstants)
        guard !comparison.isEqual else { return }
        let lines = comparison.lines
        failures.insert(lines[0], at: 0)
        picture = lines.dropFirst(2).joined(separator: "\n")
        if !byTime { notes.append("times are not compared: a lane shows the order alone") }
    }

    private static func marbles(_ events: [RecordFile.OutputEvent], byTime: Bool) -> [Marble] {
        events.enumerated().map { index, said in
            let at = byTime ? said.at : Instant(nanoseconds: Int64(index) * 1_000_000)
            return switch said.event {
            case .next: Marble(at: at, .next(said.json))
            case .error: Marble(at: at, .error)
            case .completed: Marble(at: at, .completed)
            }
        }
    }

    /// Lanes do not show what an error says.
    private static func errorDifference(
        _ name: String, _ left: [RecordFile.OutputEvent], _ right: [RecordFile.OutputEvent]
    ) -> String? {
        guard let expected = left.last, let actual = right.last, expected.event == .error,
            actual.event == .error, expected.json != actual.json
        else { return nil }
        return "\(name): error \(expected.json) expected at \(time(expected.at)), "
            + "error \(actual.json) came"
    }

    static func time(_ instant: Instant) -> String {
        DurationText.text(of: .nanoseconds(instant.nanoseconds))
    }

    // MARK: Telling

    /// The report as `record.replay` answers it.
    package var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("passed", .bool(passed)), ("feature", .string(feature)),
            ("end", .int(end.nanoseconds)), ("ran", .int(Int64(ran))),
            ("events", .int(Int64(events))),
            ("failures", .array(failures.map(JSONValue.string))),
            ("notes", .array(notes.map(JSONValue.string))), ("picture", .string(picture)),
        ]
        if let refreshed { members.append(("record", .string(refreshed.text))) }
        return .object(members)
    }
}

extension ReplayScript.Stranger {
    var sentence: String { "\(effect) \(request), asked at \(ReplayReport.time(at))" }
}

extension ReplayScript.Ask {
    var sentence: String { "\(effect) \(request), asked at \(ReplayReport.time(at))" }
}

extension RecordFile {
    /// One thing that an output said.
    struct OutputEvent: Equatable {
        var at: Instant
        var event: Record.Event
        var json: String

        /// The same with its JSON spelled the one way that we spell it.
        var spelled: OutputEvent {
            var event = self
            event.json = (try? JSONValue(parsing: json))?.text ?? json
            return event
        }
    }

    /// What each output said, the outputs in the order of their first event.
    var outputs: [(port: String, events: [OutputEvent])] {
        var lanes: [(port: String, events: [OutputEvent])] = []
        var numbers: [String: Int] = [:]
        for fact in facts {
            guard case .output(let port, let event, let json) = fact.what else { continue }
            let number = numbers[port] ?? lanes.count
            if number == lanes.count {
                numbers[port] = number
                lanes.append((port, []))
            }
            lanes[number].events.append(OutputEvent(at: fact.at, event: event, json: json))
        }
        return lanes
    }

    /// The same without what came at the end of `record` beyond what that tells of: it was taken in the
    /// middle of that instant.
    func outputs(asFarAs record: RecordFile) -> [(port: String, events: [OutputEvent])] {
        let recorded = record.outputs
        return outputs.map { port, events in
            let known = recorded.first { $0.port == port }?.events ?? []
            let before = events.count { $0.at < record.end }
            let atEnd = known.count { $0.at == record.end }
            return (port, Array(events.prefix(before + atEnd)))
        }
    }
}
