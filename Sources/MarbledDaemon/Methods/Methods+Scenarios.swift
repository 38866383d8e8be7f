// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scenarios

extension Methods {
    static var scenarios: [FrontMethod] {
        [
            FrontMethod(
                "scenario.run", level: .control,
                doc: "Runs a scenario on an instance of its own, in virtual time, and reports.",
                parameters: [
                    .required(
                        "scenario", .any, "The scenario: YAML text, or an object of the same shape."
                    )
                ], result: Results.scenarios,
                errors: [
                    .badValue, .unknownFeature, .unknownPort, .limit, .pluginRefused, .pluginFailed,
                    .cancelled, .stopping,
                ]
            ) { call, reply throws(RPCError) in
                let argument = try call.params.required("scenario")
                let text: String
                switch argument.raw.kind {
                case .string: text = try argument.string()
                // JSON is YAML.
                case .object: text = argument.value().text
                default: throw argument.refused(expected: "YAML text or an object")
                }
                let scenarios: [Scenario]
                do throws(ScenarioError) { scenarios = try ScenarioReader.read(text) } catch {
                    throw RPCError(error)
                }
                let line = ScenarioLine(
                    scenarios, on: call.context.daemon.host, KeptReply(reply))
                line.goOn()
                line.wait(call.context)
            }
        ]
    }
}

/// The scenarios of one call: one after the other, each to its end. A long one is cut into slices by the host;
/// many short ones are put off when they have had their turn.
private final class ScenarioLine {
    private let scenarios: [Scenario]
    private let host: Host
    private let kept: KeptReply
    private var reports: [ScenarioReport] = []
    private var isLooping = false
    /// What runs now, while the call waits for it.
    private weak var instance: Instance?
    private var noLongerWaits: () -> Void = {}

    init(_ scenarios: [Scenario], on host: Host, _ kept: KeptReply) {
        self.scenarios = scenarios
        self.host = host
        self.kept = kept
    }

    /// Runs what has not run. A loop, not a recursion: a thousand scenarios that end where they start need
    /// one stack frame.
    func goOn() {
        isLooping = true
        defer { isLooping = false }
        let turnIsOver = host.turnEnds()
        // Given up: the rest does not run.
        while !kept.isTaken {
            let next = reports.count
            guard next < scenarios.count else { return answer() }
            do {
                let instance = try ScenarioRun.start(scenarios[next], on: host) { [self] report in
                    reports.append(report)
                    // Not from inside this call: the run was cut, and its end comes in a later turn.
                    if !isLooping { goOn() }
                }
                guard reports.count > next else {
                    self.instance = instance
                    return
                }
            } catch {
                noLongerWaits()
                var fault = RPCError(error)
                // As what cannot be read at all: editors follow a line.
                if let place = scenarios[next].place(of: error) {
                    fault.message = "\(place.line):\(place.column): \(fault.message)"
                }
                kept.take()?.fail(fault)
            }
            if turnIsOver() { return host.putOff { [self] in goOn() } }
        }
    }

    /// Lets the client take the call back, where it is not answered yet.
    func wait(_ context: ClientSession) {
        guard !kept.isTaken else { return }
        let token = context.addWait(kept) { [self] reason in
            kept.take()?.fail(reason.error)
            instance?.stopRun()
        }
        noLongerWaits = { [unowned context] in context.removeWait(token) }
    }

    private func answer() {
        noLongerWaits()
        kept.take()?.succeed { writer in
            if reports.count == 1 { return reports[0].json.write(to: &writer) }
            writer.object { writer in
                writer.member("passed", reports.allSatisfy(\.passed))
                writer.array("reports") { for report in reports { $0.element(report.json) } }
            }
        }
    }
}
