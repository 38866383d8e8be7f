// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

/// What a broken exchange is called.
@Suite struct FaultTests {
    @Test func `nobody listens`() throws {
        try LoopbackServer.withRefusingPort { port in
            let asked = try ClientLab().answer([
                "url": .string("http://user:s3cret@127.0.0.1:\(port)/p?code=s3cret")
            ])
            #expect(asked.error?.kind == .refused)
            let message = try #require(asked.error?.message)
            #expect(message.hasPrefix("GET http://127.0.0.1:\(port)/p?…: "))
            #expect(!message.contains("s3cret") && message.contains("running"))
        }
    }

    @Test func `a host that is not known`() throws {
        let asked = try ClientLab().answer(["url": "http://nowhere.invalid/"])
        #expect(asked.error?.kind == .resolve)
    }

    @Test(arguments: [
        ("", HTTPError.Kind.reset), ("HTTP/1.1 200 OK\r\nContent-Len", .reset),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", .reset),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", .reset),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n", .reset),
        ("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\nabc", .badAnswer),
        ("SSH-2.0-OpenSSH_9.2p1\r\n", .badAnswer), ("HTTP/9.9 banana\r\n\r\n", .badAnswer),
    ])
    func `an answer that breaks off, or is none`(_ said: String, _ kind: HTTPError.Kind) throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write(said)
        }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.events.count == 1 && asked.error?.kind == kind, "\(asked.events)")
    }

    @Test func `a connection that is reset in the middle of a body`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            connection.reset()
        }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.error?.kind == .reset)
    }

    @Test func `more came than was said is not part of the answer`() throws {
        let server = try LoopbackServer.answering { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef"
        }
        let lab = try ClientLab()
        #expect(try lab.answer(["url": .string(server.url())]).text == "abc")
        #expect(try lab.answer(["url": .string(server.url())]).text == "abc")
    }

    @Test func `a body of exactly the limit comes, and one byte more does not`() throws {
        let server = try LoopbackServer.answering {
            answer(body: String(repeating: "x", count: $0.target == "/fits" ? 1_000 : 1_001))
        }
        let lab = try ClientLab(.limited { $0.bodyBytes = 1_000 })
        #expect(try lab.answer(["url": .string(server.url("/fits"))]).text?.utf8.count == 1_000)
        let error = try lab.answer(["url": .string(server.url("/long"))]).error
        #expect(error?.kind == .tooLarge && error?.message.contains("1000") == true)
        let asked = try lab.answer([
            "url": .string(server.url()), "body": .string(String(repeating: "x", count: 1_001)),
        ])
        #expect(asked.error?.kind == .tooLarge && server.requests.count == 2)
    }

    @Test(arguments: ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 302 F\r\nLocation: /\r\n\r\n"])
    func `a body without end is cut at the limit, and the connection closed`(_ head: String) throws
    {
        let isClosed = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write(head)
            while connection.write([UInt8](repeating: 0x61, count: 4_096)) {}
            isClosed.comesTrue()
        }
        let lab = try ClientLab(.limited { $0.bodyBytes = 100_000 })
        #expect(try lab.answer(["url": .string(server.url())]).error?.kind == .tooLarge)
        #expect(isClosed.isTrue())
    }

    @Test func `a head without end is cut at the limit`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write("X-More: and more\r\n") {}
        }
        let lab = try ClientLab(.limited { $0.headBytes = 10_000 })
        let error = try lab.answer(["url": .string(server.url())]).error
        #expect(error?.kind == .tooLarge && error?.message.contains("head") == true)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab"])
    func `an answer that does not come in time`(_ said: String) throws {
        let isClosed = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write(said)
            connection.waitForEnd()
            isClosed.comesTrue()
        }
        let lab = try ClientLab()
        let asked = try lab.answer(["url": .string(server.url()), "timeout": "30ms"])
        #expect(asked.error?.kind == .timeout)
        #expect(asked.error?.message.contains("30.0ms (\"timeout\")") == true, "\(asked.events)")
        #expect(isClosed.isTrue() && lab.pendingTimers.count == 0)
    }

    @Test func `an answer that goes on and on runs out of time all the same`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write("x") {}
        }
        let lab = try ClientLab(
            .limited {
                $0.totalNanoseconds = 40_000_000
                $0.bodyBytes = .max
            })
        let error = try lab.answer(["url": .string(server.url())]).error
        #expect(error?.kind == .timeout)
        #expect(error?.message.contains("limits.httpTotalNanoseconds") == true)
    }

    @Test func `a connection that is not made in time`() throws {
        try LoopbackServer.withSilentPort { port in
            let lab = try ClientLab(.limited { $0.connectNanoseconds = 20_000_000 })
            let error = try lab.answer(["url": .string("http://127.0.0.1:\(port)/")]).error
            #expect(error?.kind == .timeout)
            #expect(error?.message.contains("no connection after 20.0ms") == true)
            #expect(error?.message.contains("limits.httpConnectNanoseconds") == true)
            let other = try lab.answer([
                "url": .string("http://127.0.0.1:\(port)/"), "connectTimeout": "10ms",
            ])
            #expect(other.error?.message.contains("(\"connectTimeout\")") == true)
        }
    }

    @Test func `the time for connecting ends with the connection`() throws {
        let gates = [Fact(), Fact()]
        let server = try LoopbackServer { connection in
            for gate in gates where connection.readRequest() != nil {
                _ = gate.isTrue()
                connection.write(answer(body: "late"))
            }
        }
        let lab = try ClientLab()
        // Both on a new connection and on one that is used again.
        for gate in gates {
            let asked = try lab.ask(["url": .string(server.url()), "connectTimeout": "20s"])
            #expect(lab.pendingTimers.count == 2)
            lab.turn { lab.pendingTimers.count < 2 }
            #expect(!asked.isOver && lab.pendingTimers == ["http timeout"])
            gate.comesTrue()
            lab.turn { asked.isOver }
            #expect(asked.text == "late" && lab.pendingTimers.isEmpty)
        }
        #expect(server.connections == 1)
    }
}
