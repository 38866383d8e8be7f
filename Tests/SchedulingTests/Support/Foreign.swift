// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A place outside every timeline: a visit leaves the timeline's thread and comes back from another.
final class Foreign: Sendable {
    private let arrivals = Mutex(0)
    private let left = AsyncStream.makeStream(of: Void.self)

    /// How often `count` was called.
    var counted: Int { arrivals.withLock { $0 } }

    /// Called for each job that comes back.
    func count() {
        arrivals.withLock { $0 += 1 }
        left.continuation.yield()
    }

    /// Goes to another thread and back.
    func visit() async {
        await withUnsafeContinuation { waiting in Thread.detachNewThread { waiting.resume() } }
    }

    /// Waits until a visitor is on the way back.
    func hasLeft() async {
        for await _ in left.stream { return }
    }
}
