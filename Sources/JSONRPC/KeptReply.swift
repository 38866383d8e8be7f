// SPDX-License-Identifier: Apache-2.0

/// A reply put aside, for closures and collections, which cannot hold what is not copyable.
///
/// Whoever takes it first answers; later takers get nil. Let go without being taken, the reply
/// answers "internal error".
package final class KeptReply {
    private var reply: Reply?

    package init(_ reply: consuming Reply) {
        self.reply = consume reply
    }

    package func take() -> Reply? { reply.take() }

    package var isTaken: Bool { reply == nil }

    /// Whether this is the reply to the call with that id, and still to be given.
    package func hasID(_ id: RawJSON) -> Bool { reply?.hasID(id) ?? false }
}
