// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import EventLoop

/// The plain kernel calls of a peer that does not use the code under test.
enum RawSocket {
    static func connect(_ path: String) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard SocketAddress(path)?.pass(to: Glibc.connect, descriptor) == true else {
            let code = errno
            close(descriptor)
            return -code
        }
        return descriptor
    }

    static func listen(_ path: String) -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #expect(SocketAddress(path)?.pass(to: Glibc.bind, descriptor) == true)
        #expect(Glibc.listen(descriptor, 8) == 0)
        return descriptor
    }

    /// Writes what the kernel takes now.
    @discardableResult
    static func send(_ text: String, to descriptor: CInt) -> Int {
        Glibc.send(descriptor, text, text.utf8.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    /// What is there now: bytes, or `isEnd`.
    static func receive(
        from descriptor: CInt, atMost limit: Int = 65_536
    ) -> (bytes: [UInt8], isEnd: Bool) {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &bytes, limit, CInt(MSG_DONTWAIT))
        return (Array(bytes.prefix(max(0, count))), count == 0)
    }
}

/// An owner of a connection that writes down what it is told.
final class Owner: SocketConnectionDelegate {
    private(set) var received: [UInt8] = []
    private(set) var log: [String] = []
    private(set) var closeReason: SocketConnection.CloseReason?
    var onBuffer: (SocketConnection) -> Void = { _ in }
    var onRead: (SocketConnection, ArraySlice<UInt8>) -> Void = { _, _ in }
    var onPeerClosed: (SocketConnection) -> Void = { $0.finish() }
    var onDrain: (SocketConnection) -> Void = { _ in }
    var onClose: (SocketConnection) -> Void = { _ in }

    private let region: UnsafeMutableRawBufferPointer

    init(room: Int = 65_536) {
        region = .allocate(byteCount: room, alignment: 16)
    }

    deinit {
        region.deallocate()
    }

    var text: String { String(decoding: received, as: UTF8.self) }
    var isClosed: Bool { closeReason != nil }

    func readBuffer(for connection: SocketConnection) -> UnsafeMutableRawBufferPointer {
        onBuffer(connection)
        return region
    }

    func connection(_ connection: SocketConnection, didRead count: Int) {
        let start = received.count
        received.append(contentsOf: region[..<count])
        onRead(connection, received[start...])
    }

    func connectionPeerClosed(_ connection: SocketConnection) {
        log.append("peerClosed")
        onPeerClosed(connection)
    }

    func connectionDidDrain(_ connection: SocketConnection) {
        log.append("drained")
        onDrain(connection)
    }

    func connection(
        _ connection: SocketConnection, didCloseBecause reason: SocketConnection.CloseReason
    ) {
        log.append("closed")
        closeReason = reason
        onClose(connection)
    }
}

extension SocketConnection {
    func write(_ text: String) {
        write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0) }
    }
}

/// A door that keeps what comes in.
final class Doorkeeper: SocketListenerDelegate {
    private(set) var connections: [SocketConnection] = []
    private(set) var refusals: [LoopError] = []
    var onAccept: (SocketListener, SocketConnection) -> Void = { _, _ in }

    func listener(_ listener: SocketListener, accepted connection: SocketConnection) {
        connections.append(connection)
        onAccept(listener, connection)
    }

    func listener(_ listener: SocketListener, refused error: LoopError) {
        refusals.append(error)
    }
}
