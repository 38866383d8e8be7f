// SPDX-License-Identifier: Apache-2.0

import Glibc
import Scheduling

/// A server on the loopback interface for the length of a test. What it does with a connection is a
/// function of the test's, on a thread of its own: answers, half answers, silence.
///
/// It knows no HTTP but where a request ends. Connections that the function leaves open are closed when
/// it returns.
package final class LoopbackServer: Sendable {
    /// What the test has it do with each connection.
    package typealias Service = @Sendable (ServerConnection) -> Void

    /// Where it listens.
    package let port: UInt16
    private let descriptor: CInt
    private let book = Book()

    /// What happened; the threads have it without keeping the server.
    private final class Book: Sendable {
        let state = Locked((connections: 0, requests: [ServerRequest]()))
        let bell = Locked<@Sendable () -> Void>({})

        func note(_ change: (inout (connections: Int, requests: [ServerRequest])) -> Void) {
            state.withLock { change(&$0) }
            bell.withLock { $0 }()
        }
    }

    /// Listens at once.
    package init(_ service: @escaping Service) throws {
        (descriptor, port) = try Self.listen()
        let (descriptor, book) = (descriptor, book)
        // Ends when the descriptor is shut down.
        detach {
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { break }
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                book.note { $0.connections += 1 }
                let connection = ServerConnection(accepted) { request in
                    book.note { $0.requests.append(request) }
                }
                detach {
                    service(connection)
                    connection.close()
                }
            }
            Glibc.close(descriptor)
        }
    }

    /// Answers every request of every connection with what `answer` makes of it.
    package static func answering(
        _ answer: @escaping @Sendable (ServerRequest) -> String
    ) throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.readRequest() { connection.write(answer(request)) }
        }
    }

    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// `http://127.0.0.1:port` with a path behind it.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Has `ring` called, on any thread, whenever a connection or a request came from now on.
    package func onNews(_ ring: @escaping @Sendable () -> Void) {
        book.bell.withLock { $0 = ring }
    }

    /// How many connections were made.
    package var connections: Int { book.state.withLock { $0.connections } }

    /// What was asked so far.
    package var requests: [ServerRequest] { book.state.withLock { $0.requests } }

    /// A port at which nobody listens: it was free a moment ago, and is kept from others meanwhile.
    package static func withRefusingPort<Result>(_ body: (UInt16) throws -> Result) throws -> Result
    {
        let (descriptor, port) = try listen(backlog: nil)
        defer { Glibc.close(descriptor) }
        return try body(port)
    }

    /// A port that takes no further connection and refuses none: its line is full.
    package static func withSilentPort<Result>(_ body: (UInt16) throws -> Result) throws -> Result {
        let (descriptor, port) = try listen(backlog: 0)
        var fillers: [CInt] = []
        defer { for descriptor in fillers + [descriptor] { Glibc.close(descriptor) } }
        for _ in 0..<4 {
            let filler = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            fillers.append(filler)
            var address = Self.address(port)
            _ = withSocketAddress(&address) { connect(filler, $0, $1) }
        }
        return try body(port)
    }

    private static func listen(backlog: CInt? = 128) throws -> (CInt, UInt16) {
        let descriptor = socket(
            AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = address(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard descriptor >= 0, withSocketAddress(&address, { bind(descriptor, $0, $1) }) == 0,
            backlog.map({ Glibc.listen(descriptor, $0) }) ?? 0 == 0,
            withSocketAddress(&address, { address, _ in getsockname(descriptor, address, &size) })
                == 0
        else { throw ServerFailure(call: "listen on the loopback interface", number: errno) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSocketAddress<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// What went wrong in the server's own machinery.
package struct ServerFailure: Error {
    let call: String
    let number: CInt
}

/// Runs `body` on a thread of its own, which nobody waits for.
private func detach(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { data in
            guard let data else { return nil }
            Unmanaged<Box>.fromOpaque(data).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Box(body)).toOpaque())
    precondition(status == 0, "a test's server has no thread: \(status)")
    pthread_detach(thread)
}
