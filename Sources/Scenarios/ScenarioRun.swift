// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
package import MarbledHost
internal import Marbles
internal import Scheduling

/// Runs one scenario on a host: opens the feature in virtual time, sends, advances, compares, closes.
///
/// The same code runs in a test process and in the daemon, so both give the same record.
package enum ScenarioRun {
    /// Starts `scenario`; `completion` is called once, from inside this call or a later slice of the
    /// host's runs. Throws, with nothing opened, for a scenario that does not fit its feature.
    ///
    /// - Returns: the instance that it runs on, which may be over already; stopping its run ends it early.
    @discardableResult
    package static func start(
        _ scenario: Scenario, on host: Host, completion: @escaping (ScenarioReport) -> Void
    ) throws(HostError) -> Instance {
        var request = Host.OpenRequest(feature: scenario.feature, isVirtual: true)
        request.options = scenario.options
        request.stubs = scenario.stubs
        request.seed = scenario.seed
        request.profile = scenario.profile
        request.tick = scenario.tick
        let feature = try host.feature(scenario.feature).feature
        let arrivals = try checkInputs(scenario, feature)
        try checkOutputs(scenario, feature)
        let instance = try host.open(request)
        do throws(HostError) {
            for arrival in arrivals {
                try instance.send(arrival.input, copying: arrival.json, at: arrival.at)
            }
            var idle: [String] = []
            for (at, name) in scenario.releases {
                instance.clock.scheduler.schedule(at: at, phase: .arrival, label: "release") {
                    [unowned instance] in
                    if instance.release(name) == 0 { idle.append(name) }
                }
            }
            try instance.drive(.through(scenario.until)) { outcome in
                var report = makeReport(scenario, instance)
                for name in idle {
                    report.failures.append(.other("nothing was held as \"\(name)\" at its release"))
                }
                if case .failure(let error) = outcome { report.failures.append(.other("\(error)")) }
                let left = host.close(instance)
                if !scenario.allowances.contains(.unusedStubs) {
                    for stub in left.unusedStubs {
                        report.failures.append(
                            .other("a stub answered nothing: \(stub.text)"))
                    }
                }
                completion(report)
            }
            return instance
        } catch {
            host.close(instance)
            throw error
        }
    }

    /// Runs `scenario` to its end, for a host that nobody else uses meanwhile.
    package static func run(
        _ scenario: Scenario, on host: Host
    ) throws(HostError) -> ScenarioReport {
        var report: ScenarioReport?
        try start(scenario, on: host) { report = $0 }
        while report == nil { host.resumeRuns() }
        guard let report else { preconditionFailure("a scenario ended without a report") }
        return report
    }

    // MARK: Before

    private struct CheckedArrival {
        var at: Instant
        var input: Int
        var json: [UInt8]
    }

    private static func checkInputs(
        _ scenario: Scenario, _ feature: FeatureDescription
    ) throws(HostError) -> [CheckedArrival] {
        var arrivals: [CheckedArrival] = []
        for arrival in scenario.inputs {
            let input = try feature.inputNumber(arrival.input)
            let pointer = "/inputs/\(arrival.input)"
            try feature.inputs[input].schema.check(arrival.value, pointer: pointer)
            arrivals.append(
                CheckedArrival(
                    at: arrival.at, input: input, json: Array(arrival.value.text.utf8)))
        }
        return arrivals
    }

    private static func checkOutputs(
        _ scenario: Scenario, _ feature: FeatureDescription
    ) throws(HostError) {
        for lane in scenario.expect + scenario.cold { _ = try feature.outputNumber(lane.output) }
    }

    // MARK: After

    private static func makeReport(_ scenario: Scenario, _ instance: Instance) -> ScenarioReport {
        var report = ScenarioReport(title: scenario.title, tick: scenario.tick)
        report.outputs = outputs(of: instance, with: scenario.cold)
        var ports: [MarbleComparison.Port] = []
        for expectation in scenario.expect {
            let actual = report.outputs.first { $0.output == expectation.output }?.events ?? []
            report.failures += differences(expectation, actual)
            ports.append(
                .init(
                    expectation.output, expected: marbles(expectation.events),
                    actual: marbles(actual)))
        }
        if case .failed(let reason) = instance.life {
            report.failures.append(.other("the feature failed: \(reason)"))
        }
        report.failures += effectFailures(scenario, instance)
        let style = PictureStyle()
        let comparison = MarbleComparison(
            ports, tick: scenario.tick, style: style, mostInstants: ScenarioReport.drawnInstants)
        report.picture =
            comparison.isEqual
            ? lanes(scenario, report).description : comparison.description
        return report
    }

    /// What each output said, and what the cold streams added to its observer.
    private static func outputs(
        of instance: Instance, with cold: [Scenario.Expectation]
    ) -> [Scenario.Expectation] {
        var lanes = instance.feature.outputs.map {
            Scenario.Expectation(output: $0.name, events: [])
        }
        instance.record.forEach(since: 0) { _, entry, bytes in
            guard entry.kind == .output else { return true }
            let value = (try? JSONValue(parsing: bytes)) ?? .null
            let event: ValueEvent =
                switch entry.event {
                case .next: .next(value)
                case .error: .error(value)
                case .completed: .completed
                }
            lanes[Int(entry.port)].events.append(
                TimedEvent(at: Instant(nanoseconds: entry.at), event))
            return true
        }
        for stream in cold {
            guard let index = lanes.firstIndex(where: { $0.output == stream.output }) else {
                continue
            }
            let merged = lanes[index].events + stream.events
            lanes[index].events = merged.enumerated()
                .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        }
        return lanes
    }

    private static func marbles(_ events: [TimedEvent]) -> [Marble] {
        events.map { Marble(at: $0.at, $0.event.marble) }
    }

    /// Compares one output instant by instant.
    private static func differences(
        _ expectation: Scenario.Expectation, _ actual: [TimedEvent]
    ) -> [ScenarioReport.Failure] {
        let instants = Set((expectation.events + actual).map(\.at)).sorted()
        let expectedAt = Dictionary(grouping: expectation.events, by: \.at)
        let actualAt = Dictionary(grouping: actual, by: \.at)
        return instants.compactMap { instant in
            let left = (expectedAt[instant] ?? []).map(\.event)
            let right = (actualAt[instant] ?? []).map(\.event)
            guard left != right else { return nil }
            return .output(expectation.output, at: instant, expected: left, actual: right)
        }
    }

    private static func effectFailures(
        _ scenario: Scenario, _ instance: Instance
    ) -> [ScenarioReport.Failure] {
        var failures: [ScenarioReport.Failure] = []
        for (effect, expected) in scenario.effectCounts {
            let count = instance.stubs.calls.count { $0.effect == effect }
            if count != expected {
                failures.append(
                    .other("effect \(effect) was asked for \(count) times, expected \(expected)"))
            }
        }
        if !scenario.allowances.contains(.unstubbedEffects) {
            failures += unstubbed(scenario, instance)
        }
        return failures
    }

    /// Requests that nobody answered: no stub, and nothing else that is there in virtual time.
    private static func unstubbed(
        _ scenario: Scenario, _ instance: Instance
    ) -> [ScenarioReport.Failure] {
        let calls = instance.stubs.calls.filter {
            $0.stub == nil && !instance.hasProvider(for: $0.effect)
        }
        let tick = scenario.tick.wholeNanoseconds
        var failures: [ScenarioReport.Failure] = calls.prefix(unstubbedLimit).map { call in
            let request = instance.shown(call.request, of: call.effect).text
            return .other("no stub answered: \(call.effect) \(request) @ \(call.at / tick)")
        }
        if calls.count > unstubbedLimit {
            failures.append(.other("and \(calls.count - unstubbedLimit) requests more"))
        }
        return failures
    }

    /// How many unanswered requests a report names.
    private static let unstubbedLimit = 10

    private static func lanes(_ scenario: Scenario, _ report: ScenarioReport) -> MarblePicture {
        var lanes: [MarblePicture.Lane] = []
        var places: [String: Int] = [:]
        var inputs: [(name: String, events: [Scenario.Arrival])] = []
        for arrival in scenario.inputs {
            if let place = places[arrival.input] {
                inputs[place].events.append(arrival)
            } else {
                places[arrival.input] = inputs.count
                inputs.append((arrival.input, [arrival]))
            }
        }
        for (name, events) in inputs {
            lanes.append(
                .init(
                    name,
                    events.sorted { $0.at < $1.at }
                        .map { Marble(at: $0.at, ValueEvent.next($0.value).marble) }))
        }
        for output in report.outputs where !output.events.isEmpty {
            lanes.append(.init(output.output, marbles(output.events)))
        }
        return MarblePicture(lanes, tick: scenario.tick, mostInstants: ScenarioReport.drawnInstants)
    }
}
