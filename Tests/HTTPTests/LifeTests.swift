// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

/// Many requests at once, and requests that nobody wants any more.
@Suite struct LifeTests {
    @Test func `a request that is given up closes its connection at once and says nothing`() throws
    {
        let isAsked = Fact()
        let isClosed = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            isAsked.comesTrue()
            connection.waitForEnd()
            isClosed.comesTrue()
        }
        let lab = try ClientLab()
        let asked = try lab.ask(["url": .string(server.url())])
        lab.turn { lab.pendingTimers.count == 1 }
        #expect(isAsked.isTrue())
        asked.cancel()
        #expect(isClosed.isTrue())
        asked.cancel()
        lab.turnOnce()
        #expect(asked.events.isEmpty && lab.client.openCount == 0)
        #expect(lab.pendingTimers.count == 0)
    }

    @Test func `a request given up before anything happened never was`() throws {
        let server = try LoopbackServer.answering { answer(body: $0.target) }
        let lab = try ClientLab()
        try lab.ask(["url": .string(server.url("/gone"))]).cancel()
        #expect(try lab.answer(["url": .string(server.url("/stays"))]).text == "/stays")
        #expect(server.requests.map(\.target) == ["/stays"])
    }

    @Test func `so many go at once to one host and the rest waits its turn`() throws {
        let gate = Fact()
        let server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                _ = gate.isTrue()
                connection.write(answer(body: request.target))
            }
        }
        let lab = try ClientLab(.limited { $0.perHost = 2 })
        let all = try (0..<6).map { try lab.ask(["url": .string(server.url("/\($0)"))]) }
        lab.heed(server)
        lab.turn { server.requests.count == 2 }
        lab.turnOnce()
        #expect(server.connections == 2)
        gate.comesTrue()
        lab.turn { all.allSatisfy(\.isOver) }
        #expect(all.map(\.text) == (0..<6).map { "/\($0)" })
        #expect(server.connections == 2 && lab.client.openCount == 0)
        #expect(Set(server.requests.prefix(2).map(\.target)) == ["/0", "/1"])
    }

    @Test func `one more than may wait is told that it is busy`() throws {
        let server = try LoopbackServer { $0.waitForEnd() }
        let lab = try ClientLab(
            .limited {
                $0.perHost = 1
                $0.waiting = 1
            })
        let first = try lab.ask(["url": .string(server.url())])
        let second = try lab.ask(["url": .string(server.url())])
        let third = try lab.ask(["url": .string(server.url())])
        #expect(third.error?.kind == .busy)
        #expect(third.error?.message.contains("limits.httpWaiting") == true)
        // Who waited and is given up makes room in the line.
        second.cancel()
        #expect(try !lab.ask(["url": .string(server.url())]).isOver)
        first.cancel()
    }

    @Test func `what is told may ask again and give up others`() throws {
        let server = try LoopbackServer.answering { answer(body: $0.target) }
        let silent = try LoopbackServer { $0.waitForEnd() }
        let lab = try ClientLab(.limited { $0.perHost = 1 })
        let other = try lab.ask(["url": .string(silent.url())])
        let first = try lab.ask(["url": .string(server.url("/1"))])
        var second: ClientLab.Asked?
        first.onEvent = { _ in
            other.cancel()
            second = try? lab.ask(["url": .string(server.url("/2"))])
        }
        lab.turn { second?.isOver == true }
        #expect(second?.text == "/2" && other.events.isEmpty)
    }

    @Test func `a client that is closed ends what is open and takes nothing more`() throws {
        let server = try LoopbackServer { $0.waitForEnd() }
        let lab = try ClientLab(.limited { $0.perHost = 1 })
        let all = try (0..<2).map { _ in try lab.ask(["url": .string(server.url())]) }
        lab.heed(server)
        lab.turn { server.connections == 1 }
        lab.client.close()
        #expect(all.map(\.error?.kind) == [.cancelled, .cancelled])
        #expect(try lab.ask(["url": .string(server.url())]).error?.kind == .cancelled)
        lab.client.close()
    }

    @Test func `the line is fair to hosts that are free`() {
        var admission = Admission(perOrigin: 1, total: 2, waiting: 3)
        #expect(admission.enter(1, origin: "a") == .goes)
        #expect(admission.enter(2, origin: "a") == .waits)
        #expect(admission.enter(3, origin: "b") == .goes)
        #expect(admission.enter(4, origin: "c") == .waits)
        #expect(admission.enter(5, origin: "a") == .waits)
        #expect(admission.enter(6, origin: "d") == .isRefused)
        #expect(admission.leave(3) == 4)
        #expect(admission.leave(5) == nil)
        #expect(admission.leave(1) == 2)
        #expect(admission.leave(9) == nil)
        #expect(admission.leave(4) == nil && admission.leave(2) == nil)
        #expect(admission.enter(7, origin: "a") == .goes)
    }
}
