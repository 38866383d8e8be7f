// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

/// Answers that come in pieces.
@Suite struct StreamTests {
    @Test func `a stream has a head, then each piece as it comes, then an end`() throws {
        let next = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write("3\r\none\r\n")
            _ = next.isTrue()
            connection.write("3\r\ntwo\r\n0\r\n\r\n")
        }
        let lab = try ClientLab()
        let asked = try lab.ask(["url": .string(server.url()), "stream": true])
        lab.turn { asked.events.count == 2 }
        #expect(asked.status == 200 && asked.events.last?.json == ["body": "one"])
        // The limit of the whole is none of a stream's.
        #expect(lab.pendingTimers.count == 0)
        next.comesTrue()
        lab.turn { asked.isOver }
        #expect(asked.events.suffix(2) == [.chunk(.text("two")), .completed])
    }

    @Test func `a stream is not held to the limit of a body`() throws {
        let body = String(repeating: "0123456789", count: 30_000)
        let server = try LoopbackServer.answering { _ in answer(body: body) }
        let lab = try ClientLab(.limited { $0.bodyBytes = 1_000 })
        let asked = try lab.answer(["url": .string(server.url()), "stream": true])
        #expect(asked.events.last == .completed)
        let text = asked.events.compactMap { event -> String? in
            if case .chunk(.text(let text)) = event { text } else { nil }
        }
        #expect(text.joined() == body)
    }

    @Test func `a stream may be given up from inside its own head`() throws {
        let isClosed = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
            connection.waitForEnd()
            isClosed.comesTrue()
        }
        let lab = try ClientLab()
        let asked = try lab.ask(["url": .string(server.url()), "stream": true])
        asked.onEvent = { _ in asked.cancel() }
        lab.turn { lab.client.openCount == 0 }
        #expect(isClosed.isTrue() && asked.events.count == 1)
    }

    @Test func `a stream that breaks off gives what came, then the failure`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        let asked = try ClientLab().answer(["url": .string(server.url()), "stream": true])
        #expect(asked.events.dropFirst().first == .chunk(.text("abc")))
        #expect(asked.error?.kind == .reset && asked.events.count == 3)
    }

    @Test func `a stream's own time counts to its end`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\nabc")
            connection.waitForEnd()
        }
        let asked = try ClientLab().answer([
            "url": .string(server.url()), "stream": true, "timeout": "40ms",
        ])
        #expect(asked.error?.kind == .timeout)
    }

    @Test func `a redirect on the way to a stream is not part of it`() throws {
        let server = try LoopbackServer.answering {
            $0.target == "/" ? answer(302, [("Location", "/x")], body: "no") : answer(body: "yes")
        }
        let asked = try ClientLab().answer(["url": .string(server.url()), "stream": true])
        #expect(asked.status == 200)
        #expect(asked.events.dropFirst() == [.chunk(.text("yes")), .completed])
        #expect(asked.events.first?.json["url"] == .string(server.url("/x")))
    }

    @Test func `characters are not cut, wherever the bytes are`() {
        let text = "aé€😀z"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var cutter = TextCutter()
            let pieces = [
                cutter.take(Array(bytes[..<cut])), cutter.take(Array(bytes[cut...])),
                cutter.finish(),
            ]
            #expect(pieces.joined().elementsEqual(bytes))
            for piece in pieces { #expect(String(validating: piece, as: UTF8.self) != nil) }
        }
    }

    @Test(arguments: [
        [0xFF], [0x80, 0x80, 0x80, 0x80], [0xF5, 0x80], [0xC1], [0x61, 0xE2, 0x82],
    ])
    func `what is no text does not wait for ever`(_ bytes: [UInt8]) {
        var cutter = TextCutter()
        #expect(cutter.take(bytes) + cutter.finish() == bytes)
        #expect(cutter.finish().isEmpty)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `base64 is what RFC 4648 says`(_ text: String, _ encoded: String) {
        #expect(Base64.text(Array(text.utf8)) == encoded)
    }
}
