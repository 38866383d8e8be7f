// SPDX-License-Identifier: Apache-2.0
import JSONRPC

/// A server without a socket: a session, its methods, and every line that it has written.
final class Front {
    let session: RPCSession<Front>

    /// What the handlers saw, in order.
    var seen: [String] = []

    /// Replies that `keep` put aside.
    var kept: [KeptReply] = []

    init(
        _ router: Router<Front> = Front.makeRouter(), limits: RPCLimits = RPCLimits(),
        validator: JSONValidator = JSONValidator()
    ) {
        session = RPCSession(router: router, limits: limits, validator: validator)
    }

    /// Puts the text in, `chunk` bytes at a time, and processes after each as a shell would.
    @discardableResult
    func receive(_ text: some Sequence<UInt8>, chunk: () -> Int = { .max }) -> SessionAction {
        var rest = Array(text)[...]
        var action = SessionAction.read
        while !rest.isEmpty {
            let part = rest.prefix(chunk())
            rest = rest.dropFirst(part.count)
            part.withUnsafeBytes {
                session.room(atLeast: $0.count).copyMemory(from: $0)
                session.didRead($0.count)
            }
            repeat {
                action = session.process(self)
                session.checkInvariants()
            } while action == .yield
        }
        return action
    }

    @discardableResult
    func receive(_ text: String) -> SessionAction { receive(text.utf8) }

    /// Takes what was written, as lines.
    func takeLines() -> [String] {
        let text = String(decoding: session.output.bytes, as: UTF8.self)
        session.output.dropFirst(session.output.count)
        precondition(text.isEmpty || text.hasSuffix("\n"), "half a line was written: \(text)")
        return text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }

    /// Takes what was written, as values.
    func takeValues() throws -> [JSONValue] {
        try takeLines().map { try JSONValue(parsing: $0) }
    }

    /// What one text is answered with.
    func answer(_ text: String) throws -> [JSONValue] {
        receive(text + "\n")
        return try takeValues()
    }

    static func makeRouter(_ more: [Method<Front>] = []) -> Router<Front> {
        Router([ping, echo, keep, drop, refuse, throwing] + more)
    }

    private static var ping: Method<Front> {
        Method("daemon.ping", level: .read, doc: "") { call, reply in
            call.context.seen.append("ping")
            reply.succeed()
        }
    }

    private static var echo: Method<Front> {
        let parameters: [Parameter] = [
            .optional("value", .any, ""), .optional("instance", .string, ""),
            .optional("count", .integer, ""),
        ]
        return Method("echo", level: .read, doc: "", parameters: parameters) { call, reply in
            call.context.seen.append("echo")
            let value = call.params.raw("value")
            reply.succeed { writer in writer.object { $0.member("value", ifPresent: value) } }
        }
    }

    private static var keep: Method<Front> {
        Method("keep", level: .read, doc: "") { call, reply in
            call.context.kept.append(KeptReply(reply))
        }
    }

    private static var drop: Method<Front> {
        Method("drop", level: .control, doc: "") { call, _ in call.context.seen.append("drop") }
    }

    private static var refuse: Method<Front> {
        Method("refuse", level: .read, doc: "") { _, reply in
            reply.fail(RPCError(.busy, "not now"))
        }
    }

    private static var throwing: Method<Front> {
        Method("throw", level: .read, doc: "") { _, _ throws(RPCError) in
            throw RPCError(.unknownInstance, "no instance i9")
        }
    }
}
