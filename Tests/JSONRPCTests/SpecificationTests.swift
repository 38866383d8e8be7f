// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

/// Section 7 of the JSON-RPC 2.0 specification, example by example. Errors carry `data` besides what
/// is printed there, which the specification allows.
struct SpecificationTests {
    struct Example: CustomTestStringConvertible {
        let name: String
        let request: String
        let response: String?
        var testDescription: String { name }
    }

    static let examples = [
        Example(
            name: "positional parameters",
            request: #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
            response: #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#),
        Example(
            name: "positional parameters, swapped",
            request: #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
            response: #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#),
        Example(
            name: "named parameters",
            request: #"""
                {"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}
                """#,
            response: #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#),
        Example(
            name: "named parameters, swapped",
            request: #"""
                {"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}
                """#,
            response: #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#),
        Example(
            name: "a notification",
            request: #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#,
            response: nil),
        Example(
            name: "a notification of a method that does not exist",
            request: #"{"jsonrpc": "2.0", "method": "foobar"}"#, response: nil),
        Example(
            name: "a method that does not exist",
            request: #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
            response: #"""
                {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "1"}
                """#),
        Example(
            name: "invalid JSON",
            request: #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
            response: #"""
                {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}
                """#),
        Example(
            name: "an invalid request",
            request: #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
            response: #"""
                {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
                """#),
        Example(
            name: "a batch of invalid JSON",
            request: #"""
                [ {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0", "method"]
                """#,
            response: #"""
                {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}, "id": null}
                """#),
        Example(
            name: "an empty batch", request: "[]",
            response: #"""
                {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}
                """#),
        Example(
            name: "an invalid batch, not empty", request: "[1]",
            response: #"""
                [{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]
                """#),
        Example(
            name: "an invalid batch", request: "[1,2,3]",
            response: #"""
                [{"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                 {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null}]
                """#),
        Example(
            name: "a batch",
            request: #"""
                [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
                {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
                {"foo": "boo"},
                {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
                {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
                """#,
            response: #"""
                [{"jsonrpc": "2.0", "result": 7, "id": "1"},
                {"jsonrpc": "2.0", "result": 19, "id": "2"},
                {"jsonrpc": "2.0", "error": {"code": -32600, "message": "Invalid Request"}, "id": null},
                {"jsonrpc": "2.0", "error": {"code": -32601, "message": "Method not found"}, "id": "5"},
                {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]
                """#),
        Example(
            name: "a batch of notifications",
            request: #"""
                [{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
                {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]
                """#,
            response: nil),
    ]

    @Test(arguments: examples)
    func `the specification's examples are answered as printed`(_ example: Example) throws {
        let front = Front(Self.makeRouter())
        // The specification breaks its longer texts into lines for print.
        let line = example.request.replacing("\n", with: " ")
        let answers = try front.answer(line).map(Self.withoutData)
        let expected = try example.response.map { [try JSONValue(parsing: $0)] } ?? []
        #expect(answers == expected)
    }

    @Test func `every error of the examples names its kind`() throws {
        let front = Front(Self.makeRouter())
        let errors = try front.answer(#"[1,{"jsonrpc":"2.0","method":"foobar","id":1}]"#)
        #expect(errors[0][0]?["error"]?["data"]?["kind"] == "invalidRequest")
        #expect(errors[0][1]?["error"]?["data"]?["kind"] == "methodNotFound")
        let parse = try front.answer("{")
        #expect(parse[0]["error"]?["data"]?["kind"] == "parseError")
    }

    private static func withoutData(_ value: JSONValue) -> JSONValue {
        if let elements = value.array { return .array(elements.map(withoutData)) }
        var value = value
        if var error = value["error"] {
            error["data"] = nil
            value["error"] = error
        }
        return value
    }

    private static func makeRouter() -> Router<Front> {
        Front.makeRouter([
            method("subtract", ["minuend", "subtrahend"]) { $0.append($1[0] - $1[1]) },
            method("sum", ["a", "b", "c"]) { $0.append($1.reduce(0, +)) },
            method("update", ["a", "b", "c", "d", "e"]) { writer, _ in writer.append("{}") },
            method("notify_hello", ["a"]) { writer, _ in writer.append("{}") },
            method("notify_sum", ["a", "b", "c"]) { writer, _ in writer.append("{}") },
            method("get_data", []) { writer, _ in writer.append(#"["hello",5]"#) },
        ])
    }

    private static func method(
        _ name: StaticString, _ parameters: [StaticString],
        _ write: @escaping (inout JSONWriter, [Int64]) -> Void
    ) -> Method<Front> {
        Method(
            name, level: .read, doc: "", parameters: parameters.map { .required($0, .integer, "") },
            style: .byNameOrPosition
        ) { call, reply throws(RPCError) in
            var numbers: [Int64] = []
            for name in parameters { numbers.append(try call.params.required(name).int64()) }
            reply.succeed { write(&$0, numbers) }
        }
    }
}
