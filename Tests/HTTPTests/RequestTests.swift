// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

/// What goes over the wire, there and back.
@Suite struct RequestTests {
    @Test func `a GET asks for the path and gives status, headers and body`() throws {
        let server = try LoopbackServer.answering { _ in
            answer(
                201, [("Content-Type", "text/plain"), ("X-Two", "a"), ("x-two", "b")], body: "ü!")
        }
        let asked = try ClientLab().answer(["url": .string(server.url("/a/b?c=d#e"))])
        #expect(asked.events.count == 1)
        #expect(
            asked.events.first?.json == [
                "status": 201,
                "headers": ["content-length": "3", "content-type": "text/plain", "x-two": "a, b"],
                "body": "ü!",
            ])
        let request = try #require(server.requests.first)
        #expect(request.method == "GET" && request.target == "/a/b?c=d")
        #expect(request.header("user-agent")?.hasPrefix("marbled/") == true)
        #expect(request.body.isEmpty && request.header("content-length") == nil)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "PROPFIND"])
    func `a body goes with any method, and nothing is said of it that was not asked`(
        _ method: String
    ) throws {
        let server = try LoopbackServer.answering { answer(body: $0.method + $0.body) }
        let asked = try ClientLab().answer([
            "url": .string(server.url()), "method": .string(method), "body": "{\"a\":\"ü\\u0000\"}",
        ])
        #expect(asked.text == method + "{\"a\":\"ü\\u0000\"}")
        let request = try #require(server.requests.first)
        #expect(request.header("content-type") == nil && request.header("expect") == nil)
        #expect(request.header("content-length") == "16")
    }

    @Test func `a POST without a body says that it has none`() throws {
        let server = try LoopbackServer.answering { _ in answer(body: "ok") }
        let asked = try ClientLab().answer(["url": .string(server.url()), "method": "POST"])
        #expect(asked.text == "ok")
        #expect(server.requests.first?.header("content-length") == "0")
    }

    @Test func `a HEAD has a head and an empty body`() throws {
        let server = try LoopbackServer.answering { _ in
            "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
        }
        let asked = try ClientLab().answer(["url": .string(server.url()), "method": "HEAD"])
        #expect(asked.status == 200 && asked.text == "")
    }

    @Test func `header fields go as they are, the empty one too`() throws {
        let server = try LoopbackServer.answering { _ in answer() }
        _ = try ClientLab().answer([
            "url": .string(server.url()), "headers": ["X-A": "b: c", "X-Empty": "", "Accept": "*"],
        ])
        let request = try #require(server.requests.first)
        #expect(request.header("x-a") == "b: c" && request.header("accept") == "*")
        #expect(request.header("x-empty") == "")
    }

    @Test func `a body of a megabyte goes and comes without asking leave`() throws {
        let server = try LoopbackServer.answering { answer(body: $0.body) }
        let body = String(repeating: "0123456789abcdef", count: 1 << 17)
        let asked = try ClientLab().answer([
            "url": .string(server.url()), "method": "POST", "body": .string(body),
        ])
        #expect(asked.text == body)
    }

    @Test func `cookies of one answer stay apart, and an interim head is none`() throws {
        let server = try LoopbackServer.answering { _ in
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                + answer(404, [("Set-Cookie", "a=1, 2"), ("Set-Cookie", "b=3")])
        }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.status == 404)
        let headers = asked.events.first?.json["headers"]
        #expect(headers?["set-cookie"] == "a=1, 2\nb=3" && headers?["link"] == nil)
    }

    @Test func `a body that is not UTF-8 comes as base64`() throws {
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.0 200 OK\r\n\r\n")
            connection.write([0xFF, 0x00, 0xFE, 0x61])
        }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.events.first?.json["base64"] == "/wD+YQ==")
        #expect(asked.events.first?.json["body"] == nil)
    }

    @Test func `answers in chunks are put together`() throws {
        let server = try LoopbackServer.answering { _ in
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "3\r\nabc\r\n2;ext=1\r\nde\r\n0\r\nX-Trailer: y\r\n\r\n"
        }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.text == "abcde")
        #expect(asked.events.first?.json["headers"]?["x-trailer"] == nil)
    }

    @Test func `a connection is used again`() throws {
        let server = try LoopbackServer.answering { answer(body: $0.target) }
        let lab = try ClientLab()
        for number in 0..<5 {
            #expect(try lab.answer(["url": .string(server.url("/\(number)"))]).text == "/\(number)")
        }
        #expect(server.connections == 1 && server.requests.count == 5)
    }

    @Test func `a connection that the server has closed meanwhile is made anew`() throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(answer(body: "once"))
        }
        let lab = try ClientLab()
        #expect(try lab.answer(["url": .string(server.url())]).text == "once")
        #expect(try lab.answer(["url": .string(server.url())]).text == "once")
        #expect(server.connections == 2)
    }

    private static let wrong: [(request: String, hint: String)] = [
        (#"{"method": "GET"}"#, "\"url\" is missing"), (#"{"url": 5}"#, "\"url\" is missing"),
        (#""x""#, "an object"), ("null", "an object"),
        (#"{"url": "/relative"}"#, "absolute"), (#"{"url": ""}"#, "absolute"),
        (#"{"url": "http://a b/"}"#, "%20"), (#"{"url": "http://h/a\nb"}"#, "control"),
        (#"{"url": "http://h/\u0000"}"#, "control"), (#"{"url": "http:///path"}"#, "no host"),
        (#"{"url": "http:/path"}"#, "no host"),
        (#"{"url": "file:///etc/passwd"}"#, "scheme is file"),
        (#"{"url": "gopher://h/"}"#, "scheme is gopher"),
        (#"{"url": "http://h/", "metod": "GET"}"#, "no \"metod\""),
        (#"{"url": "http://h/", "method": "G T"}"#, "method"),
        (#"{"url": "http://h/", "method": ""}"#, "method"),
        (#"{"url": "http://h/", "method": "CONNECT"}"#, "method"),
        (#"{"url": "http://h/", "method": "GET\r\nX: y"}"#, "method"),
        (#"{"url": "http://h/", "headers": {"a": "b\r\nc: d"}}"#, "line end"),
        (#"{"url": "http://h/", "headers": {"a b": "c"}}"#, "a name that is none"),
        (#"{"url": "http://h/", "headers": {"": "c"}}"#, "a name that is none"),
        (#"{"url": "http://h/", "headers": {"a": 5}}"#, "no text"),
        (#"{"url": "http://h/", "headers": {"Content-Length": "5"}}"#, "the client does itself"),
        (
            #"{"url": "http://h/", "headers": {"transfer-encoding": "chunked"}}"#,
            "the client does itself"
        ),
        (#"{"url": "http://h/", "headers": ["a"]}"#, "object of texts"),
        (#"{"url": "http://h/", "body": 5}"#, "\"body\" is no text"),
        (#"{"url": "http://h/", "timeout": 0}"#, "above zero"),
        (#"{"url": "http://h/", "timeout": "soon"}"#, "duration"),
        (#"{"url": "http://h/", "connectTimeout": -1}"#, "above zero"),
        (#"{"url": "http://h/", "redirects": 101}"#, "0 to 100"),
        (#"{"url": "http://h/", "stream": 1}"#, "neither true nor false"),
    ]

    @Test(arguments: wrong)
    func `a request that is none is refused with what would be right`(
        _ request: String, _ hint: String
    ) throws {
        let request = try JSONValue(parsing: request)
        let error = #expect(throws: HTTPError.self) { try HTTPCall(request) }
        #expect(error?.kind == .badRequest)
        #expect(error?.message.contains(hint) == true, "\(error?.message ?? "")")
    }

    @Test func `a header's value is never said in a complaint about it`() {
        let error = #expect(throws: HTTPError.self) {
            try HTTPCall(["url": "http://h/", "headers": ["authorization": "s3cret\n"]])
        }
        #expect(error?.message.contains("s3cret") == false)
    }
}
