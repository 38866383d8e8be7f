// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct SocketListenerTests {
    private let directory = TemporaryFolder()

    @Test func `who connects is known by process, user and group`() throws {
        try withLoop { loop in
            let keeper = Doorkeeper()
            let socket = try ListeningSocket.bind(path: directory.file("s"))
            let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
            let client = try SocketConnection.connect(to: listener.path, on: loop)
            loop.turn { keeper.connections.count == 1 }
            let peer = keeper.connections[0].peer
            #expect(peer.processID == getpid())
            #expect(peer.userID == geteuid())
            #expect(peer.groupID == getegid())
            #expect(client.peer.processID == getpid())
        }
    }

    @Test func `more connections than one turn accepts are all accepted`() throws {
        try withLoop { loop in
            let keeper = Doorkeeper()
            let socket = try ListeningSocket.bind(path: directory.file("s"), backlog: 100)
            let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
            let clients = (0..<80).map { _ in RawSocket.connect(listener.path) }
            loop.turn { keeper.connections.count == 80 }
            clients.forEach { close($0) }
        }
    }

    @Test func `closing unlinks the path at once, and connections go on`() throws {
        try withLoop { loop in
            let keeper = Doorkeeper()
            let path = directory.file("s")
            let listener = try SocketListener(
                on: loop, socket: try ListeningSocket.bind(path: path), delegate: keeper)
            let client = try SocketConnection.connect(to: path, on: loop)
            let owner = Owner()
            client.start(owner)
            loop.turn { keeper.connections.count == 1 }
            listener.close()
            #expect(access(path, F_OK) == -1)
            #expect(RawSocket.connect(path) == -ENOENT)
            // The path is free for the next, in the same breath.
            _ = try ListeningSocket.bind(path: path)
            keeper.connections[0].write("still here")
            loop.turn { owner.text == "still here" }
        }
    }

    @Test func `a listener may be closed while it accepts`() throws {
        try withLoop { loop in
            let keeper = Doorkeeper()
            let socket = try ListeningSocket.bind(path: directory.file("s"))
            let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
            keeper.onAccept = { listener, _ in listener.close() }
            let clients = (0..<3).map { _ in RawSocket.connect(listener.path) }
            loop.turn { keeper.connections.count == 1 }
            loop.turn(waiting: false)
            #expect(keeper.connections.count == 1)
            clients.forEach { close($0) }
        }
    }

    @Test func `an inherited socket accepts, and stays when the listener closes`() throws {
        try withLoop { loop in
            let path = directory.file("s")
            let descriptor = RawSocket.listen(path)
            let manager = dup(descriptor)
            let keeper = Doorkeeper()
            let listener = try SocketListener(
                on: loop, socket: try ListeningSocket.inherited(descriptor), delegate: keeper)
            let first = RawSocket.connect(path)
            loop.turn { keeper.connections.count == 1 }
            listener.close()
            // The service manager still has it, so a client waits instead of being refused.
            let second = RawSocket.connect(path)
            #expect(second >= 0)
            [manager, first, second].forEach { close($0) }
        }
    }

    @Test func `when descriptors run out a peer is turned away, and the next is accepted`() async {
        await #expect(processExitsWith: .success) {
            try withLoop { loop in
                let directory = TemporaryFolder()
                let keeper = Doorkeeper()
                let socket = try ListeningSocket.bind(path: directory.file("s"))
                let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
                let waiting = try SocketAddress(listener.path).map { address in
                    let client = SocketAddress.makeSocket()
                    guard address.pass(to: Glibc.connect, client) else {
                        throw LoopError.current("connect")
                    }
                    return client
                }
                // Fill the table to its brim.
                var limit = rlimit(rlim_cur: 64, rlim_max: 64)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                var fillers: [CInt] = []
                while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
                loop.turn { !keeper.refusals.isEmpty }
                precondition(keeper.refusals.map(\.name) == ["EMFILE"])
                precondition(keeper.connections.isEmpty)
                precondition(RawSocket.receive(from: waiting ?? -1).isEnd)

                fillers.forEach { close($0) }
                let next = RawSocket.connect(listener.path)
                loop.turn { keeper.connections.count == 1 }
                precondition(keeper.refusals.count == 1)
                close(next)
            }
        }
    }

    @Test func `when even the reserve is gone the listener rests, then accepts`() async {
        await #expect(processExitsWith: .success) {
            try withLoop { loop in
                let directory = TemporaryFolder()
                let keeper = Doorkeeper()
                var limit = rlimit(rlim_cur: 64, rlim_max: 64)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                let socket = try ListeningSocket.bind(path: directory.file("s"))
                let client = RawSocket.connect(socket.path)
                // One descriptor is left, for the loop's own use.
                var fillers: [CInt] = []
                while case let filler = dup(0), filler >= 0 { fillers.append(filler) }
                let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
                loop.turn { !keeper.refusals.isEmpty }
                precondition(keeper.connections.isEmpty)
                fillers.forEach { close($0) }
                loop.turn { keeper.connections.count == 1 }
                precondition(keeper.refusals.count == 1)
                close(client)
                listener.close()
            }
        }
    }
}
