// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

/// What `instance.inspect` shows.
enum InstanceReport {
    private static let pendingShown = 64

    static func write(_ instance: Instance, to writer: inout JSONWriter) {
        writer.object { writer in
            Methods.writeHead(instance, to: &writer)
            writer.member("step", Int(instance.clock.microstep))
            writer.member("seed", Int64(bitPattern: instance.seed))
            writer.array("inputs") {
                for input in instance.feature.inputs { $0.element(input.name) }
            }
            writer.array("outputs") { writeOutputs(instance, to: &$0) }
            writer.array("pending") { writer in
                for work in instance.clock.pending(limit: pendingShown) {
                    writer.object {
                        $0.member("at", work.due.nanoseconds)
                        $0.member("label", work.label.description)
                    }
                }
            }
            writer.member("pendingCount", instance.clock.pendingCount)
            writer.array("effects") { writer in
                for effect in instance.openEffects {
                    writer.object {
                        $0.member("effect", effect.effect)
                        $0.member("request", effect.request)
                        $0.member("since", effect.since.nanoseconds)
                    }
                }
            }
            writer.array("holds") { writer in
                for hold in instance.clock.holds { writer.element(hold) }
            }
        }
    }

    private static func writeOutputs(_ instance: Instance, to writer: inout JSONWriter) {
        for (number, output) in instance.feature.outputs.enumerated() {
            writer.object { writer in
                writer.member("name", output.name)
                writer.member("kind", output.kind == .state ? "state" : "event" as StaticString)
                writer.member("subscribers", instance.subscriberCount(number))
                if let state = instance.state(number) {
                    writer.key("value")
                    state.value.withUnsafeBytes { writer.append(payload: $0) }
                    writer.member("at", state.at)
                }
            }
        }
    }
}
