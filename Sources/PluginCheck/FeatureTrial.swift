// SPDX-License-Identifier: Apache-2.0

internal import CHeap
internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// Tries one feature of a plugin in virtual time. Each promise is a function that says what it saw, or throws.
///
/// Everything is drawn from fixed seeds: a check that failed fails again.
final class FeatureTrial {
    /// The first promise; without it there is nothing to ask the others.
    static let opening = "opens"

    static var promises: [(String, (FeatureTrial) throws(CheckFailure) -> String)] {
        [
            (opening, { (trial) throws(CheckFailure) in try trial.opens() }),
            ("states", { (trial) throws(CheckFailure) in try trial.saysItsStates() }),
            ("options", { (trial) throws(CheckFailure) in try trial.refusesOptions() }),
            ("wrong values", { (trial) throws(CheckFailure) in try trial.refusesValues() }),
            ("same again", { (trial) throws(CheckFailure) in try trial.doesTheSameAgain() }),
            ("end", { (trial) throws(CheckFailure) in try trial.endsInTheMiddle() }),
            ("memory", { (trial) throws(CheckFailure) in try trial.keepsNothing() }),
        ]
    }

    private static let inputs = 300
    private static let endings = 100
    private static let openings = 1_000
    /// What 1,000 openings may leave: less than any structure of a plugin that is forgotten each time.
    private static let allowedGrowth = 24 << 10

    private let feature: FeatureDescription

    /// One for all features: a plugin that keeps a handle of the past is noticed whenever it uses it.
    private let host: Host
    /// Late calls that were told already.
    private var toldLateCalls = 0

    init(_ feature: FeatureDescription, on host: Host) {
        self.feature = feature
        self.host = host
        toldLateCalls = host.lateCalls
    }

    /// A host for the trials of a plugin's features.
    static func makeHost(_ plugin: Plugin) -> Host {
        var limits = HostLimits()
        // Handles that rest are the host's memory, not the plugin's.
        limits.restingHandles = 64
        let host = Host(limits: limits)
        host.add(plugin)
        return host
    }

    // MARK: Opening

    private func opens() throws(CheckFailure) -> String {
        for options in [[:], feature.optionDefaults] as [JSONValue] {
            let instance = try open(options: options)
            host.close(instance)
            try requireSilence()
        }
        return "with its defaults, in virtual time, and closes"
    }

    private func saysItsStates() throws(CheckFailure) -> String {
        let instance = try open()
        defer { host.close(instance) }
        var count = 0
        for (number, output) in feature.outputs.enumerated() where output.kind == .state {
            guard let state = instance.state(number) else {
                throw CheckFailure(
                    "\(output.name) is a state and had no value when create returned",
                    advice: "Emit its first value inside create(), or describe it as an event.")
            }
            try checkSaid(state.value, output)
            count += 1
        }
        return count == 0 ? "it has none" : "each of \(count) said its first value at once"
    }

    // MARK: Refusing

    private func refusesOptions() throws(CheckFailure) -> String {
        try refuses(["no-such-option": 1], "an option that nobody described")
        guard case .object(let members, _, _) = feature.options else { return "it has none" }
        var wrong = 0
        for member in members {
            guard let value = ValueMaker.wrongValue(member.schema) else { continue }
            try refuses(.object([(member.name, value)]), "\(member.name) \(value.text)")
            wrong += 1
        }
        return "unknown ones are refused, and \(wrong) wrong ones"
    }

    private func refuses(_ options: JSONValue, _ what: String) throws(CheckFailure) {
        guard let instance = try? host.open(request(options: options)) else { return }
        host.close(instance)
        throw CheckFailure(
            "it took \(what)",
            advice: "Describe every option, and say \"additionalProperties\": false.")
    }

    private func refusesValues() throws(CheckFailure) -> String {
        let instance = try open()
        defer { host.close(instance) }
        let before = instance.record.next
        var refused = 0
        for (number, input) in feature.inputs.enumerated() {
            guard let value = ValueMaker.wrongValue(input.schema) else { continue }
            guard (try? send(value, to: number, of: instance)) == nil,
                instance.record.next == before
            else {
                throw CheckFailure(
                    "\(input.name) took \(value.text)",
                    advice: "Make its schema as narrow as what it takes.")
            }
            refused += 1
        }
        let anything = feature.inputs.count - refused
        return "\(refused) inputs refused one and changed nothing"
            + (anything == 0 ? "" : "; \(anything) take any JSON")
    }

    // MARK: Running

    private func doesTheSameAgain() throws(CheckFailure) -> String {
        let first = try play()
        let second = try play()
        for (left, right) in zip(first, second) where left != right {
            throw CheckFailure(
                "two runs with one seed and the same inputs differ: first \(left), then \(right)",
                advice:
                    "Keep nothing outside the instance, and draw time and chance from the host alone."
            )
        }
        guard first.count == second.count else {
            let more = first.count > second.count ? first : second
            throw CheckFailure(
                "of two runs with the same inputs one goes on: \(more[min(first.count, second.count)])",
                advice: "Keep nothing outside the instance.")
        }
        return "\(Self.inputs) generated inputs twice: one record of \(first.count) lines"
    }

    /// Plays the generated inputs and gives the record.
    private func play() throws(CheckFailure) -> [String] {
        let instance = try open(stubs: stubs(latency: true))
        let maker = ValueMaker(seed: 7)
        for _ in 0..<(feature.inputs.isEmpty ? 0 : Self.inputs) {
            try step(instance, maker)
        }
        try advance(instance, by: 2_000)
        let lines = instance.recordLines
        try checkOutputs(of: instance)
        host.close(instance)
        try requireSilence()
        return lines
    }

    /// Lets a while pass and sends a value to some input.
    private func step(_ instance: Instance, _ maker: ValueMaker) throws(CheckFailure) {
        try advance(instance, by: maker.pick(30))
        let number = maker.pick(feature.inputs.count)
        let value = maker.value(feature.inputs[number].schema)
        let what = "\(feature.inputs[number].name) \(value.text.prefix(200))"
        let before = instance.record.next
        do throws(HostError) {
            try send(value, to: number, of: instance)
        } catch .badValue {
            // The feature may refuse what its schema cannot say; then nothing has happened.
            guard instance.record.next == before else {
                throw CheckFailure(
                    "it refused \(what) and changed something all the same",
                    advice: "Look at a value before anything is said, asked or kept.")
            }
        } catch {
            throw CheckFailure(
                "after \(what): \(error)",
                advice: "What its schema takes must not end an instance.")
        }
    }

    private func endsInTheMiddle() throws(CheckFailure) -> String {
        let maker = ValueMaker(seed: 11)
        var left = (timers: 0, effects: 0)
        for round in 0..<Self.endings {
            // Every other one with answers on their way, the others with answers that never come.
            let instance = try open(stubs: stubs(latency: round % 2 == 0))
            for _ in 0..<(feature.inputs.isEmpty ? 0 : maker.pick(6)) {
                try step(instance, maker)
            }
            let report = host.close(instance)
            left.timers += report.pendingTimers
            left.effects += report.openEffects
            guard instance.clock.pendingCount == 0, instance.openEffects.isEmpty else {
                throw CheckFailure(
                    "it left work on a timeline that has ended",
                    advice: "Take timers and effects back in destroy(), and ask for none there.")
            }
        }
        try requireSilence()
        return
            "\(Self.endings) times in the middle of \(left.timers) timers and \(left.effects) effects"
    }

    private func keepsNothing() throws(CheckFailure) -> String {
        // Tables that grow once and are kept are not a leak.
        for _ in 0..<Self.openings { try openAndClose() }
        let before = marbled_heap_bytes()
        for _ in 0..<Self.openings { try openAndClose() }
        let growth = Int(marbled_heap_bytes()) - Int(before)
        guard growth <= Self.allowedGrowth else {
            throw CheckFailure(
                "\(Self.openings) openings left \(growth) bytes, \(growth / Self.openings) each",
                advice: "Free in destroy() what create() and send() made; look with valgrind.")
        }
        return "\(Self.openings) openings left no more than \(Self.allowedGrowth) bytes"
    }

    private func openAndClose() throws(CheckFailure) {
        let instance = try open()
        let maker = ValueMaker(seed: 3)
        for _ in 0..<(feature.inputs.isEmpty ? 0 : 3) { try step(instance, maker) }
        host.close(instance)
    }

    // MARK: Helpers

    private func request(options: JSONValue, stubs: [Stub] = []) -> Host.OpenRequest {
        var request = Host.OpenRequest(feature: feature.name, isVirtual: true)
        request.options = options
        request.stubs = stubs
        request.seed = 42
        return request
    }

    private func open(
        options: JSONValue = [:], stubs: [Stub] = []
    ) throws(CheckFailure) -> Instance {
        do throws(HostError) {
            return try host.open(request(options: options, stubs: stubs))
        } catch {
            throw CheckFailure(
                "with the options \(options.text) it does not open: \(error)",
                advice:
                    "A feature opens with its defaults, without a network and with an empty store.")
        }
    }

    /// Somebody who answers the effects that have nobody in virtual time: late, or never.
    private func stubs(latency: Bool) -> [Stub] {
        let known = ["random", "store", "wallClock"]
        return feature.effects.filter { !latency || !known.contains($0) }.compactMap { effect in
            let never: JSONValue = ["never": true]
            let late: JSONValue = [
                effect == "http" ? "json" : "value": [1],
                "latency": ["uniform": [1, 80]],
            ]
            let rule: JSONValue = .object([
                (effect, .bool(true)), ("reply", latency ? late : never),
            ])
            return try? Stub(rule, pointer: "") { (value, _) throws(HostError) in
                (value.int ?? 0) * 1_000_000
            }
        }
    }

    private func send(
        _ value: JSONValue, to input: Int, of instance: Instance
    ) throws(HostError) {
        try feature.inputs[input].schema.check(value, pointer: "/value")
        try instance.send(input, copying: Array(value.text.utf8))
    }

    private func advance(
        _ instance: Instance, by milliseconds: Int
    ) throws(CheckFailure) {
        do throws(HostError) {
            let due = try instance.virtualClock().now.advanced(
                byNanoseconds: Int64(milliseconds) * 1_000_000)
            var outcome: Result<Progress, HostError>?
            try instance.drive(.through(due)) { outcome = $0 }
            _ = try outcome?.get()
        } catch {
            throw CheckFailure(
                "at \(instance.clock.now): \(error)",
                advice: "What ends an instance is its plugin's mistake; the sentence says which.")
        }
    }

    /// Throws when the plugin called the host for an instance that was over.
    private func requireSilence() throws(CheckFailure) {
        let count = host.lateCalls - toldLateCalls
        toldLateCalls += count
        guard count > 0 else { return }
        throw CheckFailure(
            "it called the host \(count) times for an instance that was destroyed",
            advice: "After destroy() the instance's handle is nobody's; keep it nowhere else.")
    }

    private func checkOutputs(of instance: Instance) throws(CheckFailure) {
        var fault: CheckFailure?
        instance.record.forEach(since: 0) { _, entry, value in
            guard entry.kind == .output, entry.event == .next else { return true }
            do throws(CheckFailure) {
                try checkSaid(Array(value), feature.outputs[Int(entry.port)])
            } catch {
                fault = error
            }
            return fault == nil
        }
        if let fault { throw fault }
    }

    private func checkSaid(
        _ value: [UInt8], _ output: PortDescription
    ) throws(CheckFailure) {
        do throws(HostError) {
            guard let json = value.withUnsafeBytes({ try? JSONValue(parsing: $0) }) else { return }
            try output.schema.check(json, pointer: "/\(output.name)")
        } catch {
            throw CheckFailure(
                "\(output.name) said \(String(decoding: value.prefix(200), as: UTF8.self)): \(error)",
                advice: "Say what the schema of \(output.name) describes, or describe what is said."
            )
        }
    }
}

extension Instance {
    /// The record as lines: what two runs are compared by, and what a difference is shown with.
    fileprivate var recordLines: [String] {
        var lines: [String] = []
        record.forEach(since: 0) { _, entry, value in
            lines.append(
                "\(entry.at).\(entry.step) \(entry.kind.name) \(portName(entry)) \(entry.event.name) "
                    + String(decoding: value, as: UTF8.self))
            return true
        }
        return lines
    }
}
