// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import EventLoop

@Suite struct EventLoopTests {
    @Test func `run goes on until it is stopped`() throws {
        try withLoop { loop in
            var turns = 0
            func again() {
                turns += 1
                if turns == 3 { loop.stop() } else { loop.nextTurn(again) }
            }
            loop.nextTurn(again)
            loop.run()
            #expect(turns == 3)
        }
    }

    @Test func `a stop asked for before run makes it return at once`() throws {
        try withLoop { loop in
            loop.stop()
            loop.run()
        }
    }

    @Test func `work put off runs in the order it came`() throws {
        try withLoop { loop in
            var order: [Int] = []
            for number in 0..<100 { loop.nextTurn { order.append(number) } }
            loop.turn()
            #expect(order == Array(0..<100))
        }
    }

    @Test func `work that puts itself off again gives everybody else a turn between`() throws {
        try withLoop { loop in
            let (near, far) = try SocketConnection.makePair(on: loop)
            let owner = Owner()
            far.start(owner)
            var pieces = 0
            var piecesWhenRead: Int?
            func piece() {
                pieces += 1
                if pieces == 3 { near.write("x") }
                if piecesWhenRead == nil { loop.nextTurn(piece) }
            }
            owner.onRead = { _, _ in piecesWhenRead = pieces }
            loop.nextTurn(piece)
            loop.turn { piecesWhenRead != nil }
            #expect(piecesWhenRead == 3)
            near.close()
        }
    }

    @Test func `a turn that is told not to wait does not wait`() throws {
        try withLoop { loop in
            loop.turn(waiting: false)
        }
    }

    @Test func `closing drops work put off and accepts no more jobs`() throws {
        let loop = try EventLoop()
        var ran = false
        loop.nextTurn { ran = true }
        loop.close()
        #expect(!ran)
        #expect(!loop.wakeup.enqueue {})
    }

    @Test func `closing twice is harmless`() throws {
        let loop = try EventLoop()
        loop.close()
        loop.close()
    }

    @Test func `handles that owners open while the loop closes are closed too`() throws {
        let loop = try EventLoop()
        let (near, far) = try SocketConnection.makePair(on: loop)
        let owner = Owner()
        owner.onClose = { _ in LoopTimer(on: loop).start(after: .seconds(1000)) }
        near.start(owner)
        far.start(Owner())
        loop.close()
        #expect(owner.closeReason == .closed)
    }

    @Test func `the wall clock is the kernel's`() {
        let before = Int64(time(nil)) * 1_000_000_000
        #expect(EventLoop.wallNanoseconds >= before)
        #expect(EventLoop.wallNanoseconds - before < 60_000_000_000)
    }

    @Test func `a loop that is let go without being closed stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = try EventLoop()
        }
    }

    @Test func `a loop that is closed from its own callback stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            loop.nextTurn { loop.close() }
            loop.turn()
        }
    }

    @Test func `owners that never stop opening handles stop the program with their names`() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            func open() throws {
                let (near, far) = try SocketConnection.makePair(on: loop)
                far.close()
                let owner = Owner()
                owner.onClose = { _ in try? open() }
                near.start(owner)
            }
            try open()
            loop.close()
        }
    }

    @Test func `a shut down loop leaves no descriptor`() async {
        await #expect(processExitsWith: .success) {
            // libuv opens two descriptors for signals once per process.
            try withLoop { _ in }
            let before = openDescriptors()
            let directory = TemporaryFolder()
            for _ in 0..<10 {
                let loop = try EventLoop()
                let keeper = Doorkeeper()
                let socket = try ListeningSocket.bind(path: directory.file("s"))
                let listener = try SocketListener(on: loop, socket: socket, delegate: keeper)
                let clients = try (0..<5).map { _ in
                    try SocketConnection.connect(to: listener.path, on: loop)
                }
                let owners = clients.map { client in
                    let owner = Owner()
                    client.start(owner)
                    client.write([UInt8](repeating: 7, count: 1_000_000))
                    return owner
                }
                let signal = try SignalWatcher(on: loop, signal: SIGUSR2) {}
                LoopTimer(on: loop).start(after: .seconds(1000))
                loop.turn { keeper.connections.count == 5 }
                keeper.connections[0].close()
                loop.close()
                precondition(!signal.isOpen && owners.allSatisfy(\.isClosed))
            }
            let after = openDescriptors()
            // A leak would show once per round. The test's own runtime opens one or two meanwhile.
            precondition(
                after.count < before.count + 10,
                "descriptors leaked: \(before) became \(after)")
        }
    }
}
