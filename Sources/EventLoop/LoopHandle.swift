// SPDX-License-Identifier: Apache-2.0

internal import CLibuv

/// What every libuv handle has in common: its memory, the way back to Swift, and the way out.
///
/// Ownership: from `init` until libuv's close callback the handle retains its Swift object, so a
/// callback always finds it alive; after that nobody but its holders does. Memory that libuv knows is
/// given back in that callback and nowhere else. Letting go of a `LoopHandle` therefore ends nothing:
/// its owner closes it, or `EventLoop.close()` closes what is left.
///
/// Loop-confined: made, used and closed on the loop's thread. Once closed, every verb of a handle does
/// nothing.
package class LoopHandle {
    /// The loop this belongs to, which outlives it.
    unowned let loop: EventLoop
    /// A `uv_handle_t` and what follows it; dangling once `state` is `.closed`.
    let memory: UnsafeMutableRawPointer
    private(set) var state = State.open

    enum State {
        /// libuv may call back. Exits: `closing`.
        case open
        /// Closed, and libuv still holds the memory. Exits: `closed`.
        case closing
        /// The memory is gone. No exit.
        case closed
    }

    /// Takes over `memory`, a handle that libuv has initialised on `loop`.
    init(on loop: EventLoop, memory: UnsafeMutableRawPointer) {
        self.loop = loop
        self.memory = memory
        uv_handle_set_data(handle, Unmanaged.passRetained(self).toOpaque())
    }

    /// Memory for a handle, initialised by `initialize` unless that fails: such a handle is unknown to
    /// libuv, and there is nothing to close.
    static func make<Handle>(
        _ call: String, on loop: EventLoop,
        _ initialize: (UnsafeMutablePointer<uv_loop_t>, UnsafeMutablePointer<Handle>) -> CInt
    ) throws(LoopError) -> UnsafeMutablePointer<Handle> {
        precondition(loop.isOpen, "\(call) on an event loop that is closed")
        let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
        let status = initialize(loop.raw, memory)
        guard status == 0 else {
            memory.deallocate()
            throw LoopError(code: status, call: call)
        }
        return memory
    }

    /// The same for the kinds whose initialisation has nothing that could fail.
    static func make<Handle>(
        on loop: EventLoop,
        _ initialize: (UnsafeMutablePointer<uv_loop_t>, UnsafeMutablePointer<Handle>) -> CInt
    ) -> UnsafeMutablePointer<Handle> {
        precondition(loop.isOpen, "a handle was opened on an event loop that is closed")
        let memory = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
        let status = initialize(loop.raw, memory)
        precondition(status == 0, "libuv could not initialise \(Handle.self): \(status)")
        return memory
    }

    /// Whether verbs still do something.
    package final var isOpen: Bool { state == .open }

    /// Closes the handle: its callbacks stop at once, its memory is given back at the end of the loop's
    /// iteration. Calling it twice is harmless.
    package final func close() {
        guard state == .open else { return }
        state = .closing
        uv_close(handle) { raw in
            let object = LoopHandle.recover(raw?.pointee.data)
            object.memory.deallocate()
            object.state = .closed
            object.didClose()
            // The handle's own reference, taken in `init`.
            Unmanaged.passUnretained(object).release()
        }
        willClose()
    }

    /// Called by `close()`, when no callback can come any more: the place to let go of descriptors.
    func willClose() {}

    /// Called once, when libuv has let go.
    func didClose() {}

    final var handle: UnsafeMutablePointer<uv_handle_t> {
        memory.assumingMemoryBound(to: uv_handle_t.self)
    }

    /// The Swift object behind a handle's `data`.
    @inline(__always)
    final class func recover(_ data: UnsafeMutableRawPointer?) -> Self {
        guard let data else {
            preconditionFailure("libuv called back for a handle that was not made here")
        }
        // Safety: `data` is set once, in `init`, to a retained object of the class that registers the
        // callback, and released only in the close callback, after which libuv calls no more.
        return unsafeDowncast(
            Unmanaged<LoopHandle>.fromOpaque(data).takeUnretainedValue(), to: Self.self)
    }
}
