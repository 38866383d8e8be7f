// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

/// The client's side: what it sends, and what it makes of the lines that come back.
struct ServerMessageTests {
    private func read(_ line: String) throws -> String {
        var decoder = FrameDecoder(limit: 1000)
        Array((line + "\n").utf8).withUnsafeBytes { decoder.append($0) }
        guard case .frame(let frame) = decoder.next() else { return "no line" }
        switch try ServerMessage(frame, validator: JSONValidator()) {
        case .result(let id, let raw): return "\(id) = \(JSONValue(raw))"
        case .error(let id, let raw): return "\(id.map(String.init) ?? "?") ! \(JSONValue(raw))"
        case .notification(let method, let params):
            return "\(method.string) \(params.map { JSONValue($0).text } ?? "-")"
        }
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","result":{"a":1},"id":7}"#, #"7 = {"a":1}"#),
        (#"{"id":-1,"result":null,"jsonrpc":"2.0"}"#, "-1 = null"),
        (#"{"jsonrpc":"2.0","error":{"code":-32601},"id":7}"#, #"7 ! {"code":-32601}"#),
        (#"{"jsonrpc":"2.0","error":{"code":-32700},"id":null}"#, #"? ! {"code":-32700}"#),
        (
            #"{"jsonrpc":"2.0","method":"stream\u002eevent","params":{"at":1}}"#,
            #"stream.event {"at":1}"#
        ),
        (#"{"jsonrpc":"2.0","method":"x"}"#, "x -"),
    ])
    func `lines are told apart`(_ line: String, _ message: String) throws {
        #expect(try read(line) == message)
    }

    @Test(arguments: [
        "1", "[]", "{}", #"{"result":1}"#, #"{"result":1,"id":"a"}"#, #"{"error":1,"id":1}"#,
    ])
    func `JSON that is no answer is a fault`(_ line: String) {
        #expect(throws: JSONFault.syntax) { try read(line) }
    }

    @Test func `a broken line is a fault`() {
        #expect(throws: JSONFault.self) { try read("{\"result\"") }
    }

    @Test func `a request line is served`() throws {
        let front = Front()
        var writer = JSONWriter()
        writer.request(id: 5, method: "echo", params: ["value": "a\nb"])
        writer.request(id: 6, method: "daemon.ping")
        writer.notification(method: "daemon.ping") { $0.object { _ in } }
        front.receive(Array(writer.bytes))
        let lines = front.takeLines()
        #expect(front.seen == ["echo", "ping", "ping"])
        #expect(try lines.map(read) == [#"5 = {"value":"a\nb"}"#, "6 = {}"])
    }
}
