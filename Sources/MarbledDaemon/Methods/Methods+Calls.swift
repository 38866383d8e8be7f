// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

extension Methods {
    static var calls: [FrontMethod] {
        [
            FrontMethod(
                "rpc.discover", level: .read,
                doc: "Describes every method, as an OpenRPC document.",
                result: Results.document
            ) { call, reply in
                let document = OpenRPC.document(call.context.daemon.router.methods)
                reply.succeed { document.write(to: &$0) }
            },
            FrontMethod(
                "rpc.cancel", level: .read,
                doc: """
                    Gives up a call of this connection that waits; it is answered first, with the error cancelled, \
                    or, where it awaited values, with those that came.
                    """,
                parameters: [.required("id", .callID, "The id that the call was made with.")],
                result: Results.cancelled, passesCallLimit: true
            ) { call, reply throws(RPCError) in
                let id = try call.params.required("id")
                guard id.raw.kind == .string || id.raw.kind == .number else {
                    throw id.refused(
                        expected: "the string or the number that the call has as its id")
                }
                let cancelled = call.context.cancel(id.raw)
                reply.succeed { writer in writer.object { $0.member("cancelled", cancelled) } }
            },
        ]
    }
}

extension ParameterType {
    /// Nanoseconds.
    static let time = ParameterType(name: "integer, ns", schema: #"{"type":"integer"}"#)

    /// The id of a call.
    static let callID = ParameterType(name: "id", schema: #"{"type":["string","number"]}"#)
}
