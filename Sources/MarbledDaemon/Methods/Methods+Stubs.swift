// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

extension Methods {
    static var stubs: [FrontMethod] {
        [
            FrontMethod(
                "stub.set", level: .control,
                doc: "Puts rules in place that answer an instance's effects; the rules before go.",
                parameters: [
                    instanceParameter,
                    .required(
                        "stubs", .array, "Rules as in scenario files; durations in ns or as text."),
                ], result: Results.stubs,
                errors: [.unknownInstance, .badValue, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let stubs = try readStubs(try call.params.required("stubs"))
                let context = call.context
                inTurn(instance, context, reply) { kept in
                    instance.setStubs(stubs)
                    context.drainSubscriptions(beforeAnswer: true)
                    kept.take()?.succeed { writer in
                        writer.object { $0.member("stubs", stubs.count) }
                    }
                }
            },
            FrontMethod(
                "stub.release", level: .control,
                doc:
                    "Releases what stubs hold under a name, and heals the partitions of that name.",
                parameters: [
                    instanceParameter,
                    .required(
                        "name", .string,
                        "The name that a reply's `release` gives, or a partition has."),
                ], result: Results.released,
                errors: [.unknownInstance, .badValue, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let name = try call.params.required("name").string()
                let context = call.context
                inTurn(instance, call.context, reply) { kept throws(RPCError) in
                    let held = instance.heldNames
                    let count = instance.release(name)
                    guard count > 0 else {
                        throw RPCError(
                            .badValue, "nothing is held as \"\(name)\"", pointer: "/name",
                            expected: held.isEmpty
                                ? "the name of a held answer; none is held"
                                : "one of " + held.joined(separator: ", "),
                            suggestion: NearestName.find(name, among: held))
                    }
                    context.drainSubscriptions(beforeAnswer: true)
                    kept.take()?.succeed { writer in
                        writer.object { $0.member("released", count) }
                    }
                }
            },
            FrontMethod(
                "stub.calls", level: .read,
                doc: "Lists what an instance asked of the world so far, and which rule answered.",
                parameters: [instanceParameter], result: Results.calls,
                errors: [.unknownInstance, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let redaction = call.context.daemon.host.redaction
                inTurn(instance, call.context, reply) { kept in
                    kept.take()?.succeed { writer in
                        writer.object {
                            $0.array("calls") { writer in
                                for call in instance.stubs.calls {
                                    writer.object {
                                        $0.member("effect", call.effect)
                                        $0.member(
                                            "request",
                                            redaction.shown(call.request, of: call.effect))
                                        $0.member("at", call.at)
                                        $0.member(
                                            "stub",
                                            call.stub.map { .int(Int64($0)) } ?? JSONValue.null)
                                    }
                                }
                            }
                        }
                    }
                }
            },
        ]
    }

    static func readStubs(_ argument: Argument) throws(RPCError) -> [Stub] {
        var stubs: [Stub] = []
        for item in try argument.array() {
            do throws(HostError) {
                stubs.append(
                    try Stub(item.value(), pointer: item.pointer) {
                        value, pointer throws(HostError) in
                        if let nanoseconds = value.int, nanoseconds >= 0 { return nanoseconds }
                        if let text = value.string,
                            let nanoseconds = DurationText.nanoseconds(text.utf8)
                        {
                            return nanoseconds
                        }
                        throw .badValue(
                            pointer: pointer, expected: "zero or more \(DurationText.expected)")
                    })
            } catch {
                throw RPCError(error)
            }
        }
        return stubs
    }
}
