// SPDX-License-Identifier: Apache-2.0

/// What the shell around a session does next.
package enum SessionAction: Sendable {
    /// Every complete line is dealt with: send the output and read on.
    case read
    /// The budget is spent and lines may be left: send the output, let others have their turn, and
    /// call `process` again.
    case yield
    /// As many calls are in flight as may be, or the input has ended before their answers: stop
    /// reading, and call `process` again after `whenAnsweredLate`.
    case waitForAnswers
    /// Send the output, then close.
    case close
}

/// One connection's side of JSON-RPC: bytes in, calls to the router, answers out. No I/O.
///
///     room(atLeast:) ─▶ didRead ─▶ process ─▶ frame ─▶ validator ─▶ envelope ─▶ router ─▶ handler
///                                    output ◀──────────── reply ◀───────────────────────────┘
///
/// Loop-confined. The connection owns it, puts bytes in, calls `process`, acts as told and sends
/// what is in `output`. Calls are dispatched in the order they came; answers that handlers keep may be
/// overtaken by others. It ends with `close()`; a reply that is still out then writes nothing.
/// Bounds: `RPCLimits`. The calls in flight may pass theirs by the length of one batch, because the
/// limit is looked at between lines.
package final class RPCSession<Context: AnyObject> {
    package let router: Router<Context>
    package let limits: RPCLimits

    // Safety (for every `exclusivity(unchecked)` here): the runtime's check costs as much as the
    // access. These are read and written whole and never held `inout` across foreign code;
    // `decoder` calls nothing, and while `process` runs nobody else may touch it. `output`, which
    // handlers write to, keeps the check.

    /// What the peer may call.
    @exclusivity(unchecked) package var level = AccessLevel.admin

    /// What is to be sent. Streams append whole lines of their own.
    package var output = JSONWriter()

    /// Called when an answer was written, or a notification ended, while `process` was not running:
    /// there may be output to send and room for further calls.
    @exclusivity(unchecked) package var whenAnsweredLate: (() -> Void)?

    /// Calls and notifications that have begun and not ended; an open batch counts as one more.
    @exclusivity(unchecked) package private(set) var callsInFlight = 0

    @exclusivity(unchecked) private var decoder: FrameDecoder
    private let validator: JSONValidator
    private let slots: ParameterSlots
    @exclusivity(unchecked) private var state = State.open
    private var isProcessing = false

    /// The serial numbers of calls, and the one whose handler is running.
    private var lastSerial = 0
    private var handling = 0
    private var handlingWasDropped = false

    private enum State {
        /// Reading. Exits: `inputEnded`, `failed`, `closed`.
        case open
        /// The peer sends no more; lines that came are still answered. Exits: `failed`, `closed`.
        case inputEnded
        /// The peer broke the framing and was told. Exits: `closed`.
        case failed
        /// The connection is gone. Final.
        case closed
    }

    /// - Parameter validator: may be shared by every session on the loop.
    package init(
        router: Router<Context>, limits: RPCLimits = RPCLimits(),
        validator: JSONValidator = JSONValidator()
    ) {
        precondition(
            (1...RPCLimits.maxLineBytes).contains(limits.lineBytes),
            "a line limit of \(limits.lineBytes) bytes; up to \(RPCLimits.maxLineBytes) are allowed"
        )
        self.router = router
        self.limits = limits
        self.validator = validator
        slots = ParameterSlots(capacity: router.mostParameters)
        decoder = FrameDecoder(limit: limits.lineBytes)
    }

    /// Room for the socket to read into. Not while `process` runs.
    package func room(atLeast count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(!isProcessing, "a handler reads into the session that runs it")
        return decoder.room(atLeast: count)
    }

    /// `count` bytes were put at the front of the room.
    package func didRead(_ count: Int) {
        precondition(!isProcessing, "a handler reads into the session that runs it")
        decoder.didRead(count)
    }

    /// The peer sends no more. What came before is still answered; half a line is forgotten.
    package func inputEnded() {
        if case .open = state { state = .inputEnded }
    }

    /// The connection is gone: answers to come are thrown away.
    package func close() {
        state = .closed
        output.removeAll()
    }

    /// Deals with complete lines until there are none or `budget` messages are done (a batch counts
    /// as many as it holds, and is never cut).
    package func process(_ context: Context, budget: Int = 64) -> SessionAction {
        precondition(!isProcessing, "a handler processes the session that runs it")
        isProcessing = true
        defer { isProcessing = false }
        var left = budget
        while true {
            switch state {
            case .open, .inputEnded: break
            case .failed, .closed: return .close
            }
            if callsInFlight >= limits.callsInFlight { return .waitForAnswers }
            if left <= 0 { return .yield }
            switch decoder.next() {
            case .frame(let frame): left -= handle(frame, context)
            case .needsBytes: return inputIsDry()
            case .lineTooLong:
                state = .failed
                refuse(nil, to: self, slot: 0, .lineTooLong(limits.lineBytes))
            }
        }
    }

    package func checkInvariants() {
        decoder.checkInvariants()
        precondition(callsInFlight >= 0, "\(callsInFlight) calls in flight")
    }

    private func inputIsDry() -> SessionAction {
        guard case .inputEnded = state else { return .read }
        return callsInFlight == 0 ? .close : .waitForAnswers
    }

    /// Deals with one line and says how many messages it held.
    private func handle(_ frame: Frame, _ context: Context) -> Int {
        if let fault = validator.validate(padded: frame.bytes) {
            refuse(nil, to: self, slot: 0, RPCError(.parseError, detail: fault.sentence))
            return 1
        }
        let value = RawJSON(validated: frame.bytes)
        if value.kind == .array { return handleBatch(value, context) }
        handle(Envelope(value), context, to: self, slot: 0)
        return 1
    }

    private func handleBatch(_ batch: RawJSON, _ context: Context) -> Int {
        callsInFlight += 1
        let answers = BatchAnswers(to: self, limit: limits.batchAnswerBytes)
        var count = 0
        var hasRefusedNameless = false
        for item in batch.elements {
            count += 1
            let envelope = Envelope(item)
            if count <= limits.batchCalls, !answers.isFull {
                handle(envelope, context, to: answers, slot: answers.addCall())
                continue
            }
            switch envelope {
            case .call(_, _, let id?):
                refuse(id, to: answers, slot: answers.addCall(), .batchTooLong(limits))
            case .call(_, _, nil): break
            case .invalid:
                // Two bytes make such an item. They share one answer, or a short line of them would
                // be answered with fifty times its length.
                guard !hasRefusedNameless else { continue }
                hasRefusedNameless = true
                refuse(nil, to: answers, slot: answers.addCall(), .batchTooLong(limits))
            }
        }
        if count == 0 {
            refuse(nil, to: self, slot: 0, RPCError(.invalidRequest, detail: "the batch is empty"))
        }
        answers.callsEnded()
        return max(count, 1)
    }

    private func handle(
        _ envelope: Envelope, _ context: Context, to sink: any ReplySink, slot: Int
    ) {
        switch envelope {
        case .call(let name, let params, let id):
            call(name, params, id, context, to: sink, slot: slot)
        case .invalid(let id, let why):
            refuse(id, to: sink, slot: slot, RPCError(.invalidRequest, detail: why.description))
        }
    }

    private func call(
        _ name: RawString, _ params: RawJSON?, _ id: RawJSON?, _ context: Context,
        to sink: any ReplySink, slot: Int
    ) {
        let id = id?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0)
        let serial = beginCall()
        do throws(RPCError) {
            let method = try find(name)
            let call = Call(
                context: context, method: method,
                params: try method.matcher.match(params, into: slots))
            handling = serial
            try method.handler(call, Reply(to: sink, slot: slot, serial: serial, id: id))
            handling = 0
            if handlingWasDropped { throw .unanswered }
        } catch {
            let isOut = handling == serial && !handlingWasDropped
            handling = 0
            handlingWasDropped = false
            assert(!isOut, "the handler of \(name.string) threw after its reply was gone: \(error)")
            guard !isOut else { return }
            Reply(to: sink, slot: slot, serial: serial, id: id).fail(error)
        }
    }

    private func find(_ name: RawString) throws(RPCError) -> Method<Context> {
        let method = try router.method(named: name)
        guard method.level <= level else {
            throw RPCError(
                .denied, "\(method.name) is for callers of level \(method.level.rawValue)",
                expected: "level \(method.level.rawValue); this connection has \(level.rawValue)")
        }
        return method
    }

    /// Answers something that no handler will see; without an id, to id null.
    private func refuse(
        _ id: RawJSON?, to sink: any ReplySink, slot: Int, _ error: RPCError
    ) {
        let serial = beginCall()
        guard let id = id?.bytes else {
            let null: StaticString = "null"
            let id = UnsafeRawBufferPointer(start: null.utf8Start, count: null.utf8CodeUnitCount)
            return Reply(to: sink, slot: slot, serial: serial, id: id).fail(error)
        }
        Reply(to: sink, slot: slot, serial: serial, id: id).fail(error)
    }

    private func beginCall() -> Int {
        callsInFlight += 1
        lastSerial += 1
        return lastSerial
    }
}

extension RPCSession: ReplySink {
    package var answerLimit: Int { .max }

    package func answer(slot: Int, _ write: (inout JSONWriter) -> Void) {
        switch state {
        case .open, .inputEnded, .failed:
            write(&output)
            output.append(byte: 0x0A)
        case .closed: break
        }
        endCall()
    }

    package func swallow(slot: Int) { endCall() }

    package func takesBack(_ serial: Int) -> Bool {
        guard handling == serial else { return false }
        handlingWasDropped = true
        return true
    }

    private func endCall() {
        callsInFlight -= 1
        if !isProcessing { whenAnsweredLate?() }
    }
}

extension RPCError {
    fileprivate static func lineTooLong(_ limit: Int) -> RPCError {
        RPCError(
            .limit, "the line is too long; the connection closes",
            expected: "a line of at most \(limit) bytes")
    }

    fileprivate static func batchTooLong(_ limits: RPCLimits) -> RPCError {
        RPCError(
            .limit, "the batch is too long",
            expected:
                "at most \(limits.batchCalls) calls and \(limits.batchAnswerBytes) bytes of answers"
        )
    }
}
