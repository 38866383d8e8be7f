// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The way onto the loop for the threads of one instance: bounded, so that a thread that posts faster than
/// the loop runs is told so and fills no memory.
///
/// Called from any thread. It belongs to a handle and serves the instances that have it one after the other:
/// what the last one left behind counts until the loop has come to it.
package final class PostDoor: Sendable {
    /// Has work run on the loop, as `Host.Surroundings.post` does.
    package typealias Post = @Sendable (@escaping @Sendable () -> Void) -> Bool

    private let post: Post
    /// Bound: one more is refused.
    private let limit: Int
    private let waiting = Atomic<Int>(0)
    private let refused = Atomic<Bool>(false)

    package init(limit: Int, _ post: @escaping Post) {
        self.limit = limit
        self.post = post
    }

    /// Has `work` run on the loop; it is told whether others were refused since the last that ran. Returns
    /// false, and lets go of it, when the loop takes no more.
    package func enqueue(_ work: @escaping @Sendable (_ othersWereRefused: Bool) -> Void) -> Bool {
        guard waiting.add(1, ordering: .relaxed).oldValue < limit else {
            waiting.subtract(1, ordering: .relaxed)
            refused.store(true, ordering: .relaxed)
            return false
        }
        let isTaken = post { [self] in
            waiting.subtract(1, ordering: .relaxed)
            work(refused.exchange(false, ordering: .relaxed))
        }
        if !isTaken { waiting.subtract(1, ordering: .relaxed) }
        return isTaken
    }
}
