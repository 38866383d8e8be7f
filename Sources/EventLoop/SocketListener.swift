// SPDX-License-Identifier: Apache-2.0

internal import CLibuv
import Glibc
internal import Scheduling

/// What a listener tells its owner, on the loop's thread.
package protocol SocketListenerDelegate: AnyObject {
    /// Somebody connected. The connection is the delegate's: it starts it or closes it.
    func listener(_ listener: SocketListener, accepted connection: SocketConnection)
    /// Somebody connected and was turned away, because descriptors or memory ran out.
    func listener(_ listener: SocketListener, refused error: LoopError)
    /// What such a peer is sent before its end, as far as the kernel takes it at once.
    func listener(_ listener: SocketListener, lastWordsFor error: LoopError) -> [UInt8]
}

extension SocketListenerDelegate {
    package func listener(_ listener: SocketListener, lastWordsFor error: LoopError) -> [UInt8] {
        []
    }
}

/// Accepts connections from a listening socket.
///
/// Loop-confined. Owns its socket, holds its delegate until it closes, and ends by `close()`: the path
/// is unlinked there and then, the connections go on.
///
/// When descriptors run out, a connection that can be neither accepted nor left alone would make the
/// loop spin. So one descriptor is kept in reserve, given up to accept that connection and close it,
/// and taken again: the peer hears a word and sees an end instead of a silence.
package final class SocketListener: LoopHandle {
    /// Where it listens; empty for an inherited socket without a name.
    package let path: String

    /// How many connections one iteration of the loop accepts; the rest waits for the next.
    private static let budget = 32
    /// How long it rests when even the reserve does not help.
    private static let rest = Duration.milliseconds(100)

    private var socket: ListeningSocket?
    private var delegate: (any SocketListenerDelegate)?
    private let descriptor: CInt
    private var reserve: CInt
    private var restTimer: LoopTimer?

    /// Begins to accept; the first connection comes with the loop's next iteration.
    package init(
        on loop: EventLoop, socket: consuming ListeningSocket,
        delegate: any SocketListenerDelegate
    ) throws(LoopError) {
        let listening = socket.descriptor
        // Sets the descriptor non-blocking; the one a service manager passed, for both of us.
        let memory = try Self.make("uv_poll_init", on: loop) { uv_poll_init($0, $1, listening) }
        path = socket.path
        descriptor = listening
        self.socket = consume socket
        self.delegate = delegate
        reserve = Self.takeReserve()
        super.init(on: loop, memory: memory)
        poll()
    }

    override func willClose() {
        restTimer?.close()
        restTimer = nil
        if reserve >= 0 { Glibc.close(reserve) }
        // Unlinks and closes.
        socket = nil
        delegate = nil
    }

    // MARK: Accepting

    private func poll() {
        guard isOpen else { return }
        uv_poll_start(
            memory.assumingMemoryBound(to: uv_poll_t.self), CInt(UV_READABLE.rawValue)
        ) { poll, _, _ in
            SocketListener.recover(poll?.pointee.data).acceptWaiting()
        }
    }

    private func acceptWaiting() {
        for _ in 0..<Self.budget {
            // The delegate may close the listener.
            guard isOpen else { return }
            let accepted = marbled_accept(descriptor)
            if accepted >= 0 {
                hand(accepted)
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED:
                continue
            case EAGAIN:
                return
            case EMFILE, ENFILE:
                let error = LoopError.current("accept", path)
                switch turnAway(error) {
                case .done: delegate?.listener(self, refused: error)
                case .nobodyWaits: return
                case .impossible: return pause(after: error)
                }
            default:
                return pause(after: .current("accept", path))
            }
        }
    }

    private func hand(_ accepted: CInt) {
        do throws(LoopError) {
            let connection = try SocketConnection.adopt(accepted, on: loop)
            guard let delegate else { return connection.close() }
            delegate.listener(self, accepted: connection)
        } catch {
            delegate?.listener(self, refused: error)
        }
    }

    // MARK: Running out

    private enum TurningAway {
        case done, nobodyWaits, impossible
    }

    /// Gives up the reserve to accept one connection, tell it why and close it.
    private func turnAway(_ error: LoopError) -> TurningAway {
        if reserve < 0 { reserve = Self.takeReserve() }
        guard reserve >= 0 else { return .impossible }
        Glibc.close(reserve)
        let accepted = marbled_accept(descriptor)
        // The kernel looks for a free descriptor first, and only then for a connection.
        let outcome: TurningAway =
            accepted >= 0 ? .done : errno == EAGAIN ? .nobodyWaits : .impossible
        if accepted >= 0 {
            let words = delegate?.listener(self, lastWordsFor: error) ?? []
            _ = send(accepted, words, words.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
            Glibc.close(accepted)
        }
        reserve = Self.takeReserve()
        return outcome
    }

    private func pause(after error: LoopError) {
        uv_poll_stop(memory.assumingMemoryBound(to: uv_poll_t.self))
        let timer = restTimer ?? LoopTimer(on: loop)
        timer.onStrike = { [weak self] in self?.poll() }
        timer.start(after: Self.rest)
        restTimer = timer
        delegate?.listener(self, refused: error)
    }

    private static func takeReserve() -> CInt {
        open("/dev/null", O_RDONLY | O_CLOEXEC)
    }
}
