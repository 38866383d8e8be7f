// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost
internal import Scenarios

extension Methods {
    static var records: [FrontMethod] {
        [
            FrontMethod(
                "record.text", level: .read,
                doc: "Writes the record of an instance as a file that record.replay runs again.",
                parameters: [instanceParameter], result: Results.recordText,
                errors: [.unknownInstance, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let context = call.context
                inTurn(instance, context, reply) { kept in
                    var record = RecordWriting(instance)
                    inSlices(kept, context) {
                        record.write(atMost: sliceItems)
                        return record.isWhole
                    } answer: { writer in
                        writer.object {
                            $0.member("record", record.text)
                            $0.member("facts", record.facts)
                            $0.member("dropped", record.dropped)
                        }
                    }
                }
            },
            FrontMethod(
                "record.replay", level: .control,
                doc: """
                    Runs a record again in virtual time, on an instance of its own, against the plugin that \
                    is there, and tells where outputs and requests differ.
                    """,
                parameters: [
                    .required("record", .string, "The record, or a part of it."),
                    .optional(
                        "more", .boolean,
                        "Whether further parts follow in further calls; the last one is answered."),
                    .optional(
                        "mode", .choice(Replay.Mode.allCases.map(\.rawValue)),
                        "Requests that are not recorded: fail, end the run, or go to the world."),
                    .optional(
                        "time", .string, "How long answers take: \(Replay.Timing.expected)."),
                ], result: Results.replayed,
                errors: [
                    .badValue, .limit, .busy, .unknownFeature, .pluginRefused, .pluginFailed,
                    .cancelled, .stopping,
                ]
            ) { call, reply throws(RPCError) in try replay(call, reply) },
        ]
    }

    private static func replay(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let context = call.context
        var options = Replay.Options()
        if let mode = try call.params.optional("mode")?.choice(of: Replay.Mode.self) {
            options.mode = mode
        }
        if let time = call.params.optional("time") {
            guard let timing = Replay.Timing(try time.string()) else {
                throw time.refused(expected: Replay.Timing.expected)
            }
            options.timing = timing
        }
        let part = try call.params.required("record").string()
        let limits = context.daemon.configuration.limits
        guard context.recordParts.utf8.count + part.utf8.count <= limits.replayBytes else {
            context.takeRecordParts()
            context.strike("replayBytes")
            throw RPCError(.limit, "a record has at most \(limits.replayBytes) bytes here")
        }
        if try call.params.optional("more")?.bool() ?? false {
            guard context.daemon.recordPartBytes + part.utf8.count <= limits.replayPartBytes else {
                context.takeRecordParts()
                context.strike("replayPartBytes")
                throw RPCError(
                    .limit,
                    "parts of records from all connections have at most \(limits.replayPartBytes) bytes; "
                        + "begin again when another has ended")
            }
            context.keepRecordPart(part)
            return reply.succeed()
        }
        var text = context.takeRecordParts()
        text += part
        let record: RecordFile
        do throws(RecordError) { record = try RecordReader.read(text) } catch {
            throw RPCError(.badValue, error.description, pointer: "/record")
        }
        let kept = KeptReply(reply)
        var token: Int?
        do throws(HostError) {
            let giveUp = try Replay.start(record, options, on: context.daemon.host) { report in
                if let token { context.removeWait(token) }
                kept.take()?.succeed { report.json.write(to: &$0) }
            }
            guard !kept.isTaken else { return }
            token = context.addWait(kept) { reason in
                kept.take()?.fail(reason.error)
                giveUp()
            }
        } catch {
            kept.take()?.fail(RPCError(error))
        }
    }
}
