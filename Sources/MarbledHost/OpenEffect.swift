// SPDX-License-Identifier: Apache-2.0

internal import CMarbledABI
internal import JSONRPC
internal import Scheduling

/// One effect that has not ended: whom to answer, and how to give it up.
final class OpenEffect {
    let effect: Int
    /// What was asked, as it may be shown.
    let request: JSONValue
    let since: Instant
    /// The number of the record's entry that tells of the request.
    let entry: Int
    let answer: marbled_answer
    let data: UnsafeMutableRawPointer?
    /// What is still to be answered; the first of it is on its way.
    var answers: ArraySlice<TimedAnswer> = []
    /// The answer on its way.
    var token = WorkToken.none
    /// Whether the last answer was given; who answers again is not heard.
    var isAnswered = false
    /// Whether the last answer came; who lets go of the effect then does not cancel it.
    var isHeard = false
    /// Who waits for a provider, until it has answered or the effect is given up. A weak reference would
    /// make every count of the instance's references dearer for the rest of its life.
    var asker: Instance?
    /// How to tell the world that nobody waits any more.
    var cancel: (() -> Void)?
    /// Keeps a virtual clock where it is until the world has answered.
    var hold: Hold?

    init(
        effect: Int, request: JSONValue, since: Instant, entry: Int,
        answer: @escaping marbled_answer, data: UnsafeMutableRawPointer?
    ) {
        self.effect = effect
        self.request = request
        self.since = since
        self.entry = entry
        self.answer = answer
        self.data = data
    }

    /// Whether nobody waits for it any more.
    private(set) var isGivenUp = false

    func giveUp() {
        isGivenUp = true
        asker = nil
        hold.take()?.release()
        cancel.take()?()
    }
}
