// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
import Glibc
internal import Scheduling

/// One connected Unix stream socket.
///
/// Loop-confined. Begins with reading paused and no delegate; its owner calls `start(_:)`. It holds its
/// delegate until it has closed, and it closes by `close()`, by `finish()`, by an error, or with its
/// loop. After that every verb does nothing.
///
/// Reading goes straight into the delegate's memory. Writing goes straight to the kernel; what the
/// kernel does not take is copied into one of two buffers that take turns: one is on its way, the other
/// collects. Neither costs an allocation per read or write. The bound on what waits is the owner's, who
/// sees it in `unsentBytes`.
///
/// A peer that no longer listens is not a peer that has nothing to say: when a write fails, what waits
/// is dropped and so is every later write, but what the peer sent is read to its end. Only then does
/// the connection close, for the reason that the write gave.
package final class SocketConnection: LoopHandle {
    /// Why a connection is over.
    package enum CloseReason: Equatable, Sendable {
        /// `close()` was called, or the loop closed.
        case closed
        /// `finish()` wrote everything.
        case finished
        /// `finish()` ran out of time; so many bytes were not written.
        case stalled(unsentBytes: Int)
        /// A read or a write failed.
        case failed(LoopError)
    }

    /// What is known about the peer's sending half.
    private enum Input {
        /// The owner does not want bytes. Exits: `reading`, `ended`.
        case paused
        /// Exits: `paused`, `ended`.
        case reading
        /// The peer closed its half, or we no longer care. No exit.
        case ended
    }

    /// What becomes of writes.
    private enum Output {
        /// Exits: `finishing`, `broken`.
        case open
        /// Nothing more is taken, and what waits is written. Exit: `broken`.
        case finishing
        /// A write failed: everything is dropped. No exit.
        case broken(LoopError)
    }

    /// Who is at the other end, as the kernel recorded it when the connection was made.
    package let peer: PeerCredentials

    private var delegate: (any SocketConnectionDelegate)?
    private var input = Input.paused
    /// Whether the owner is just being asked for memory.
    private var isOffering = false
    private var output = Output.open
    /// What collects while `flying` is on its way.
    private var waiting = OutputBuffer()
    /// What libuv is writing; not touched while `isWriting`.
    private var flying = OutputBuffer()
    private var isWriting = false
    private let writeRequest = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    private var finishTimer: LoopTimer?
    private var closeReason = CloseReason.closed

    private init(on loop: EventLoop, peer: PeerCredentials) {
        self.peer = peer
        super.init(on: loop, memory: Self.make(on: loop) { uv_pipe_init($0, $1, 0) })
    }

    deinit {
        writeRequest.deallocate()
    }

    // MARK: Making

    /// Takes over a connected socket, also when that fails: the descriptor is closed then.
    package static func adopt(
        _ descriptor: CInt, on loop: EventLoop
    ) throws(LoopError) -> SocketConnection {
        let connection: SocketConnection
        do throws(LoopError) {
            connection = SocketConnection(on: loop, peer: try PeerCredentials(of: descriptor))
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        let status = uv_pipe_open(
            connection.memory.assumingMemoryBound(to: uv_pipe_t.self), descriptor)
        guard status == 0 else {
            Glibc.close(descriptor)
            connection.close()
            throw LoopError(code: status, call: "uv_pipe_open")
        }
        return connection
    }

    /// Connects to the socket at `path`; a Unix socket takes or refuses a connection at once.
    package static func connect(
        to path: String, on loop: EventLoop
    ) throws(LoopError) -> SocketConnection {
        guard let address = SocketAddress(path) else {
            throw LoopError(code: -ENAMETOOLONG, call: "connect", subject: path)
        }
        let descriptor = SocketAddress.makeSocket()
        guard descriptor >= 0 else { throw .current("socket") }
        guard address.pass(to: Glibc.connect, descriptor) else {
            let error = LoopError.current("connect", path)
            Glibc.close(descriptor)
            throw error
        }
        return try adopt(descriptor, on: loop)
    }

    /// Two connections, each the other's peer, both on `loop`.
    package static func makePair(
        on loop: EventLoop
    ) throws(LoopError) -> (SocketConnection, SocketConnection) {
        let (near, far) = try makeDescriptorPair()
        let first: SocketConnection
        do throws(LoopError) {
            first = try adopt(near, on: loop)
        } catch {
            Glibc.close(far)
            throw error
        }
        do throws(LoopError) {
            return (first, try adopt(far, on: loop))
        } catch {
            first.close()
            throw error
        }
    }

    /// Two connected sockets as descriptors, for who wants one end to himself.
    package static func makeDescriptorPair() throws(LoopError) -> (CInt, CInt) {
        var pair: (CInt, CInt) = (-1, -1)
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let status = withUnsafeMutableBytes(of: &pair) {
            socketpair(AF_UNIX, kind, 0, $0.assumingMemoryBound(to: CInt.self).baseAddress)
        }
        guard status == 0 else { throw .current("socketpair") }
        return pair
    }

    // MARK: Reading

    /// Gives the connection its owner and begins to read.
    package func start(_ delegate: any SocketConnectionDelegate) {
        guard isOpen else { return }
        precondition(self.delegate == nil, "a connection was started twice")
        self.delegate = delegate
        resumeReading()
    }

    /// Whether bytes are wanted and may still come.
    package var isReading: Bool { input == .reading }

    /// Wants no bytes until `resumeReading()`; the kernel keeps what comes, and then the peer waits.
    package func pauseReading() {
        guard isOpen, input == .reading else { return }
        refuseWhileOffering()
        input = .paused
        uv_read_stop(stream)
    }

    /// Wants bytes again.
    package func resumeReading() {
        guard isOpen, input == .paused else { return }
        precondition(delegate != nil, "a connection reads only once start(_:) gave it an owner")
        let status = uv_read_start(
            stream,
            { handle, _, region in
                let connection = SocketConnection.recover(handle?.pointee.data)
                region?.pointee = connection.offerRegion()
            },
            { stream, count, _ in
                SocketConnection.recover(stream?.pointee.data).readEnded(count)
            })
        guard status == 0 else { return fail(status, "uv_read_start") }
        input = .reading
    }

    /// Whether the peer is gone altogether, and not only done with sending. A peer that closed its sending
    /// half looks the same to a read; the kernel tells the two apart when it is asked.
    package var peerIsGone: Bool {
        guard isOpen else { return true }
        var descriptor: CInt = -1
        guard uv_fileno(UnsafePointer(OpaquePointer(memory)), &descriptor) == 0 else { return true }
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&entry, 1, 0) == 1 && Int32(entry.revents) & (POLLHUP | POLLERR) != 0
    }

    private func offerRegion() -> uv_buf_t {
        guard let delegate else { return uv_buf_t() }
        isOffering = true
        let region = delegate.readBuffer(for: self)
        isOffering = false
        precondition(
            !region.isEmpty, "a connection asked its owner where to read to and was given no memory"
        )
        return uv_buf_t(
            base: region.baseAddress?.assumingMemoryBound(to: CChar.self), len: region.count)
    }

    private func readEnded(_ count: Int) {
        switch count {
        case 1...:
            delegate?.connection(self, didRead: count)
        case 0:
            // Nothing was there after all.
            break
        case Int(UV_EOF.rawValue):
            endInput()
            if case .broken(let error) = output { return end(.failed(error)) }
            delegate?.connectionPeerClosed(self)
        default:
            if case .broken(let error) = output { return end(.failed(error)) }
            fail(CInt(count), "read")
        }
    }

    /// libuv asks for memory and then reads, without a look at what happened between.
    private func refuseWhileOffering() {
        precondition(
            !isOffering,
            "a connection was paused or closed by its owner's readBuffer; do it in didRead")
    }

    private func endInput() {
        if input == .reading { uv_read_stop(stream) }
        input = .ended
    }

    // MARK: Writing

    /// How many bytes were written here and not yet to the kernel.
    package var unsentBytes: Int {
        guard isOpen else { return 0 }
        return waiting.count + (isWriting ? uv_stream_get_write_queue_size(stream) : 0)
    }

    /// Whether writes are still taken; false after `finish()`, after a failed write, and once closed.
    package var isWritable: Bool {
        guard isOpen, case .open = output else { return false }
        return true
    }

    /// Writes `bytes`, in order after all that was written before. Never waits; `bytes` is the caller's
    /// again when it returns. Without effect unless `isWritable`.
    package func write(_ bytes: UnsafeRawBufferPointer) {
        guard isWritable, !bytes.isEmpty else { return }
        guard !isWriting else { return waiting.append(bytes) }
        let sent = tryWrite(bytes)
        guard sent >= 0 else { return breakOutput(CInt(sent), "write") }
        guard sent < bytes.count else { return }
        waiting.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        writeWaiting()
    }

    /// How much of `bytes` the kernel took, or a code.
    private func tryWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        var buffer = Self.buffer(UnsafeMutableRawBufferPointer(mutating: bytes))
        let sent = uv_try_write(stream, &buffer, 1)
        return sent == UV_EAGAIN.rawValue ? 0 : Int(sent)
    }

    private func writeWaiting() {
        swap(&waiting, &flying)
        isWriting = true
        var buffer = Self.buffer(flying.bytes)
        let status = uv_write(writeRequest, stream, &buffer, 1) { request, status in
            SocketConnection.recover(request?.pointee.handle?.pointee.data).writeEnded(status)
        }
        guard status == 0 else {
            isWriting = false
            return breakOutput(status, "uv_write")
        }
    }

    private func writeEnded(_ status: CInt) {
        isWriting = false
        flying.removeAll()
        // Closing cancels what is on its way, and calls back before the handle's own callback.
        guard isOpen else { return }
        guard status == 0 else {
            breakOutput(status, "write")
            if isOpen { delegate?.connectionDidDrain(self) }
            return
        }
        guard waiting.isEmpty else { return writeWaiting() }
        if case .finishing = output { return end(.finished) }
        delegate?.connectionDidDrain(self)
    }

    private func breakOutput(_ code: CInt, _ call: String) {
        let error = LoopError(code: code, call: call)
        waiting.removeAll()
        if case .finishing = output { return end(.failed(error)) }
        output = .broken(error)
        // Nothing more will come to be read; see the type's comment.
        if input == .ended { end(.failed(error)) }
    }

    private static func buffer(_ bytes: UnsafeMutableRawBufferPointer) -> uv_buf_t {
        uv_buf_t(base: bytes.baseAddress?.assumingMemoryBound(to: CChar.self), len: bytes.count)
    }

    // MARK: Ending

    /// Reads no more, writes what waits, then closes; after `patience` at the latest, so that a peer that
    /// has stalled holds nothing.
    package func finish(within patience: Duration = .seconds(2)) {
        guard isOpen else { return }
        switch output {
        case .broken(let error):
            end(.failed(error))
        case .finishing:
            break
        case .open:
            endInput()
            guard isWriting else { return end(.finished) }
            output = .finishing
            let timer = LoopTimer(on: loop) { [unowned self] in
                end(.stalled(unsentBytes: unsentBytes))
            }
            timer.start(after: patience)
            finishTimer = timer
        }
    }

    private func fail(_ code: CInt, _ call: String) {
        end(.failed(LoopError(code: code, call: call)))
    }

    private func end(_ reason: CloseReason) {
        guard isOpen else { return }
        closeReason = reason
        close()
    }

    override func willClose() {
        refuseWhileOffering()
        input = .ended
        waiting.removeAll()
        finishTimer?.close()
        finishTimer = nil
    }

    override func didClose() {
        let owner = delegate
        delegate = nil
        owner?.connection(self, didCloseBecause: closeReason)
    }

    private var stream: UnsafeMutablePointer<uv_stream_t> {
        memory.assumingMemoryBound(to: uv_stream_t.self)
    }
}
