// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

struct EnvelopeTests {
    @Test(arguments: [
        "1", "-1", "1.5", "1e3", #""a\"b""#, "null", #""""#, "0", "-0", "1.0",
        "123456789012345678901234567890", "1e999", #""\u0041""#, #""ünï""#,
    ])
    func `ids are echoed exactly`(_ id: String) {
        let front = Front()
        front.receive(#"{"jsonrpc":"2.0","method":"daemon.ping","id": \#(id) }"# + "\n")
        #expect(front.takeLines() == [#"{"jsonrpc":"2.0","result":{},"id":\#(id)}"#])
        front.receive(#"{"jsonrpc":"2.0","method":"refuse","id":\#(id)}"# + "\n")
        #expect(
            front.takeLines() == [
                #"{"jsonrpc":"2.0","error":{"code":-32013,"message":"not now","data":{"kind":"busy"}},"id":\#(id)}"#
            ])
    }

    @Test func `ids of any length are echoed`() {
        let front = Front()
        for length in Array(1...100) + [5000] {
            let id = "\"" + String(repeating: "x", count: length) + "\""
            front.receive(#"{"jsonrpc":"2.0","method":"daemon.ping","id":\#(id)}"# + "\n")
            #expect(front.takeLines() == [#"{"jsonrpc":"2.0","result":{},"id":\#(id)}"#])
        }
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"daemon\u002eping","id":1}"#,
        #"{"\u006asonrpc":"2.0","m\u0065thod":"daemon.ping","i\u0064":1}"#,
        #"{"jsonrpc":"2\u002e0","\u006d\u0065\u0074\u0068\u006f\u0064":"\u0064aemon.ping","id":1}"#,
        #"{"id":1,"params":{},"method":"daemon.ping","jsonrpc":"2.0"}"#,
        #"{"id":1,"params":[],"method":"daemon.ping","jsonrpc":"2.0"}"#,
        #"  {  "id" : 1 , "x":{"id":2}, "method" : "daemon.ping" , "jsonrpc" : "2.0" , "x":3 }  "#,
    ])
    func `a request is understood however it is written`(_ request: String) throws {
        let front = Front(
            Router([
                Method("daemon.ping", level: .read, doc: "", style: .byNameOrPosition) { _, reply in
                    reply.succeed()
                }
            ]))
        #expect(try front.answer(request) == [["jsonrpc": "2.0", "result": [:], "id": 1]])
    }

    struct Invalid {
        let request: String
        var id: JSONValue = 7
    }

    static let invalid = [
        Invalid(request: #"{"method":"daemon.ping","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.1","method":"daemon.ping","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.00","method":"daemon.ping","id":7}"#),
        Invalid(request: #"{"jsonrpc":2.0,"method":"daemon.ping","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":null,"id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":["daemon.ping"],"id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","params":null,"id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","params":1,"id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","params":"a","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","jsonrpc":"2.0","method":"daemon.ping","id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":"a","m\u0065thod":"daemon.ping","id":7}"#),
        Invalid(
            request: #"{"jsonrpc":"2.0","method":"daemon.ping","params":{},"params":{},"id":7}"#),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","id":7,"id":7}"#, id: nil),
        Invalid(
            request: #"{"jsonrpc":"2.0","method":"a","method":"a","id":7,"id":8}"#, id: nil),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","id":true}"#, id: nil),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","id":{}}"#, id: nil),
        Invalid(request: #"{"jsonrpc":"2.0","method":"daemon.ping","id":[7]}"#, id: nil),
        Invalid(request: #"{}"#, id: nil), Invalid(request: "1", id: nil),
        Invalid(request: #""daemon.ping""#, id: nil), Invalid(request: "null", id: nil),
    ]

    @Test(arguments: invalid)
    func `an invalid request is refused with the id as far as it is known`(
        _ example: Invalid
    ) throws {
        let front = Front()
        let answer = try #require(try front.answer(example.request).first)
        #expect(answer["error"]?["code"] == -32600)
        #expect(answer["error"]?["data"]?["kind"] == "invalidRequest")
        #expect(answer["error"]?["data"]?["detail"]?.string?.isEmpty == false)
        #expect(answer["id"] == example.id)
        #expect(front.seen.isEmpty)
    }

    @Test(arguments: [
        "{\"jsonrpc\":\"2.0\",\"method\":\"daemon.ping\",\"id\":\"\u{1}\"}", "{\"id\":7", "nope",
        "{\"jsonrpc\":\"2.0\",\"method\":\"daemon.ping\",\"id\":01}", "{\"a\":\"\\q\"}",
    ])
    func `a broken line is a parse error and the next line is served`(_ line: String) throws {
        let front = Front()
        let answers = try front.answer(line + "\n" + Request.ping(1))
        #expect(answers.count == 2)
        #expect(answers[0]["error"]?["code"] == -32700)
        #expect(answers[0]["id"] == .null)
        #expect(answers[1]["result"] == [:])
    }

    @Test(arguments: [1025, 10_000, 100_000])
    func `too deep a line is a parse error and the next line is served`(_ depth: Int) throws {
        let front = Front()
        let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let line = #"{"jsonrpc":"2.0","method":"echo","params":{"value":\#(nested)},"id":1}"#
        let answers = try front.answer(line + "\n" + Request.ping(2))
        #expect(answers.map { $0["id"] } == [.null, 2])
        #expect(answers[0]["error"]?["code"] == -32700)
        #expect(answers[0]["error"]?["data"]?["detail"]?.string?.contains("1024") == true)
    }

    @Test func `bytes that are not UTF-8 are a parse error that says so`() throws {
        let front = Front()
        front.receive(
            Array(#"{"jsonrpc":"2.0","method":"x","id":""#.utf8) + [0xFF, 0x22, 0x7D, 0x0A])
        let answers = try front.takeValues()
        #expect(answers[0]["error"]?["data"]?["detail"] == "the text is not UTF-8")
    }
}

/// Request texts that many tests use.
enum Request {
    static func ping(_ id: Int) -> String { call("daemon.ping", id) }

    static func call(_ method: String, _ id: Int, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params),"id":\#(id)}"#
    }

    static func notify(_ method: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)"}"#
    }
}
