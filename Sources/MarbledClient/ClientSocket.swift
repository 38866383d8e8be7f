// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The client's end of a Unix stream socket, never blocking. Owns the descriptor.
final class ClientSocket {
    let descriptor: Int32

    /// Takes over a connected descriptor.
    init(adopting descriptor: Int32) {
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    enum Transfer: Equatable {
        case bytes(Int)
        case wouldBlock
        /// The peer has gone; the reason where the kernel gave one.
        case ended(String?)
    }

    /// Whether an address has room for `path`: one byte stays zero and ends it.
    static func fits(_ path: String) -> Bool {
        path.utf8.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    }

    static func connect(
        to path: String, timeout: Duration
    ) -> Result<ClientSocket, ConnectFault> {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard fits(path) else { return .failure(ConnectFault(ENAMETOOLONG)) }
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            room.copyBytes(from: path.utf8)
        }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .failure(ConnectFault(errno)) }
        // A Unix socket's connect waits only where the listener's backlog is full; this bounds it.
        var limit = timeval(timeout)
        setsockopt(
            descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        var result: Int32 = 0
        repeat {
            result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, size)
                }
            }
        } while result != 0 && errno == EINTR
        guard result == 0 else {
            var fault = ConnectFault(errno)
            close(descriptor)
            // The kernel has one word for a socket nobody listens on and for what is no socket.
            var facts = stat()
            if fault.code == ECONNREFUSED, stat(path, &facts) == 0,
                facts.st_mode & S_IFMT != S_IFSOCK
            {
                fault = ConnectFault(ENOTSOCK)
            }
            return .failure(fault)
        }
        return .success(ClientSocket(adopting: descriptor))
    }

    func receive(into room: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer(recv(descriptor, room.baseAddress, room.count, 0), endsAtZero: true)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        transfer(
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)),
            endsAtZero: false)
    }

    /// Waits for one of `events`; gives those that came, none at the deadline.
    func wait(for events: Int32, until deadline: Deadline?) -> Int32 {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let count = poll(&entry, 1, deadline?.milliseconds ?? -1)
            if count > 0 { return Int32(entry.revents) }
            // A signal's handler has done its work; the wait goes on.
            if count == 0 || errno != EINTR { return 0 }
        }
    }

    private func transfer(_ count: Int, endsAtZero: Bool) -> Transfer {
        if count > 0 || (count == 0 && !endsAtZero) { return .bytes(count) }
        if count == 0 { return .ended(nil) }
        switch errno {
        case EAGAIN, EINTR: return .wouldBlock
        default: return .ended(String(cString: strerror(errno)))
        }
    }
}

/// Why the kernel refused to connect.
struct ConnectFault: Error {
    let code: Int32

    init(_ code: Int32) { self.code = code }

    var fault: FailedAttempt.Fault {
        switch code {
        case ENOENT: .absent
        case ECONNREFUSED: .nobodyListens
        case ENOTSOCK: .noSocket
        case EACCES, EPERM: .denied
        case ENAMETOOLONG: .pathTooLong
        case EAGAIN: .busy
        default: .other(String(cString: strerror(code)))
        }
    }
}

extension timeval {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    }
}
