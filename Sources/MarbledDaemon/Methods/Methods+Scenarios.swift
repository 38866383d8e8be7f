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
                ], result: Results.scenarios
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
                run(scenarios[...], [], on: call.context.daemon.host, KeptReply(reply))
            }
        ]
    }

    /// Runs one after the other, each to its end; a long one is cut into slices by the host.
    private static func run(
        _ scenarios: ArraySlice<Scenario>, _ reports: [ScenarioReport], on host: Host,
        _ kept: KeptReply
    ) {
        guard let scenario = scenarios.first else { return answer(reports, kept) }
        do {
            try ScenarioRun.start(scenario, on: host) { report in
                run(scenarios.dropFirst(), reports + [report], on: host, kept)
            }
        } catch {
            kept.take()?.fail(RPCError(error))
        }
    }

    private static func answer(_ reports: [ScenarioReport], _ kept: KeptReply) {
        kept.take()?.succeed { writer in
            if reports.count == 1 { return reports[0].json.write(to: &writer) }
            writer.object { writer in
                writer.member("passed", reports.allSatisfy(\.passed))
                writer.array("reports") { for report in reports { $0.element(report.json) } }
            }
        }
    }
}
