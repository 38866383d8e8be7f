// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

/// A method of the socket front.
typealias FrontMethod = Method<ClientSession>

/// A call of the socket front.
typealias FrontCall = Call<ClientSession>

/// Every method, in the order that documents list them. Dispatch, `rpc.discover` and help read these
/// declarations and no others.
enum Methods {
    static var all: [FrontMethod] {
        daemon + service + calls + plugins + features + instances + streams + clock + stubs
            + records
            + scenarios
    }

    static let instanceParameter = Parameter.required("instance", .string, "The instance's name.")

    /// The instance that a call is about.
    static func instance(_ call: borrowing FrontCall) throws(RPCError) -> Instance {
        let argument = try call.params.required("instance")
        let host = call.context.daemon.host
        if let bytes = try argument.plainStringBytes(), let instance = host.instance(named: bytes) {
            return instance
        }
        let name = try argument.string()
        do {
            return try host.instance(name)
        } catch {
            // Whoever mistypes a name means one that is new, and comparing all takes too long.
            let names = host.newestInstances(200).map(\.name)
            throw RPCError(
                .unknownInstance, "there is no instance \"\(name)\"", pointer: "/instance",
                expected: "one that instance.list names",
                suggestion: NearestName.find(name, among: names))
        }
    }

    /// Runs `work` for an instance, in its turn: at once, or after the run that is going on there.
    ///
    /// `work` answers through the kept reply, now or later; what it throws is the answer.
    static func inTurn(
        _ instance: Instance, _ context: ClientSession, _ reply: consuming Reply,
        _ work: @escaping (KeptReply) throws(RPCError) -> Void
    ) {
        let kept = KeptReply(reply)
        // Most have their turn at once, and nothing to take back.
        var token: Int?
        if instance.isBusy {
            token = context.addWait(kept) { kept.take()?.fail($0.error) }
        }
        instance.whenIdle {
            // The calls of a client that goes are given up one by one, and the end of a run must not begin another.
            guard !context.isEnding else { return }
            if let token { context.removeWait(token) }
            guard !kept.isTaken else { return }
            do throws(RPCError) {
                try work(kept)
            } catch {
                kept.take()?.fail(error)
            }
        }
    }

    /// Items of sliced work between two looks at the clock.
    static let sliceItems = 256

    /// Does what may be more than a turn's work, in slices: others are answered in between, and the client can take
    /// the call back. `work` does some of it and returns whether that was all; `answer` then writes the result.
    static func inSlices(
        _ kept: KeptReply, _ context: ClientSession, _ work: @escaping () -> Bool,
        answer: @escaping (inout JSONWriter) -> Void
    ) {
        let host = context.daemon.host
        let turnIsOver = host.turnEnds()
        while !work() {
            guard turnIsOver() else { continue }
            let token = context.addWait(kept) { kept.take()?.fail($0.error) }
            return host.putOff {
                context.removeWait(token)
                if !kept.isTaken { inSlices(kept, context, work, answer: answer) }
            }
        }
        kept.take()?.succeed(answer)
    }
}

extension Method {
    /// A method of the front, whose result has a shape that is written down.
    convenience init(
        _ name: StaticString, level: AccessLevel, doc: String, parameters: [Parameter] = [],
        result: Shape, errors: [ErrorKind] = [], passesCallLimit: Bool = false,
        handler: @escaping Handler
    ) {
        self.init(
            name, level: level, doc: doc, parameters: parameters, result: result.schema.text,
            errors: errors, passesCallLimit: passesCallLimit, handler: handler)
    }
}

extension ClientSession.GivingUp {
    /// What the call is answered with.
    var error: RPCError {
        switch self {
        case .cancelled: RPCError(.cancelled)
        case .stopping: RPCError(.stopping)
        case .gone: RPCError(.cancelled, "the connection is gone")
        }
    }
}
