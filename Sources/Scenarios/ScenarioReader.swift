// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Marbles
internal import Scheduling
internal import YAML

/// Reads scenario files: YAML, and so JSON as well. Unknown keys are errors with line and column.
///
///     scenario: a right guess moves the stage on
///     feature: find-number
///     stubs:
///       - http: GET */random*
///         reply: {status: 200, json: [1]}
///     inputs:
///       checkNumber: {10: 1, 15: 1}
///     expect:
///       round: {0: 1, 10: 2, 15: 3}
package struct ScenarioReader {
    private static let keys = [
        "scenario", "feature", "tick", "profile", "options", "seed", "stubs", "release", "inputs",
        "values",
        "cold", "until", "expect", "effects", "allow",
    ]
    /// A test that ends by itself: a scenario without `until` runs this many ticks, or to its last event.
    private static let defaultTicks: Int64 = 1_000

    private var tick = Duration.milliseconds(1)
    private var names: [String: JSONValue] = [:]

    /// Reads every scenario of a file; documents are separated by `---`.
    package static func read(
        _ text: String, file: String? = nil
    ) throws(ScenarioError) -> [Scenario] {
        do {
            return try readAll(text)
        } catch {
            var error = error
            error.file = file
            throw error
        }
    }

    private static func readAll(_ text: String) throws(ScenarioError) -> [Scenario] {
        let documents: [YAMLNode]
        do { documents = try YAMLReader.documents(text) } catch { throw ScenarioError(error) }
        guard !documents.isEmpty else {
            throw ScenarioError(
                "the file is empty; a scenario has at least `scenario`, `feature` and `expect`")
        }
        var scenarios: [Scenario] = []
        for document in documents {
            var reader = ScenarioReader()
            scenarios.append(try reader.read(document))
        }
        return scenarios
    }

    // MARK: The file

    private mutating func read(_ document: YAMLNode) throws(ScenarioError) -> Scenario {
        let fields = try Fields(document, of: "a scenario", known: Self.keys)
        var scenario = Scenario(
            title: try fields.require("scenario").text("the title"),
            feature: try fields.require("feature").text("the feature's name"))
        for name in ["feature", "options"] { scenario.places["/\(name)"] = fields[name]?.place }
        if let node = fields["tick"] { tick = try readTick(node) }
        scenario.tick = tick
        if let node = fields["profile"] {
            guard let profile = Profile(rawValue: try node.text("the profile")) else {
                throw node.error("the profile is strict or rxTest")
            }
            scenario.profile = profile
        }
        if let node = fields["options"] { scenario.options = try node.json() }
        if let node = fields["seed"] {
            guard let seed = try node.json().int else { throw node.error("the seed is an integer") }
            scenario.seed = UInt64(bitPattern: seed)
        }
        if let node = fields["values"] {
            for pair in try node.pairs("values") {
                names[pair.key.plainText] = try pair.value.json()
            }
        }
        if let node = fields["stubs"] { scenario.stubs = try readStubs(node) }
        if let node = fields["inputs"] {
            for pair in try node.pairs("inputs") {
                let (name, lane) = (pair.key, pair.value)
                scenario.places["/inputs/\(name.plainText)"] = name.place
                for event in try readLane(lane, named: name.plainText) {
                    guard case .next(let value) = event.event else {
                        throw lane.error("an input takes values; it neither fails nor completes")
                    }
                    scenario.inputs.append(
                        .init(at: event.at, input: name.plainText, value: value))
                }
            }
        }
        if let node = fields["release"] {
            for event in try readLane(node, named: "release") {
                guard case .next(.string(let name)) = event.event else {
                    throw node.error("release maps times to the names that replies give")
                }
                scenario.releases.append((event.at, name))
            }
        }
        if let node = fields["cold"] { scenario.cold = try readExpectations(node, "cold") }
        scenario.expect = try readExpectations(try fields.require("expect"), "expect")
        if let node = fields["effects"] { scenario.effectCounts = try readEffects(node) }
        if let node = fields["allow"] { scenario.allowances = try readAllowances(node) }
        scenario.until = try readEnd(fields["until"], scenario)
        for node in [fields["expect"], fields["cold"]].compactMap({ $0 }) {
            for name in try node.pairs("outputs").map(\.key) {
                scenario.places["/outputs/\(name.plainText)"] = name.place
            }
        }
        return scenario
    }

    private func readTick(_ node: YAMLNode) throws(ScenarioError) -> Duration {
        guard let tick = DurationText.duration(of: try node.text("the tick")), tick > .zero else {
            throw node.error("a tick is a duration such as 1ms, 10us or 1s")
        }
        return tick
    }

    private func readEnd(_ node: YAMLNode?, _ scenario: Scenario) throws(ScenarioError) -> Instant {
        if let node { return try readTime(node) }
        let events = (scenario.expect + scenario.cold).flatMap(\.events).map(\.at)
        let given = scenario.inputs.map(\.at) + scenario.releases.map(\.at)
        let last = (events + given).max() ?? .zero
        return max(last, .zero.advanced(by: tick * Int(Self.defaultTicks)))
    }

    /// A time: a number of ticks, or a duration.
    private func readTime(_ node: YAMLNode) throws(ScenarioError) -> Instant {
        let text = try node.text("a time")
        let duration: Duration
        if let ticks = Int64(text) {
            let (nanoseconds, overflow) = ticks.multipliedReportingOverflow(
                by: tick.wholeNanoseconds)
            guard !overflow else { throw node.error("\(ticks) ticks do not fit the timeline") }
            duration = .nanoseconds(nanoseconds)
        } else if let written = DurationText.duration(of: text) {
            duration = written
        } else {
            throw node.error(
                "\"\(text)\" is no time; give ticks such as 10, or a duration such as 300ms")
        }
        guard duration >= .zero else { throw node.error("a time is not negative") }
        return Instant.zero.advanced(by: duration)
    }

    // MARK: Lanes

    private func readExpectations(
        _ node: YAMLNode, _ what: String
    ) throws(ScenarioError) -> [Scenario.Expectation] {
        var lanes: [Scenario.Expectation] = []
        for pair in try node.pairs(what) {
            let (name, lane) = (pair.key, pair.value)
            lanes.append(
                .init(output: name.plainText, events: try readLane(lane, named: name.plainText)))
        }
        return lanes
    }

    /// The events of one port: `{10: 1}`, `[[10, 1], [10, 2]]`, or marbles.
    private func readLane(_ node: YAMLNode, named name: String) throws(ScenarioError)
        -> [TimedEvent]
    {
        var events: [TimedEvent] = []
        switch node.content {
        // A lane that was begun and not written would expect nothing, silently.
        case .scalar("", isQuoted: false):
            throw node.error("\(name) has nothing beside it; where nothing may happen, write {}")
        case .scalar(let text, _):
            return try readMarbles(text, node)
        case .mapping:
            for pair in try node.pairs(name) {
                let (time, value) = (pair.key, pair.value)
                events.append(TimedEvent(at: try readTime(time), try readEvent(value)))
            }
        case .sequence(let items):
            for item in items {
                guard case .sequence(let pair) = item.content, pair.count == 2 else {
                    throw item.error(
                        "\(name): a list holds pairs of time and value, such as [10, 1]")
                }
                events.append(TimedEvent(at: try readTime(pair[0]), try readEvent(pair[1])))
            }
        }
        // In order of time; what the file puts at one instant stays in its order.
        return events.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        .map(\.element)
    }

    private func readEvent(_ node: YAMLNode) throws(ScenarioError) -> ValueEvent {
        let value = try node.json()
        if case .object(let object) = value, object.count == 1 {
            let members = object.members
            if members[0].name == "$error" { return .error(members[0].value) }
            if members[0].name == "$completed" { return .completed }
        }
        return .next(value)
    }

    private func readMarbles(_ text: String, _ node: YAMLNode) throws(ScenarioError) -> [TimedEvent]
    {
        let diagram: MarbleDiagram
        do {
            diagram = try MarbleDiagram(parsing: text, tick: tick)
        } catch {
            throw node.error("\(error)")
        }
        guard diagram.marbles.allSatisfy({ $0.at >= .zero }) else {
            throw node.error("a scenario begins at zero; nothing stands before the `^`")
        }
        return diagram.marbles.map { marble in
            switch marble.event {
            case .next(let name):
                TimedEvent(at: marble.at, .next(names[name] ?? YAMLScalar.json(name)))
            case .error: TimedEvent(at: marble.at, .error(names["#"] ?? .null))
            case .completed: TimedEvent(at: marble.at, .completed)
            }
        }
    }

    // MARK: The rest

    private func readStubs(_ node: YAMLNode) throws(ScenarioError) -> [Stub] {
        guard case .sequence(let items) = node.content else {
            throw node.error("stubs are a list of rules")
        }
        var stubs: [Stub] = []
        for (index, item) in items.enumerated() {
            do throws(HostError) {
                let rule = try item.jsonForHost()
                stubs.append(try Stub(rule, pointer: "/stubs/\(index)", duration: duration))
            } catch {
                throw item.error("this stub: \(error)")
            }
        }
        return stubs
    }

    private func duration(_ value: JSONValue, _ pointer: String) throws(HostError) -> Int64 {
        switch value {
        case .int(let ticks):
            let (time, overflow) = ticks.multipliedReportingOverflow(by: tick.wholeNanoseconds)
            guard overflow else { return time }
            return ticks < 0 ? .min : .max
        case .string(let text):
            if let duration = DurationText.duration(of: text) { return duration.wholeNanoseconds }
        default: break
        }
        throw .badValue(pointer: pointer, expected: "ticks such as 50, or a duration such as 300ms")
    }

    private func readEffects(
        _ node: YAMLNode
    ) throws(ScenarioError) -> [(effect: String, count: Int)] {
        var counts: [(String, Int)] = []
        for pair in try node.pairs("effects") {
            let (name, rule) = (pair.key, pair.value)
            let fields = try Fields(rule, of: "the rule for \(name.plainText)", known: ["count"])
            let count = try fields.require("count")
            guard let number = try count.json().int, number >= 0 else {
                throw count.error("a count is zero or more")
            }
            counts.append((name.plainText, Int(number)))
        }
        return counts
    }

    private func readAllowances(_ node: YAMLNode) throws(ScenarioError) -> Set<Scenario.Allowance> {
        guard case .sequence(let items) = node.content else {
            throw node.error("allow is a list of words")
        }
        var allowances: Set<Scenario.Allowance> = []
        for item in items {
            guard let allowance = Scenario.Allowance(rawValue: try item.text("a word")) else {
                let words = Scenario.Allowance.allCases.map(\.rawValue)
                let hint =
                    NearestName.find(item.plainText, among: words).map { "; did you mean \($0)?" }
                    ?? ""
                throw item.error(
                    "\(item.plainText) is none of \(words.joined(separator: ", "))\(hint)")
            }
            allowances.insert(allowance)
        }
        return allowances
    }
}
