// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import EventLoop

@Suite struct DescriptorWatcherTests {
    @Test func `a descriptor is told readable when bytes came, and again while they lie there`()
        throws
    {
        try withLoop { loop in
            let pair = DescriptorPair()
            var told: [DescriptorWatcher.Readiness] = []
            let watcher = try DescriptorWatcher(on: loop, descriptor: pair.near) { told.append($0) }
            watcher.watch(.readable)
            loop.turn(waiting: false)
            #expect(told.isEmpty)
            pair.write(to: pair.far)
            loop.turn { told.count == 2 }
            #expect(told[0] == .init(interest: .readable))
            pair.read(from: pair.near)
            loop.turn(waiting: false)
            #expect(told.count == 2)
            watcher.close()
        }
    }

    @Test func `only what is watched for is told`() throws {
        try withLoop { loop in
            let pair = DescriptorPair()
            var told: [DescriptorWatcher.Interest] = []
            let watcher = try DescriptorWatcher(on: loop, descriptor: pair.near) {
                told.append($0.interest)
            }
            pair.write(to: pair.far)
            watcher.watch(.writable)
            loop.turn { told.count == 1 }
            watcher.watch([.readable, .writable])
            loop.turn { told.count == 2 }
            watcher.watch([])
            loop.turn(waiting: false)
            #expect(told == [.writable, [.readable, .writable]])
            watcher.close()
        }
    }

    @Test func `a watcher may be closed from its own call, and its descriptor watched anew`() throws
    {
        try withLoop { loop in
            let pair = DescriptorPair()
            var told = 0
            var first: DescriptorWatcher?
            first = try DescriptorWatcher(on: loop, descriptor: pair.near) { _ in
                told += 1
                first?.close()
            }
            first?.watch(.writable)
            loop.turn { told == 1 }
            var again = 0
            let second = try DescriptorWatcher(on: loop, descriptor: pair.near) { _ in again += 1 }
            second.watch(.writable)
            loop.turn { again == 1 }
            first?.watch(.writable)
            second.close()
            loop.turn(waiting: false)
            #expect(told == 1 && again == 1)
        }
    }

    @Test func `a descriptor that broke is told so until it is closed`() throws {
        try withLoop { loop in
            // The writing end of a pipe whose reader went away: the kernel reports an error on it.
            var ends: [CInt] = [-1, -1]
            #expect(pipe(&ends) == 0)
            Glibc.close(ends[0])
            var told: [DescriptorWatcher.Readiness] = []
            let watcher = try DescriptorWatcher(on: loop, descriptor: ends[1]) { told.append($0) }
            watcher.watch(.writable)
            loop.turn { told.count == 3 }
            #expect(told.allSatisfy { $0 == .init(interest: .writable, isBroken: true) })
            watcher.close()
            Glibc.close(ends[1])
            loop.turn(waiting: false)
            #expect(told.count == 3)
        }
    }

    @Test func `what cannot be polled is refused`() throws {
        try withLoop { loop in
            let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
            defer { Glibc.close(file) }
            #expect(throws: LoopError.self) {
                try DescriptorWatcher(on: loop, descriptor: file) { _ in }
            }
        }
    }
}

/// Two ends of a connection, closed with the value.
private final class DescriptorPair {
    let near: CInt
    let far: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let status = socketpair(AF_UNIX, kind, 0, &ends)
        precondition(status == 0, "socketpair failed: \(errno)")
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(near)
        Glibc.close(far)
    }

    func write(to descriptor: CInt) {
        _ = Glibc.write(descriptor, "x", 1)
    }

    func read(from descriptor: CInt) {
        var byte: UInt8 = 0
        _ = Glibc.read(descriptor, &byte, 1)
    }
}
