// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scheduling

extension Methods {
    static var clock: [FrontMethod] {
        [
            FrontMethod(
                "clock.now", level: .read, doc: "Tells where an instance's clock stands.",
                parameters: [instanceParameter], result: Results.clock,
                errors: [.unknownInstance, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                inTurn(instance, call.context, reply) { kept in
                    if case .real(let scheduler) = instance.clock { scheduler.sampleClock() }
                    kept.take()?.succeed { writer in
                        writer.object {
                            $0.member("now", instance.clock.now.nanoseconds)
                            $0.member("step", Int(instance.clock.microstep))
                        }
                    }
                }
            },
            FrontMethod(
                "clock.next", level: .read, doc: "Tells when the next item is due, and what it is.",
                parameters: [instanceParameter], result: Results.next,
                errors: [.unknownInstance, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                inTurn(instance, call.context, reply) { kept in
                    let next = instance.clock.pending(limit: 1).first
                    kept.take()?.succeed { writer in
                        writer.object {
                            $0.key("at")
                            if let next {
                                $0.append(next.due.nanoseconds)
                            } else {
                                $0.append("null")
                            }
                            $0.member("label", ifPresent: next?.label.description)
                        }
                    }
                }
            },
            FrontMethod(
                "clock.advance", level: .control,
                doc:
                    "Moves a virtual clock and runs what falls due: by a duration, to or before an instant.",
                parameters: [
                    instanceParameter,
                    .optional("by", .duration, "How far, its end included."),
                    .optional("to", .duration, "To which instant, itself included."),
                    .optional("before", .duration, "To which instant, itself not included."),
                    .optional("limit", .integer, "How many items may run; else an error."),
                ], result: Results.progress,
                errors: [
                    .unknownInstance, .clockIsReal, .limit, .busy, .pluginFailed, .cancelled,
                    .stopping, .badValue,
                ]
            ) { call, reply throws(RPCError) in try advance(call, reply) },
            FrontMethod(
                "clock.step", level: .control, doc: "Runs exactly one item of a virtual instance.",
                parameters: [instanceParameter], result: Results.progress,
                errors: [
                    .unknownInstance, .clockIsReal, .limit, .busy, .pluginFailed, .cancelled,
                    .stopping,
                ]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                drive(instance, { _ in .oneItem }, nil, nil, call.context, reply)
            },
            FrontMethod(
                "clock.run", level: .control,
                doc:
                    "Runs a virtual instance until nothing waits, or until an output says something.",
                parameters: [
                    instanceParameter,
                    .optional("limit", .integer, "How many items may run; else an error."),
                    .optional("until", .string, "The output to stop after."),
                ], result: Results.progress,
                errors: [
                    .unknownInstance, .clockIsReal, .limit, .busy, .pluginFailed, .cancelled,
                    .stopping, .unknownPort,
                ]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let limit = try call.params.optional("limit")?.int(in: 1...Int.max)
                var output: Int?
                if let name = try call.params.optional("until")?.string() {
                    do throws(HostError) {
                        output = try instance.feature.outputNumber(name)
                    } catch {
                        var error = RPCError(error)
                        error.pointer = "/until"
                        throw error
                    }
                }
                drive(instance, { _ in .idle }, limit, output, call.context, reply)
            },
        ]
    }

    private static func advance(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let instance = try instance(call)
        let by = try call.params.optional("by")?.duration()
        let to = try call.params.optional("to")?.duration()
        let before = try call.params.optional("before")?.duration()
        guard [by, to, before].count(where: { $0 != nil }) == 1 else {
            throw RPCError(
                .invalidParams, "an advance is by a duration, or to or before an instant",
                expected: "exactly one of \"by\", \"to\" and \"before\"")
        }
        let limit = try call.params.optional("limit")?.int(in: 1...Int.max)
        // Worked out in its turn: "by" counts from where the clock stands then.
        let goal: (Instant) -> Run.Goal = { now in
            if let by { return .through(now.advanced(byNanoseconds: by)) }
            if let to { return .through(Instant(nanoseconds: to)) }
            return .before(Instant(nanoseconds: before ?? 0))
        }
        drive(instance, goal, limit, nil, call.context, reply)
    }

    private static func drive(
        _ instance: Instance, _ goal: @escaping (Instant) -> Run.Goal, _ limit: Int?,
        _ output: Int?, _ context: ClientSession, _ reply: consuming Reply
    ) {
        inTurn(instance, context, reply) { kept throws(RPCError) in
            // What the driving client waits for is looked for in the record, from here on.
            var seen = instance.record.next
            let condition: (() -> Bool)? = output.map { output in
                {
                    var found = false
                    instance.record.forEach(since: seen) { number, entry, _ in
                        seen = number + 1
                        found = entry.kind == .output && Int(entry.port) == output
                        return !found
                    }
                    return found
                }
            }
            var token: Int?
            do throws(HostError) {
                try instance.drive(goal(instance.clock.now), limit: limit, until: condition) {
                    outcome in
                    if let token { context.removeWait(token) }
                    guard let reply = kept.take() else { return }
                    context.drainSubscriptions(beforeAnswer: true)
                    switch outcome {
                    case .failure(let error): reply.fail(RPCError(error))
                    case .success(let progress): reply.succeed { write(progress, to: &$0) }
                    }
                }
            } catch {
                throw RPCError(error)
            }
            guard !kept.isTaken, instance.isRunning else { return }
            token = context.addWait(kept) { reason in
                token = nil
                // What it ran so far has happened, and is told before.
                context.drainSubscriptions(beforeAnswer: true)
                kept.take()?.fail(reason.error)
                // A run that nobody hears of may never end. A daemon that stops closes the instance next.
                if reason != .stopping { instance.stopRun() }
            }
        }
    }

    private static func write(_ progress: Progress, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("now", progress.now.nanoseconds)
            writer.member("ran", progress.ran)
            writer.member("idle", progress.isIdle)
            if !progress.blockedBy.isEmpty {
                writer.array("blockedBy") { for name in progress.blockedBy { $0.element(name) } }
            }
        }
    }
}
