// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A client that knows nothing but lines: the end of the socket that a script holds.
///
/// One thread uses it. Every verb ends at its deadline. Where the daemon lives on the same thread,
/// `turn` gives it its turns; without that the kernel is waited for.
/// Bound: `Client.longestLine` bytes of a line; one more counts as the end.
package final class WireSocket {
    /// What was read.
    package enum Reading: Equatable {
        case line([UInt8])
        case ended
        case timeout
    }

    private let descriptor: Int32
    private let turn: (() -> Void)?
    private var received: [UInt8] = []
    private var scanned = 0
    private var hasEnded = false

    /// Takes over a connected stream socket.
    package init(adopting descriptor: Int32, turn: (() -> Void)? = nil) {
        self.descriptor = descriptor
        self.turn = turn
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Connects to a daemon that listens on `path`.
    package static func connect(to path: String) throws(ClientError) -> WireSocket {
        switch ClientSocket.connect(to: path, timeout: .seconds(5)) {
        case .failure(let fault):
            throw .cannotConnect([FailedAttempt(SocketPath(path, .option), fault.fault)])
        case .success(let socket):
            return WireSocket(adopting: fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0))
        }
    }

    /// Sends bytes, and reads meanwhile, so that nobody waits for us; false at the deadline. What a
    /// daemon that has hung up does not take is dropped.
    package func send(_ bytes: [UInt8], until deadline: Deadline) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard errno == EAGAIN || errno == EINTR else { return true }
            receive()
            guard !deadline.hasPassed else { return false }
            wait(Int16(POLLIN | POLLOUT), deadline)
        }
        return true
    }

    /// The next line without its end.
    package func nextLine(until deadline: Deadline) -> Reading {
        while true {
            if let end = received[scanned...].firstIndex(of: 0x0A) {
                let line = Array(received[..<end])
                received.removeFirst(end + 1)
                scanned = 0
                return .line(line)
            }
            scanned = received.count
            guard !hasEnded, received.count <= Client.longestLine else { return .ended }
            let before = received.count
            receive()
            guard received.count == before, !hasEnded else { continue }
            guard !deadline.hasPassed else { return .timeout }
            wait(Int16(POLLIN), deadline)
        }
    }

    /// Sends nothing more.
    package func endInput() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Hangs up.
    package func hangUp() {
        shutdown(descriptor, Int32(SHUT_RDWR))
        hasEnded = true
        turn?()
    }

    private func wait(_ events: Int16, _ deadline: Deadline) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        turn?()
        // With turns to give, only a daemon that waits for time itself lets this run out.
        _ = poll(&entry, 1, turn == nil ? deadline.milliseconds : 1)
    }

    private func receive() {
        var room = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &room, room.count, 0)
        if count > 0 {
            received += room[..<count]
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            hasEnded = true
        }
    }
}
