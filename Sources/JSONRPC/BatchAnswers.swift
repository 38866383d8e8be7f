// SPDX-License-Identifier: Apache-2.0

/// Collects the answers to a batch and passes them on as one line, in the order of the calls.
///
///     calls    1  2  3]
///     answers  1  .  3  .  2
///     line     ............[1,2,3]
///
/// Made by the session for one batch, kept alive by the replies that are still out. To its own sink
/// the batch as a whole counts as one call more. A batch of notifications writes nothing.
/// Bound: `answerLimit` bytes of answers. One that would pass it is replaced by a `limit` error.
final class BatchAnswers: ReplySink {
    let answerLimit: Int
    private let sink: any ReplySink
    private var text = JSONWriter()

    /// Where each call's answer stands in `text`; empty where there is none yet, or ever.
    private var answers: [Range<Int>] = []

    /// What waits for the line to be written.
    private var afterwards: [() -> Void] = []

    /// Replies still out, and one for the session, which may still add calls.
    private var open = 1

    init(to sink: any ReplySink, limit: Int) {
        self.sink = sink
        answerLimit = limit
    }

    /// Whether further calls would only be told that there is no room for their answers.
    var isFull: Bool { text.count >= answerLimit }

    /// The slot for one more call.
    func addCall() -> Int {
        open += 1
        answers.append(0..<0)
        return answers.count - 1
    }

    /// The last call was added.
    func callsEnded() { settle() }

    func answer(slot: Int, _ write: (inout JSONWriter) -> Void) {
        let start = text.count
        write(&text)
        answers[slot] = start..<text.count
        sink.swallow(slot: 0)
        settle()
    }

    func swallow(slot: Int) {
        sink.swallow(slot: 0)
        settle()
    }

    func afterAnswer(_ work: @escaping () -> Void) { afterwards.append(work) }

    func answerWasTooLong() { sink.answerWasTooLong() }

    func takesBack(_ serial: Int) -> Bool { sink.takesBack(serial) }

    private func settle() {
        open -= 1
        guard open == 0 else { return }
        defer {
            for work in afterwards { sink.afterAnswer(work) }
            afterwards = []
        }
        guard text.count > 0 else { return sink.swallow(slot: 0) }
        sink.answer(slot: 0) { writer in
            writer.append(byte: UInt8(ascii: "["))
            for answer in answers where !answer.isEmpty {
                writer.separate()
                writer.append(UnsafeRawBufferPointer(rebasing: text.bytes[answer]))
            }
            writer.append(byte: UInt8(ascii: "]"))
        }
    }
}
