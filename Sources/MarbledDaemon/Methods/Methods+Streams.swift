// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

extension Methods {
    static var streams: [FrontMethod] {
        [
            FrontMethod(
                "stream.subscribe", level: .read,
                doc: "Subscribes to an output, or to all; stream.event messages follow the answer.",
                parameters: [
                    instanceParameter,
                    .required("output", .string, "The output's name, or * for all."),
                    .optional("since", .string, "A cursor: what came after it is sent again."),
                    .optional(
                        "overflow", .choice(["gap", "close"]),
                        "What happens to a subscriber that is too slow."),
                ], result: Results.subscribed,
                errors: [.unknownInstance, .unknownPort, .limit, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in try subscribe(call, reply) },
            FrontMethod(
                "stream.unsubscribe", level: .read, doc: "Ends a subscription.",
                parameters: [.required("subscription", .string, "The subscription's name.")],
                result: Results.nothing,
                errors: [.unknownSubscription]
            ) { call, reply throws(RPCError) in
                let context = call.context
                let name = try call.params.required("subscription").string()
                guard let subscription = context.subscriptions[name] else {
                    throw RPCError(
                        .unknownSubscription, "this connection has no subscription \"\(name)\"",
                        pointer: "/subscription",
                        suggestion: NearestName.find(
                            name, among: context.subscriptions.keys.sorted()))
                }
                subscription.detach()
                context.remove(subscription)
                reply.succeed()
            },
            FrontMethod(
                "stream.flush", level: .read,
                doc:
                    "Answers once everything that is held back for this connection has been written.",
                result: Results.nothing
            ) { call, reply in
                call.context.drainSubscriptions(beforeAnswer: true)
                reply.succeed()
            },
        ]
    }

    private static func subscribe(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let instance = try instance(call)
        let name = try call.params.required("output").string()
        let outputs =
            name == "*"
            ? Array(instance.feature.outputs.indices) : [try output(call, of: instance)]
        let overflow =
            try call.params.optional("overflow")?.choice(of: StreamSubscription.Overflow.self)
            ?? .gap
        let cursor = try call.params.optional("since")?.string()
        let context = call.context
        guard context.subscriptions.count < context.daemon.configuration.limits.subscriptions else {
            throw RPCError(.limit, "this connection has too many subscriptions")
        }
        inTurn(instance, call.context, reply) { kept throws(RPCError) in
            do throws(HostError) { try instance.requireOpen() } catch { throw RPCError(error) }
            guard let reply = kept.take() else { return }
            begin(instance, outputs, overflow, cursor, context, reply)
        }
    }

    /// Answers first, then sends: nobody hears of a subscription whose name he does not know.
    private static func begin(
        _ instance: Instance, _ outputs: [Int], _ overflow: StreamSubscription.Overflow,
        _ cursor: String?, _ context: ClientSession, _ reply: consuming Reply
    ) {
        let subscription = StreamSubscription(
            number: context.makeSubscriptionNumber(), instance: instance, outputs: outputs,
            overflow: overflow, session: context)
        let lines = context.daemon.lines
        let from = cursor.map { lines.number(of: $0, in: instance) ?? -1 }
        let canResume = from.map { $0 >= instance.record.first && $0 <= instance.record.next }
        let now = lines.cursor(instance, instance.record.next)
        reply.succeed(
            { writer in
                writer.object {
                    $0.member("subscription", subscription.name)
                    $0.member("cursor", now)
                    if canResume == false { $0.member("reset", true) }
                }
            }, then: { subscription.answered() })
        context.add(subscription)
        subscription.attach()
        if canResume == true, let from {
            subscription.replay(since: from)
        } else {
            subscription.writeSnapshot()
        }
        context.markDirty()
    }
}
