// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import Testing

@Suite struct `A client` {
    let server = FakeServer()
    var client: Client { server.client }

    @Test func `writes a request and takes its answer`() throws {
        server.answer(1, ["now": 5])
        let result = try client.call("clock.now", ["instance": "i1"])
        #expect(result == ["now": 5])
        #expect(
            server.received()
                == #"{"jsonrpc":"2.0","id":1,"method":"clock.now","params":{"instance":"i1"}}"#
                + "\n")
    }

    @Test func `takes answers in any order`() throws {
        let first = try client.begin("a")
        let second = try client.begin("b")
        server.answer(second, ["b": 2])
        server.answer(first, ["a": 1])
        #expect(try client.answer(to: first) == ["a": 1])
        #expect(try client.answer(to: second) == ["b": 2])
    }

    @Test func `keeps what comes between call and answer, in order`() throws {
        server.notify("stream.event", ["value": 1])
        server.notify("stream.event", ["value": 2])
        server.answer(1)
        server.notify("stream.event", ["value": 3])
        _ = try client.call("instance.send")
        let values = try (0..<3).map { _ in
            try client.nextNotification(until: .now)?.params["value"]?.int
        }
        #expect(values == [1, 2, 3])
        #expect(try client.nextNotification(until: .now) == nil)
    }

    @Test func `tells an error with all that the daemon said of it`() throws {
        server.write(
            #"{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no instance has this name","#
                + #""data":{"kind":"unknownInstance","suggestion":"i1"}}}"# + "\n")
        let error = #expect(throws: ClientError.self) { try client.call("instance.read") }
        guard case .refused(let refusal, let method)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.kind == .unknownInstance)
        #expect(refusal.suggestion == "i1")
        #expect(method == "instance.read")
    }

    @Test func `takes an error without an id for its only open call`() throws {
        server.write(
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"# + "\n")
        let error = #expect(throws: ClientError.self) { try client.call("x") }
        guard case .refused(let refusal, "x")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == -32700)
    }

    @Test func `takes a refusal that crossed its call on the way for the answer`() throws {
        server.write(
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32008,"message":"turned away"}}"# + "\n")
        server.hangUp()
        let error = #expect(throws: ClientError.self) { try client.call("x") }
        guard case .refused(let refusal, "x")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.code == -32008)
    }

    @Test func `gives up at its deadline, and lets the late answer go`() throws {
        #expect(throws: ClientError.timeout("slow")) {
            try client.call("slow", timeout: .zero)
        }
        server.answer(1, ["late": true])
        server.answer(2, ["fresh": true])
        #expect(try client.call("next") == ["fresh": true])
    }

    @Test func `gives up at its deadline where a call cannot be sent, and ends there`() throws {
        let long = JSONValue.string(String(repeating: "x", count: 8 << 20))
        #expect(throws: ClientError.timeout("long")) {
            try client.call("long", ["text": long], timeout: .zero)
        }
        #expect(throws: ClientError.timeout("long")) { try client.nextNotification() }
    }

    @Test func `can ask again for an answer that was not there yet`() throws {
        let id = try client.begin("slow")
        #expect(try client.answer(to: id, until: .now) == nil)
        server.answer(id, ["done": true])
        #expect(try client.answer(to: id, until: .now) == ["done": true])
    }

    @Test func `says that the server hung up`() throws {
        server.hangUp()
        #expect(throws: ClientError.self) { try client.call("daemon.ping") }
    }

    @Test func `says that a line was cut off`() throws {
        server.write(#"{"jsonrpc":"2.0","id":1,"resu"#)
        server.hangUp()
        let id = try? client.begin("daemon.ping")
        #expect(throws: ClientError.closed("in the middle of a line")) {
            try client.answer(to: id ?? 1)
        }
    }

    @Test func `gives out what came before the end, then the end`() throws {
        server.notify("stream.event", ["value": 1])
        server.notify("stream.closed", ["reason": "stopping"])
        server.hangUp()
        #expect(try client.nextNotification()?.method == "stream.event")
        #expect(try client.nextNotification()?.method == "stream.closed")
        #expect(throws: ClientError.closed(nil)) { try client.nextNotification() }
        #expect(throws: ClientError.closed(nil)) { try client.nextNotification() }
    }

    @Test(arguments: [
        ("HTTP/1.1 400 Bad Request\r\n", "\"HTTP/1.1 400 Bad Request\""),
        ("\u{1B}[2Jboo\n", "\"?[2Jboo\""),
        (#"{"jsonrpc":"2.0"}"# + "\n", "\"{\"jsonrpc\":\"2.0\"}\""),
        (#"{"jsonrpc":"2.0","id":"one","result":{}}"# + "\n", nil),
    ])
    func `does not understand what is no answer`(line: String, quoted: String?) throws {
        server.write(line)
        let error = #expect(throws: ClientError.self) { try client.call("daemon.ping") }
        guard case .notUnderstood(let text)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        if let quoted { #expect(text == quoted) }
    }

    @Test func `ignores answers that nobody waits for`() throws {
        server.answer(77)
        server.answer(1, ["ok": true])
        #expect(try client.call("x") == ["ok": true])
    }

    @Test func `names every path that it tried`() throws {
        let paths = [
            SocketPath("/nonexistent/user.sock", .runtimeDirectory),
            SocketPath("/nonexistent/system.sock", .system),
        ]
        #expect(
            throws: ClientError.cannotConnect([
                FailedAttempt(paths[0], .absent), FailedAttempt(paths[1], .absent),
            ])
        ) { try Client.connect(to: paths) }
    }

    @Test func `refuses a path that no socket can have`() throws {
        let path = SocketPath("/" + String(repeating: "a", count: 108), .option)
        #expect(throws: ClientError.cannotConnect([FailedAttempt(path, .pathTooLong)])) {
            try Client.connect(to: [path])
        }
    }

    @Test func `stops at the first path that exists, whatever is wrong with it`() throws {
        let paths = [SocketPath("/dev/null", .runtimeDirectory), SocketPath("/x", .system)]
        let error = #expect(throws: ClientError.self) { try Client.connect(to: paths) }
        guard case .cannotConnect(let attempts)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(attempts.map(\.path.path) == ["/dev/null"])
    }
}
