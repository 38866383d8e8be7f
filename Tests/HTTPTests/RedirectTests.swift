// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

@testable import HTTP

@Suite struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect is followed, and the answer says from where it is`(_ status: Int) throws {
        let server = try LoopbackServer.answering {
            $0.target == "/a/from"
                ? answer(status, [("Location", "../to?x=1")], body: "moved")
                : answer(body: $0.target)
        }
        let asked = try ClientLab().answer(["url": .string(server.url("/a/from"))])
        #expect(asked.text == "/to?x=1")
        #expect(asked.events.first?.json["url"] == .string(server.url("/to?x=1")))
        #expect(server.connections == 1)
    }

    @Test(arguments: [
        (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "PUT", "GET", ""),
        (307, "POST", "POST", "b"), (308, "PUT", "PUT", "b"), (302, "PUT", "PUT", "b"),
        (303, "HEAD", "HEAD", ""),
    ])
    func `method and body go on where they should`(
        _ status: Int, _ method: String, _ after: String, _ body: String
    ) throws {
        let server = try LoopbackServer.answering {
            $0.target == "/from"
                ? "HTTP/1.1 \(status) M\r\nContent-Length: 0\r\nLocation: /to\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        var request: JSONValue = [
            "url": .string(server.url("/from")), "method": .string(method),
            "headers": ["Content-Type": "text/x"],
        ]
        if method != "HEAD" { request["body"] = "b" }
        _ = try ClientLab().answer(request)
        let last = try #require(server.requests.last)
        #expect(last.target == "/to" && last.method == after && last.body == body)
        #expect((last.header("content-type") == nil) == (after == "GET"))
    }

    @Test func `secrets stay with the origin they were meant for`() throws {
        let other = try LoopbackServer.answering { _ in answer(body: "there") }
        let there = other.url("/there")
        let server = try LoopbackServer.answering {
            $0.target == "/1"
                ? answer(302, [("Location", "/2")]) : answer(302, [("Location", there)])
        }
        var settings = HTTPClient.Settings()
        settings.secretFields = ["x-key"]
        let asked = try ClientLab(settings).answer([
            "url": .string(server.url("/1")),
            "headers": ["Authorization": "t", "Cookie": "c", "X-Key": "k", "X-Open": "o"],
        ])
        #expect(asked.text == "there")
        #expect(server.requests.map { $0.header("authorization") } == ["t", "t"])
        let last = try #require(other.requests.last)
        #expect(last.header("authorization") == nil && last.header("cookie") == nil)
        #expect(last.header("x-key") == nil && last.header("x-open") == "o")
    }

    @Test func `a circle ends at the bound, and a request may set its own`() throws {
        let server = try LoopbackServer.answering { _ in answer(302, [("Location", "/")]) }
        let lab = try ClientLab(.limited { $0.redirects = 3 })
        let error = try lab.answer(["url": .string(server.url())]).error
        #expect(error?.kind == .redirect && error?.message.contains("more than 3 times") == true)
        #expect(server.requests.count == 4)
        #expect(
            try lab.answer(["url": .string(server.url()), "redirects": 1]).error?.kind == .redirect)
        #expect(server.requests.count == 6)
        let asked = try lab.answer(["url": .string(server.url()), "redirects": 0])
        #expect(asked.status == 302 && asked.events.first?.json["url"] == nil)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "http://", "javascript:x"])
    func `a redirect to what is not HTTP is not followed`(_ location: String) throws {
        let server = try LoopbackServer.answering { _ in answer(302, [("Location", location)]) }
        let asked = try ClientLab().answer(["url": .string(server.url())])
        #expect(asked.error?.kind == .redirect, "\(asked.events)")
    }

    @Test func `a redirect that says not where is an answer`() throws {
        let server = try LoopbackServer.answering { _ in answer(302, body: "somewhere") }
        #expect(try ClientLab().answer(["url": .string(server.url())]).text == "somewhere")
    }

    @Test func `from https to http is never followed, the other way is`() throws {
        let head = HTTPHead(status: 302, fields: [HTTPField("Location", "http://h/x")])
        let secure = HTTPCall(address: try HTTPAddress("https://h/"))
        let error = #expect(throws: HTTPError.self) {
            try Redirect.next(secure, after: head, followed: 0, limit: 5, secretFields: [])
        }
        #expect(error?.kind == .redirect && error?.message.contains("https to http") == true)
        let open = HTTPCall(address: try HTTPAddress("http://h/"))
        let back = HTTPHead(status: 302, fields: [HTTPField("location", "https://h/x")])
        let next = try Redirect.next(open, after: back, followed: 0, limit: 5, secretFields: [])
        #expect(next.address.text == "https://h/x")
    }
}
