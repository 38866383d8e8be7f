// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC

/// A connection's calls: whatever comes in, what goes out is lines of JSON, and every request with an id is
/// answered exactly once.
///
/// An input is the bounds, how the calls are dealt with, the length of the pieces, and the stream.
enum EnvelopeSubject {
    @Sendable static func check(_ bytes: [UInt8]) throws(FuzzFinding) {
        var input = FuzzInput(bytes)
        var limits = RPCLimits()
        limits.lineBytes = input.choose([4_096, 64, 300])
        limits.batchCalls = input.choose([100, 1, 3])
        limits.batchAnswerBytes = input.choose([1 << 20, 100, 1_000])
        limits.callsInFlight = input.choose([64, 1, 2])
        let manner = input.byte()
        let budget = [64, 1, 5][manner / 2 % 3]
        let length = input.choose([4_096, 1, 3, 17])
        let model = EnvelopeModel(input.rest, limit: limits.lineBytes)

        let front = EnvelopeFront(limits: limits)
        while !input.rest.isEmpty {
            front.receive(
                input.take(length), budget: budget, newestFirst: manner.isMultiple(of: 2))
        }
        front.end(budget: budget, newestFirst: manner.isMultiple(of: 2))

        try require(front.session.callsInFlight == 0, "\(front.session.callsInFlight) in flight")
        if case .close = front.action {
        } else if case .waitForAnswers = front.action {
        } else {
            throw FuzzFinding("its end is \(front.action)")
        }
        try check(try answers(front.written), against: model, limits)
    }

    /// One line that was written: the ids in it, and whether it is a batch.
    private struct Answer {
        var ids: [String] = []
        var isBatch = false
    }

    private static func answers(_ written: [UInt8]) throws(FuzzFinding) -> [Answer] {
        try require(written.isEmpty || written.last == 0x0A, "half a line was written")
        let validator = JSONValidator()
        var answers: [Answer] = []
        for line in written.split(separator: 0x0A) {
            let read = line.withUnsafeBytes { line in
                Result { () throws(FuzzFinding) in try answer(line, validator) }
            }
            answers.append(try read.get())
        }
        return answers
    }

    private static func answer(
        _ line: UnsafeRawBufferPointer, _ validator: JSONValidator
    ) throws(FuzzFinding) -> Answer {
        let text = String(decoding: line, as: UTF8.self)
        try require(validator.validate(line) == nil, "answered what is no JSON: \(text)")
        let value = RawJSON(validated: line)
        var answer = Answer(isBatch: value.kind == .array)
        for response in answer.isBatch ? Array(value.elements) : [value] {
            let names = response.members.map(\.key.string)
            try require(
                names == ["jsonrpc", "result", "id"] || names == ["jsonrpc", "error", "id"],
                "no response: \(text)")
            try require(response.member("jsonrpc")?.string == "2.0", "no version: \(text)")
            if let error = response.member("error") {
                try require(
                    error.member("code")?.int64 != nil && error.member("message")?.string != nil,
                    "no error: \(text)")
            }
            let id = response.member("id").map { String(decoding: $0.bytes, as: UTF8.self) }
            answer.ids.append(id ?? "")
        }
        return answer
    }

    // MARK: Against the model

    private static func check(
        _ answers: [Answer], against model: EnvelopeModel, _ limits: RPCLimits
    ) throws(FuzzFinding) {
        var singles: [String] = model.isTooLong ? ["null"] : []
        var batches: [[EnvelopeModel.Message]] = []
        for line in model.lines {
            switch line {
            case .single(.silence): break
            case .single(.answer(let id)), .single(.refusal(let id)): singles.append(id)
            case .batch(let messages):
                if messages.contains(where: { $0 != .silence }) { batches.append(messages) }
            }
        }
        let given = answers.filter { !$0.isBatch }.flatMap(\.ids)
        try require(
            given.sorted() == singles.sorted(), "\(given) were answered, and not \(singles)")
        // Answers that are kept let later ones pass: each batch looks for the answer that fits.
        var left = answers.filter(\.isBatch).map(\.ids)
        try require(left.count == batches.count, "\(left.count) of \(batches.count) batches")
        for batch in batches {
            guard let index = left.firstIndex(where: { fits($0, batch, limits) }) else {
                throw FuzzFinding("the batch \(batch) has no answer among \(left)")
            }
            left.remove(at: index)
        }
    }

    /// Whether these ids, in this order, are what a batch deserves. Beyond a bound, all that is no request
    /// may share one refusal without an id.
    private static func fits(
        _ ids: [String], _ batch: [EnvelopeModel.Message], _ limits: RPCLimits
    ) -> Bool {
        var exact: [String] = []
        var calls: [String] = []
        for message in batch {
            switch message {
            case .silence: break
            case .answer(let id):
                exact.append(id)
                calls.append(id)
            case .refusal(let id): exact.append(id)
            }
        }
        if ids == exact { return true }
        guard batch.count > limits.batchCalls || limits.batchAnswerBytes < 1 << 20 else {
            return false
        }
        var rest = calls[...]
        for id in ids where id == rest.first { rest.removeFirst() }
        return rest.isEmpty && ids.count <= exact.count
    }
}
