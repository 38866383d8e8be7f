// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A server without a socket, with methods of every habit: at once, later, never, too much.
final class EnvelopeFront {
    let session: RPCSession<EnvelopeFront>
    /// Replies that are given later.
    private var kept: [KeptReply] = []
    /// How the session was left.
    private(set) var action = SessionAction.read
    /// Everything that was written.
    private(set) var written: [UInt8] = []

    init(limits: RPCLimits) {
        session = RPCSession(router: Self.makeRouter(), limits: limits)
        session.level = .control
    }

    /// Puts a piece in and processes it as a shell would. Answers what is kept where the session waits.
    func receive(_ piece: ArraySlice<UInt8>, budget: Int, newestFirst: Bool) {
        piece.withUnsafeBytes { bytes in
            session.room(atLeast: bytes.count).copyMemory(from: bytes)
            session.didRead(bytes.count)
        }
        process(budget: budget, newestFirst: newestFirst)
    }

    /// The input is over: everything is answered.
    func end(budget: Int, newestFirst: Bool) {
        session.inputEnded()
        process(budget: budget, newestFirst: newestFirst)
        while answerKept(newestFirst) {}
        takeOutput()
    }

    private func process(budget: Int, newestFirst: Bool) {
        while true {
            action = session.process(self, budget: budget)
            session.checkInvariants()
            takeOutput()
            switch action {
            case .read, .close: return
            case .yield: continue
            case .waitForAnswers:
                guard answerKept(newestFirst) else { return }
            }
        }
    }

    private func answerKept(_ newestFirst: Bool) -> Bool {
        guard !kept.isEmpty else { return false }
        let reply = newestFirst ? kept.removeLast() : kept.removeFirst()
        reply.take()?.succeed()
        return true
    }

    private func takeOutput() {
        written += session.output.bytes
        session.output.dropFirst(session.output.count)
    }

    private static func makeRouter() -> Router<EnvelopeFront> {
        let value: [Parameter] = [.required("value", .any, ""), .optional("b/c", .integer, "")]
        return Router([
            Method("ping", level: .read, doc: "", passesCallLimit: true) { _, reply in
                reply.succeed()
            },
            Method("echo", level: .read, doc: "", parameters: value, style: .byNameOrPosition) {
                call, reply throws(RPCError) in
                let count = try call.params.optional("b/c").map { count throws(RPCError) in
                    try count.int()
                }
                let value = call.params.raw("value")
                reply.succeed { writer in
                    writer.object {
                        $0.member("value", ifPresent: value)
                        $0.member("count", count ?? 0)
                    }
                }
            },
            Method("keep", level: .read, doc: "") { call, reply in
                call.context.kept.append(KeptReply(reply))
            },
            Method("drop", level: .read, doc: "") { _, _ in },
            Method("much", level: .read, doc: "") { _, reply in
                reply.succeed { $0.append(string: String(repeating: "much", count: 50)) }
            },
            Method("refuse", level: .read, doc: "") { _, reply in
                reply.fail(RPCError(.busy, "not now"))
            },
            Method("throw", level: .read, doc: "") { _, _ throws(RPCError) in
                throw RPCError(.unknownInstance, "no instance \"i\\9\"\n")
            },
            Method("stop", level: .admin, doc: "") { _, _ in
                preconditionFailure("a method above the caller's level runs")
            },
        ])
    }
}
