// SPDX-License-Identifier: Apache-2.0

internal import CLibuv

/// Tells when a descriptor that somebody else owns can be read or written: libuv's poll.
///
///     watch(.readable)   ...readable...readable...   watch([])   ...close()
///
/// Level-triggered: what is still ready in the next iteration is told again. A descriptor that broke is
/// told as `isBroken`, and told again until the watcher is closed or watches for something else: what
/// was received before may still be read from it.
///
/// Loop-confined. The descriptor stays its owner's, who closes the watcher first and the descriptor
/// after; watching makes it non-blocking. One watcher at a time per descriptor.
package final class DescriptorWatcher: LoopHandle {
    /// What is waited for.
    package struct Interest: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bytes, a connection to accept, or the peer's end.
        package static let readable = Interest(rawValue: 1)
        /// Room for bytes, or a connection that was made.
        package static let writable = Interest(rawValue: 2)
    }

    /// What a descriptor is ready for.
    package struct Readiness: Equatable, Sendable {
        package var interest: Interest
        /// Whether the kernel reports an error on it; reading or writing tells which.
        package var isBroken = false
    }

    private let onReady: (Readiness) -> Void
    private var interest: Interest = []

    /// A watcher that waits for nothing yet.
    package init(
        on loop: EventLoop, descriptor: CInt, onReady: @escaping (Readiness) -> Void
    ) throws(LoopError) {
        self.onReady = onReady
        super.init(
            on: loop,
            memory: try Self.make("uv_poll_init", on: loop) { uv_poll_init($0, $1, descriptor) })
    }

    /// Waits for `interest` from now on, and for nothing else; for nothing at all when it is empty.
    package func watch(_ interest: Interest) {
        guard isOpen else { return }
        self.interest = interest
        guard !interest.isEmpty else {
            uv_poll_stop(poll)
            return
        }
        start()
    }

    private func start() {
        var events: CInt = 0
        if interest.contains(.readable) { events |= CInt(UV_READABLE.rawValue) }
        if interest.contains(.writable) { events |= CInt(UV_WRITABLE.rawValue) }
        uv_poll_start(poll, events) { poll, status, events in
            DescriptorWatcher.recover(poll?.pointee.data).ready(status, events)
        }
    }

    private func ready(_ status: CInt, _ events: CInt) {
        guard status >= 0 else {
            // libuv has stopped the poll, for it cannot know whether anybody would ever look.
            onReady(Readiness(interest: interest, isBroken: true))
            if isOpen, !interest.isEmpty { start() }
            return
        }
        var ready: Interest = []
        if events & CInt(UV_READABLE.rawValue) != 0 { ready.insert(.readable) }
        if events & CInt(UV_WRITABLE.rawValue) != 0 { ready.insert(.writable) }
        onReady(Readiness(interest: ready))
    }

    private var poll: UnsafeMutablePointer<uv_poll_t> {
        memory.assumingMemoryBound(to: uv_poll_t.self)
    }
}
