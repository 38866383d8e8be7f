// SPDX-License-Identifier: Apache-2.0

/// The right to answer one call, exactly once.
///
/// It cannot be copied, and answering uses it up. It may be kept (in a `KeptReply`) and answered
/// long after the call's text is gone. Dropped without an answer, it answers "internal error" by
/// itself. A notification's reply behaves the same and writes nothing.
package struct Reply: ~Copyable {
    private let sink: any ReplySink
    private var isAnswered = false
    private let slot: Int
    private let serial: Int
    private let id: ReplyID

    /// - Parameters:
    ///   - slot: the sink's own mark for this call.
    ///   - serial: tells this call from every other of the sink.
    ///   - id: the id as written; empty for a notification.
    package init(to sink: any ReplySink, slot: Int, serial: Int, id: UnsafeRawBufferPointer) {
        self.sink = sink
        self.slot = slot
        self.serial = serial
        self.id = ReplyID(id)
    }

    deinit {
        guard !isAnswered, !sink.takesBack(serial) else { return }
        Self.write(to: sink, slot, id) { $0.appendError(.unanswered) }
    }

    /// Whether nobody waits for the answer.
    package var isNotification: Bool { id.isAbsent }

    /// Whether this is the reply to the call with that id, compared as written.
    package func hasID(_ other: RawJSON) -> Bool {
        id.withBytes { $0.elementsEqual(other.bytes) }
    }

    /// Answers with a result, which `body` writes as one JSON value straight into the connection's
    /// output. It must do nothing but write: whatever the call causes is sent before.
    package consuming func succeed(_ body: (inout JSONWriter) -> Void) {
        answer { writer in
            writer.append("\"result\":")
            body(&writer)
        }
    }

    /// Answers with a result, and does `work` behind it: at once, or behind the batch that the call is part of.
    package consuming func succeed(
        _ body: (inout JSONWriter) -> Void, then work: @escaping () -> Void
    ) {
        let sink = sink
        succeed(body)
        sink.afterAnswer(work)
    }

    /// Answers with an empty object: done, nothing to tell.
    package consuming func succeed() {
        answer { $0.append("\"result\":{}") }
    }

    package consuming func fail(_ error: RPCError) {
        answer { $0.appendError(error) }
    }

    private consuming func answer(_ body: (inout JSONWriter) -> Void) {
        // deinit runs behind this function and finds nothing left to do.
        isAnswered = true
        Self.write(to: sink, slot, id, body)
    }

    /// The one place where a response object is put together.
    private static func write(
        to sink: any ReplySink, _ slot: Int, _ id: borrowing ReplyID,
        _ body: (inout JSONWriter) -> Void
    ) {
        guard !id.isAbsent else { return sink.swallow(slot: slot) }
        id.withBytes { id in
            sink.answer(slot: slot) { writer in
                writer.append("{\"jsonrpc\":\"2.0\",")
                let start = writer.count
                body(&writer)
                if writer.count > sink.answerLimit {
                    writer.truncate(to: start)
                    writer.appendError(.answersTooLong)
                    sink.answerWasTooLong()
                }
                writer.append(",\"id\":")
                writer.append(id)
                writer.append(byte: UInt8(ascii: "}"))
            }
        }
    }
}

extension RPCError {
    /// The call was carried out, but there is no room left to tell what came of it.
    static let answersTooLong = RPCError(
        .limit, "the answers to this batch are too long", expected: "a smaller batch")

    /// A handler let its reply go.
    static let unanswered = RPCError(
        .internalError, detail: "the method ended without an answer; this is a fault of the daemon")
}

extension JSONWriter {
    fileprivate mutating func appendError(_ error: RPCError) {
        append("\"error\":")
        error.write(to: &self)
    }
}
