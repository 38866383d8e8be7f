// SPDX-License-Identifier: Apache-2.0

/// From a line to its handlers.
extension RPCSession {
    /// Deals with one line and says how many messages it held.
    func handle(_ frame: Frame, _ context: Context) -> Int {
        if let fault = validator.validate(padded: frame.bytes) {
            refuse(nil, to: self, slot: 0, RPCError(.parseError, detail: fault.sentence))
            return 1
        }
        let value = RawJSON(validated: frame.bytes)
        if value.kind == .array { return handleBatch(value, context) }
        handle(Envelope(value), context, to: self, slot: 0)
        return 1
    }

    /// Whether a line is one call, of a method that is taken although as many are in flight as may be.
    func passesCallLimit(_ frame: Frame) -> Bool {
        guard validator.validate(padded: frame.bytes) == nil,
            case .call(let name, _, _) = Envelope(RawJSON(validated: frame.bytes))
        else { return false }
        return (try? router.method(named: name))?.passesCallLimit ?? false
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
            if count > limits.batchCalls {
                strikes.batchCalls += 1
            } else {
                strikes.batchAnswerBytes += 1
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
                .denied, "\(method.name) needs the level \"\(method.level.rawValue)\"",
                expected:
                    "a caller of level \(method.level.rawValue); you have \(level.rawValue). The "
                    + "daemon's configuration gives levels to users and groups, under access")
        }
        return method
    }

    /// Answers something that no handler will see; without an id, to id null.
    func refuse(
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

extension RPCError {
    fileprivate static func batchTooLong(_ limits: RPCLimits) -> RPCError {
        RPCError(
            .limit, "the batch is too long",
            expected:
                "at most \(limits.batchCalls) calls and \(limits.batchAnswerBytes) bytes of answers"
        )
    }
}
