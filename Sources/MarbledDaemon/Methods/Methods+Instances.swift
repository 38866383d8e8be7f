// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import MarbledHost
internal import Scheduling

extension Methods {
    static var instances: [FrontMethod] {
        [
            FrontMethod(
                "instance.open", level: .control,
                doc: "Opens a feature and answers with the instance's name and its states.",
                parameters: [
                    .required("feature", .string, "The feature's name."),
                    .optional("clock", .choice(["real", "virtual"]), "Its clock."),
                    .optional("options", .object, "What can be chosen; see feature.describe."),
                    .optional("stubs", .array, "What answers its effects; see stub.set."),
                    .optional("seed", .integer, "The seed of its random draws."),
                    .optional(
                        "epoch", .integer, "The wall clock at its zero point, in ns since 1970."),
                    .optional("profile", .choice(["strict", "rxTest"]), "The rules of order."),
                    .optional("name", .string, "The name it is to have."),
                    .optional("ephemeral", .boolean, "Closes it together with this connection."),
                ], result: Results.opened,
                errors: [
                    .unknownFeature, .badValue, .clockIsReal, .limit, .busy, .pluginRefused,
                    .pluginFailed,
                ]
            ) { call, reply throws(RPCError) in try open(call, reply) },
            FrontMethod(
                "instance.close", level: .control,
                doc: "Closes an instance and tells what was left: timers, effects, unused stubs.",
                parameters: [instanceParameter], result: Results.closed,
                errors: [.unknownInstance]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let context = call.context
                let report = context.daemon.host.close(instance)
                context.drainSubscriptions(beforeAnswer: true)
                reply.succeed { writer in
                    writer.object {
                        $0.member("pendingTimers", report.pendingTimers)
                        $0.member("openEffects", report.openEffects)
                        $0.array("unusedStubs") {
                            for stub in report.unusedStubs { $0.element(stub) }
                        }
                    }
                }
            },
            FrontMethod(
                "instance.list", level: .read, doc: "Lists the open instances.",
                result: Results.instances
            ) { call, reply in
                let instances = call.context.daemon.host.openInstances
                reply.succeed { writer in
                    writer.object {
                        $0.array("instances") { writer in
                            for instance in instances {
                                writer.object { writeHead(instance, to: &$0) }
                            }
                        }
                    }
                }
            },
            FrontMethod(
                "instance.inspect", level: .read,
                doc: "Shows an instance whole: states, pending work, open effects, holds.",
                parameters: [instanceParameter], result: Results.instance,
                errors: [.unknownInstance]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                reply.succeed { InstanceReport.write(instance, to: &$0) }
            },
            FrontMethod(
                "instance.send", level: .control,
                doc: "Sends a value to an input: now, or at a later instant.",
                parameters: [
                    instanceParameter,
                    .required("input", .string, "The input's name."),
                    .optional("value", .any, "The value; left out where the input takes null."),
                    .optional("at", .duration, "When: since the instance opened."),
                    .optional("after", .duration, "When: from now on."),
                    .optional("collect", .boolean, "Answers with what the value caused."),
                ], result: Results.sent,
                errors: [
                    .unknownInstance, .unknownPort, .badValue, .limit, .pluginFailed, .cancelled,
                    .stopping,
                ]
            ) { call, reply throws(RPCError) in try send(call, reply) },
            FrontMethod(
                "instance.read", level: .read, doc: "Reads the newest value of a state.",
                parameters: [instanceParameter, .required("output", .string, "The state's name.")],
                result: Results.value,
                errors: [.unknownInstance, .unknownPort, .unsupported, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let output = try output(call, of: instance)
                inTurn(instance, call.context, reply) { kept throws(RPCError) in
                    guard let state = instance.state(output) else {
                        throw RPCError(
                            .unsupported,
                            "\(instance.feature.outputs[output].name) has no value to read",
                            pointer: "/output",
                            expected: "a state; for events use stream.subscribe or instance.await")
                    }
                    kept.take()?.succeed { writer in
                        writer.object { writer in
                            writer.key("value")
                            state.value.withUnsafeBytes { writer.append(payload: $0) }
                            writer.member("at", state.at)
                        }
                    }
                }
            },
            FrontMethod(
                "instance.await", level: .control,
                doc: """
                    Waits for what an output says. In virtual time this drives the clock, at most by the \
                    time-out.
                    """,
                parameters: [
                    instanceParameter,
                    .required("output", .string, "The output's name."),
                    .required("until", .any, "first, last, single, all, or {\"count\": n}."),
                    .required("timeout", .duration, "How long to wait, on the instance's clock."),
                ], result: Results.awaited,
                errors: [.unknownInstance, .unknownPort, .pluginFailed, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in try await_(call, reply) },
            FrontMethod(
                "instance.record", level: .read,
                doc: "Lists every input, effect, answer and output so far, in order.",
                parameters: [
                    instanceParameter,
                    .optional("since", .integer, "The number of the first entry wanted."),
                ], result: Results.record,
                errors: [.unknownInstance, .cursorExpired, .cancelled, .stopping]
            ) { call, reply throws(RPCError) in
                let instance = try instance(call)
                let wanted = try call.params.optional("since")?.int(in: 0...Int.max)
                let context = call.context
                inTurn(instance, context, reply) { kept throws(RPCError) in
                    let since = wanted ?? instance.record.first
                    guard since >= instance.record.first else {
                        throw RPCError(
                            .cursorExpired, "entry \(since) of the record is gone",
                            pointer: "/since",
                            expected: "a number from \(instance.record.first) on")
                    }
                    let list = EventList(instance, since: since)
                    inSlices(kept, context) {
                        list.write(atMost: sliceItems)
                        return list.isWhole
                    } answer: { writer in
                        writer.object { writer in
                            writer.key("events")
                            writer.append(list.bytes)
                            writer.member("first", since)
                            writer.member("next", list.next)
                        }
                    }
                }
            },
        ]
    }

    // MARK: Opening

    private static func open(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let context = call.context
        let daemon = context.daemon
        let feature = try call.params.required("feature").string()
        let clock =
            try call.params.optional("clock")?.choice(of: Configuration.DefaultClock.self)
            ?? daemon.configuration.clock
        var request = Host.OpenRequest(feature: feature, isVirtual: clock == .virtual)
        if let options = call.params.optional("options") {
            _ = try options.object()
            request.options = options.value()
        }
        if let stubs = call.params.optional("stubs") { request.stubs = try readStubs(stubs) }
        if let seed = call.params.optional("seed") {
            request.seed = UInt64(bitPattern: try seed.int64())
        }
        if let epoch = call.params.optional("epoch") {
            request.epoch = try epoch.int64()
            try requireVirtual(clock, epoch, "an epoch")
        }
        if let profile = call.params.optional("profile") {
            request.profile = try profile.choice(of: Profile.self)
            try requireVirtual(clock, profile, "a profile")
        }
        request.name = try call.params.optional("name")?.string()
        let isEphemeral = try call.params.optional("ephemeral")?.bool() ?? false
        let opened = request
        let instance = try onWire { () throws(HostError) in try daemon.host.open(opened) }
        if isEphemeral { context.addEphemeral(instance) }
        reply.succeed { writer in
            writer.object { writer in
                writer.member("instance", instance.name)
                writer.member("now", instance.clock.now.nanoseconds)
                writer.object("outputs") { writer in
                    for (number, output) in instance.feature.outputs.enumerated() {
                        guard let state = instance.state(number) else { continue }
                        writer.key(output.name)
                        state.value.withUnsafeBytes { writer.append(payload: $0) }
                    }
                }
            }
        }
    }

    private static func requireVirtual(
        _ clock: Configuration.DefaultClock, _ argument: Argument, _ what: String
    ) throws(RPCError) {
        guard clock == .virtual else {
            throw RPCError(
                .clockIsReal, "\(what) is for virtual instances, and this one is real",
                pointer: argument.pointer, expected: "clock \"virtual\"")
        }
    }

    // MARK: Waiting

    private static func await_(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        let instance = try instance(call)
        let output = try output(call, of: instance)
        let until = try readUntil(try call.params.required("until"))
        let timeout = try call.params.required("timeout").duration()
        let context = call.context
        inTurn(instance, call.context, reply) { kept throws(RPCError) in
            do throws(HostError) { try instance.requireOpen() } catch { throw RPCError(error) }
            Await.begin(instance, output, until, timeout, context, kept)
        }
    }

    private static func readUntil(_ argument: Argument) throws(RPCError) -> Waiter.Until {
        switch argument.raw.string {
        case "first"?: return .first
        case "last"?: return .last
        case "single"?: return .single
        case "all"?: return .all
        default: break
        }
        guard argument.raw.kind == .object else {
            throw argument.refused(
                expected: "\"first\", \"last\", \"single\", \"all\" or {\"count\": n}")
        }
        let object = try argument.object()
        try object.finish(["count"])
        return .count(try object.required("count").int(in: 1...100_000))
    }

    // MARK: Shared

    /// The output that a call is about.
    static func output(
        _ call: borrowing FrontCall, of instance: Instance
    ) throws(RPCError) -> Int {
        let name = try call.params.required("output").string()
        return try onWire { () throws(HostError) in try instance.feature.outputNumber(name) }
    }

    static func writeHead(_ instance: Instance, to writer: inout JSONWriter) {
        // An instance in real time that only waits would show when it last had something to do.
        _ = instance.clock.arrivalInstant()
        writer.member("instance", instance.name)
        writer.member("feature", instance.feature.name)
        writer.member("clock", instance.clock.name)
        writer.member("now", instance.clock.now.nanoseconds)
        if case .failed(let reason) = instance.life {
            writer.member("state", "failed" as StaticString)
            writer.member("reason", reason)
        } else {
            writer.member("state", "open" as StaticString)
        }
        writer.member("running", instance.isRunning)
    }

    /// The member `events`: the record from entry `since` on.
    static func writeEvents(_ instance: Instance, since: Int, to writer: inout JSONWriter) {
        writer.array("events") { writer in
            instance.record.forEach(since: since) { number, entry, value in
                write(entry, number, value, of: instance, to: &writer)
                return true
            }
        }
    }

    /// One entry of a record.
    fileprivate static func write(
        _ entry: Record.Entry, _ number: Int, _ value: UnsafeRawBufferPointer,
        of instance: Instance, to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("at", entry.at)
            writer.member("step", Int(entry.step))
            if entry.late > 0 { writer.member("late", entry.late) }
            writer.member("kind", entry.kind.name)
            writer.member("port", instance.portName(entry))
            writer.member("event", entry.event.name)
            if entry.cause > 0 { writer.member("cause", number - Int(entry.cause)) }
            if entry.hasMore { writer.member("more", true) }
            if !value.isEmpty {
                writer.key("value")
                writer.append(payload: value)
            }
        }
    }
}

/// The entries of a record from some number on as a JSON list, written some at a time: that of a long life is more
/// than a turn's work.
///
/// They are those that were there when this was made, whatever the instance does meanwhile.
private final class EventList {
    private let instance: Instance
    private let record: Record
    private var number: Int
    private var writer = JSONWriter()

    init(_ instance: Instance, since: Int) {
        self.instance = instance
        record = instance.record
        number = max(since, record.first)
        writer.append("[")
        if isWhole { writer.append("]") }
    }

    /// The number behind the last entry.
    var next: Int { record.next }

    /// Whether the list is whole.
    var isWhole: Bool { number >= next }

    /// What is written so far; valid until more is.
    var bytes: UnsafeRawBufferPointer { writer.bytes }

    /// Writes further entries, at most `count` of them, and after the last one the end.
    func write(atMost count: Int) {
        guard !isWhole else { return }
        let end = number + min(count, next - number)
        record.forEach(in: number..<end) { number, entry, value in
            Methods.write(entry, number, value, of: instance, to: &writer)
        }
        number = end
        if isWhole { writer.append("]") }
    }
}
