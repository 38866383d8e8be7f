// SPDX-License-Identifier: Apache-2.0

/// Where a reply puts its answer: a session, or the batch that collects for it.
///
/// A reply holds its sink for as long as it lives, and a sink outlives its connection harmlessly:
/// once that is gone it throws answers away. Every reply made for a sink ends in exactly one
/// `answer` or `swallow`.
package protocol ReplySink: AnyObject {
    /// How far an answer may fill the writer; one that goes further becomes a `limit` error.
    var answerLimit: Int { get }

    /// One answer: `write` appends the response object, without a line end.
    func answer(slot: Int, _ write: (inout JSONWriter) -> Void)

    /// An answer went past the limit and was replaced.
    func answerWasTooLong()

    /// Does `work` once the answer that was given last is written whole.
    func afterAnswer(_ work: @escaping () -> Void)

    /// A notification is done: there is nothing to write.
    func swallow(slot: Int)

    /// A reply was dropped without an answer. True where its handler is still running: the router
    /// then judges when that returns, since a thrown error drops the reply on its way out.
    func takesBack(_ serial: Int) -> Bool
}
