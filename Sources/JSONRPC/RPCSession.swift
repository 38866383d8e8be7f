// SPDX-License-Identifier: Apache-2.0

/// What the shell around a session does next.
package enum SessionAction: Sendable {
    /// Every complete line is dealt with: send the output and read on.
    case read
    /// The budget is spent and lines may be left: send the output, let others have their turn, and
    /// call `process` again.
    case yield
    /// A line waits because as many calls are in flight as may be, or the input has ended before their
    /// answers: stop reading, and call `process` again after `whenAnsweredLate`.
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

    /// How often its bounds struck.
    package internal(set) var strikes = RPCStrikes()

    /// Calls and notifications that have begun and not ended; an open batch counts as one more.
    @exclusivity(unchecked) package internal(set) var callsInFlight = 0

    @exclusivity(unchecked) private var decoder: FrameDecoder
    let validator: JSONValidator
    let slots: ParameterSlots
    @exclusivity(unchecked) private var state = State.open
    private var isProcessing = false

    /// The serial numbers of calls, and the one whose handler is running.
    var lastSerial = 0
    var handling = 0
    var handlingWasDropped = false

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

    /// The connection is gone: answers to come are thrown away, and nobody hears of them.
    package func close() {
        state = .closed
        output.removeAll()
        whenAnsweredLate = nil
    }

    /// Deals with complete lines until there are none or `budget` messages are done (a batch counts
    /// as many as it holds, and is never cut), or `isLate` says so between two lines.
    package func process(
        _ context: Context, budget: Int = 64, isLate: () -> Bool = { false }
    ) -> SessionAction {
        precondition(!isProcessing, "a handler processes the session that runs it")
        isProcessing = true
        defer { isProcessing = false }
        var left = budget
        while true {
            switch state {
            case .open, .inputEnded: break
            case .failed, .closed: return .close
            }
            if left <= 0 || (left < budget && isLate()) { return .yield }
            switch decoder.next() {
            case .frame(let frame):
                guard callsInFlight < limits.callsInFlight || passesCallLimit(frame) else {
                    decoder.putBack(frame)
                    strikes.callsInFlight += 1
                    return .waitForAnswers
                }
                left -= handle(frame, context)
            case .needsBytes: return inputIsDry()
            case .lineTooLong:
                state = .failed
                strikes.lineBytes += 1
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

    package func afterAnswer(_ work: @escaping () -> Void) {
        switch state {
        case .open, .inputEnded, .failed: work()
        case .closed: break
        }
    }

    package func answerWasTooLong() { strikes.batchAnswerBytes += 1 }

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
}
