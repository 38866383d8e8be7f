// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct SocketConnectionTests {
    /// A connection with its owner, and the peer as a descriptor.
    private func withPeer(
        owner: Owner = Owner(), started: Bool = true,
        _ body: (EventLoop, SocketConnection, Owner, inout CInt) throws -> Void
    ) throws {
        try withLoop { loop in
            let (near, far) = try SocketConnection.makeDescriptorPair()
            var peer = far
            let connection = try SocketConnection.adopt(near, on: loop)
            if started { connection.start(owner) }
            defer { if peer >= 0 { close(peer) } }
            try body(loop, connection, owner, &peer)
        }
    }

    /// A megabyte of numbers, so that a byte lost or moved shows.
    private static let load = (0..<1_000_000).map {
        UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7)
    }

    // MARK: Reading

    @Test func `bytes arrive in the owner's memory, in order`() throws {
        try withPeer(owner: Owner(room: 1000)) { loop, _, owner, peer in
            var sent = 0
            loop.turn(waiting: false) {
                if sent < Self.load.count {
                    let count = Self.load[sent...].withUnsafeBytes {
                        send(peer, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT))
                    }
                    sent += max(0, count)
                }
                return owner.received.count == Self.load.count
            }
            #expect(owner.received == Self.load)
        }
    }

    @Test func `nothing is read while reading is paused, and nothing is lost`() throws {
        try withPeer { loop, connection, owner, peer in
            connection.pauseReading()
            RawSocket.send("kept", to: peer)
            for _ in 0..<3 { loop.turn(waiting: false) }
            #expect(owner.received.isEmpty && !connection.isReading)
            connection.resumeReading()
            loop.turn { owner.text == "kept" }
        }
    }

    @Test func `an owner that pauses while it is told of bytes gets no more`() throws {
        try withPeer(owner: Owner(room: 4)) { loop, connection, owner, peer in
            owner.onRead = { connection, _ in connection.pauseReading() }
            RawSocket.send("12345678", to: peer)
            loop.turn { !owner.received.isEmpty }
            loop.turn(waiting: false)
            #expect(owner.text == "1234")
            connection.resumeReading()
            loop.turn { owner.text == "12345678" }
        }
    }

    @Test func `an owner that gives no memory stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try withLoop { loop in
                let (near, far) = try SocketConnection.makePair(on: loop)
                let owner = Owner(room: 0)
                near.start(owner)
                far.write("x")
                loop.turn { owner.isClosed }
            }
        }
    }

    @Test func `an owner that closes when it is asked for memory stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try withLoop { loop in
                let (near, far) = try SocketConnection.makePair(on: loop)
                let owner = Owner()
                owner.onBuffer = { $0.close() }
                near.start(owner)
                far.write("x")
                loop.turn { owner.isClosed }
            }
        }
    }

    // MARK: Writing

    @Test func `a small write is with the kernel when write returns`() throws {
        try withPeer { _, connection, owner, peer in
            connection.write("now")
            #expect(connection.unsentBytes == 0)
            #expect(RawSocket.receive(from: peer).bytes == Array("now".utf8))
            #expect(owner.log.isEmpty)
        }
    }

    @Test func `a slow reader gets every byte in order, and the owner is told when all is sent`()
        throws
    {
        try withPeer { loop, connection, owner, peer in
            var expected: [UInt8] = []
            for round in 0..<8 {
                connection.write(Self.load)
                connection.write([UInt8(round)])
                expected += Self.load + [UInt8(round)]
            }
            let atFirst = connection.unsentBytes
            #expect(atFirst > 4_000_000 && atFirst < expected.count)
            var received: [UInt8] = []
            var least = atFirst
            loop.turn(waiting: false) {
                received += RawSocket.receive(from: peer, atMost: 40_000).bytes
                #expect(connection.unsentBytes <= least)
                least = connection.unsentBytes
                return received.count == expected.count
            }
            #expect(received == expected)
            #expect(connection.unsentBytes == 0)
            loop.turn { owner.log == ["drained"] }
        }
    }

    @Test func `two connections echo a load to each other`() throws {
        try withLoop { loop in
            let (near, far) = try SocketConnection.makePair(on: loop)
            let (client, server) = (Owner(), Owner())
            server.onRead = { connection, bytes in connection.write(Array(bytes)) }
            near.start(client)
            far.start(server)
            near.write(Self.load)
            loop.turn { client.received.count == Self.load.count }
            #expect(client.received == Self.load)
        }
    }

    @Test func `a peer that stops listening is still heard to its end`() throws {
        try withPeer { loop, connection, owner, peer in
            owner.onRead = { connection, _ in connection.write("answer\n") }
            // More than the owner reads at once, and gone before the first answer.
            RawSocket.send(String(repeating: "question\n", count: 15_000), to: peer)
            close(peer)
            peer = -1
            loop.turn { owner.isClosed }
            #expect(owner.received.count == 135_000)
            #expect(owner.closeReason == .failed(LoopError(code: -EPIPE, call: "write")))
            #expect(owner.log == ["closed"])
        }
    }

    @Test func `a peer that vanishes in the middle of a write ends the connection`() throws {
        try withPeer { loop, connection, owner, peer in
            for _ in 0..<4 { connection.write(Self.load) }
            #expect(connection.unsentBytes > 0)
            _ = RawSocket.receive(from: peer)
            close(peer)
            peer = -1
            loop.turn { owner.isClosed }
            guard case .failed(let error) = owner.closeReason else {
                Issue.record("closed because \(String(describing: owner.closeReason))")
                return
            }
            #expect(["EPIPE", "ECONNRESET"].contains(error.name))
            #expect(connection.unsentBytes == 0 && !connection.isWritable)
        }
    }

    @Test func `a broken write lets a paused owner go on`() throws {
        try withPeer { loop, connection, owner, peer in
            connection.pauseReading()
            owner.onDrain = { $0.resumeReading() }
            for _ in 0..<4 { connection.write(Self.load) }
            RawSocket.send("last words", to: peer)
            close(peer)
            peer = -1
            loop.turn { owner.isClosed }
            #expect(owner.text == "last words")
            #expect(owner.log == ["drained", "closed"])
        }
    }

    // MARK: Ends

    @Test func `a peer that has shut down its half gets its answers and then the end`() throws {
        try withPeer { loop, connection, owner, peer in
            owner.onPeerClosed = { connection in
                for _ in 0..<3 { connection.write(Self.load) }
                connection.finish()
            }
            RawSocket.send("question", to: peer)
            shutdown(peer, CInt(SHUT_WR))
            var answer: [UInt8] = []
            var isEnd = false
            loop.turn(waiting: false) {
                let chunk = RawSocket.receive(from: peer)
                answer += chunk.bytes
                isEnd = isEnd || chunk.isEnd
                return isEnd && owner.isClosed
            }
            #expect(owner.text == "question")
            #expect(answer == Self.load + Self.load + Self.load)
            #expect(owner.closeReason == .finished)
            #expect(owner.log.first == "peerClosed" && owner.log.last == "closed")
        }
    }

    @Test func `an owner may go on writing to a peer that sends no more`() throws {
        try withPeer { loop, connection, owner, peer in
            owner.onPeerClosed = { _ in }
            shutdown(peer, CInt(SHUT_WR))
            loop.turn { owner.log == ["peerClosed"] }
            connection.write("later")
            #expect(RawSocket.receive(from: peer).bytes == Array("later".utf8))
            // With the peer gone the next write ends it: there is nothing left to read.
            close(peer)
            peer = -1
            connection.write("too late")
            loop.turn { owner.isClosed }
            #expect(owner.closeReason == .failed(LoopError(code: -EPIPE, call: "write")))
        }
    }

    @Test func `finish with nothing to write closes at once`() throws {
        try withPeer { loop, connection, owner, peer in
            connection.write("bye")
            connection.finish()
            #expect(!connection.isOpen)
            #expect(owner.closeReason == nil, "an owner is never told from inside a verb")
            loop.turn { owner.isClosed }
            #expect(owner.closeReason == .finished)
            #expect(RawSocket.receive(from: peer).bytes == Array("bye".utf8))
            #expect(RawSocket.receive(from: peer).isEnd)
        }
    }

    @Test func `after finish nothing is read or written`() throws {
        try withPeer { loop, connection, owner, peer in
            connection.write(Self.load)
            connection.finish()
            connection.finish()
            connection.write("more")
            connection.resumeReading()
            RawSocket.send("unheard", to: peer)
            var received = 0
            loop.turn(waiting: false) {
                received += RawSocket.receive(from: peer).bytes.count
                return owner.isClosed
            }
            received += RawSocket.receive(from: peer, atMost: 2_000_000).bytes.count
            #expect(received == Self.load.count)
            #expect(owner.received.isEmpty)
            #expect(owner.closeReason == .finished)
        }
    }

    @Test func `a stalled peer holds finish no longer than its patience`() throws {
        try withPeer { loop, connection, owner, _ in
            for _ in 0..<4 { connection.write(Self.load) }
            let unsent = connection.unsentBytes
            connection.finish(within: .milliseconds(5))
            loop.turn { owner.isClosed }
            #expect(owner.closeReason == .stalled(unsentBytes: unsent))
        }
    }

    @Test func `close is at once, with bytes on their way`() throws {
        try withPeer { loop, connection, owner, peer in
            for _ in 0..<4 { connection.write(Self.load) }
            connection.close()
            connection.close()
            connection.write("too late")
            connection.finish()
            connection.pauseReading()
            loop.turn { owner.isClosed }
            #expect(owner.log == ["closed"] && owner.closeReason == .closed)
            var isEnd = false
            while !isEnd {
                let chunk = RawSocket.receive(from: peer)
                isEnd = chunk.isEnd || chunk.bytes.isEmpty
            }
        }
    }

    enum Moment: CaseIterable {
        case read, peerClosed, drain, close
    }

    @Test(arguments: Moment.allCases)
    func `an owner may close in any other callback`(moment: Moment) throws {
        try withPeer { loop, connection, owner, peer in
            switch moment {
            case .read: owner.onRead = { connection, _ in connection.close() }
            case .peerClosed: owner.onPeerClosed = { $0.close() }
            case .drain: owner.onDrain = { $0.close() }
            case .close: owner.onClose = { $0.close() }
            }
            if moment == .drain { connection.write(Self.load) }
            if moment != .drain { RawSocket.send("x", to: peer) }
            if moment == .peerClosed || moment == .close { shutdown(peer, CInt(SHUT_WR)) }
            loop.turn(waiting: false) {
                _ = RawSocket.receive(from: peer)
                return owner.isClosed
            }
            #expect(owner.log.filter { $0 == "closed" }.count == 1)
        }
    }

    @Test func `a connection lets go of its owner when it has closed, and so of itself`() throws {
        try withLoop { loop in
            weak var witness: Owner?
            weak var connection: SocketConnection?
            do {
                let (near, far) = try SocketConnection.makePair(on: loop)
                let owner = Owner()
                // The usual knot: each holds the other.
                owner.onRead = { _, _ in withExtendedLifetime(near) {} }
                near.start(owner)
                (witness, connection) = (owner, near)
                far.close()
            }
            loop.turn { connection == nil }
            #expect(witness == nil)
        }
    }

    // MARK: Making

    @Test func `a path without a listener is an error that names it`() throws {
        let directory = TemporaryFolder()
        try withLoop { loop in
            let path = directory.file("nobody")
            let error = #expect(throws: LoopError.self) {
                try SocketConnection.connect(to: path, on: loop)
            }
            #expect(
                error?.description
                    == "connect \(path) failed: no such file or directory (ENOENT)")
        }
    }

    @Test func `a descriptor that is no socket is refused and closed`() throws {
        try withLoop { loop in
            let file = open("/dev/null", O_RDWR | O_CLOEXEC)
            let error = #expect(throws: LoopError.self) {
                try SocketConnection.adopt(file, on: loop)
            }
            #expect(error?.name == "ENOTSOCK")
        }
    }
}
