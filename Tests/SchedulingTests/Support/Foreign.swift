// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling

/// A place outside every timeline: a visitor waits there until it is sent back, from another thread.
final class Foreign: Sendable {
    private let visitor = Locked<UnsafeContinuation<Void, Never>?>(nil)
    private let arrivals = Locked(0)
    private let arrived = DispatchSemaphore(value: 0)

    /// How often `count` was called.
    var counted: Int { arrivals.withLock { $0 } }

    /// Called for each job that comes back.
    func count() {
        arrivals.withLock { $0 += 1 }
        arrived.signal()
    }

    /// Stays until it is sent back.
    func visit() async {
        await withUnsafeContinuation { waiting in visitor.withLock { $0 = waiting } }
    }

    /// Sends the visitor back from a thread of its own, and returns when its job has arrived.
    func sendBack() {
        let waiting = visitor.withLock { $0.take() }
        Thread.detachNewThread { waiting?.resume() }
        arrived.wait()
    }
}
