// SPDX-License-Identifier: Apache-2.0
import JSONRPC
import Testing

/// Parameters as handlers read them.
struct ParamsTests {
    enum Overflow: String, CaseIterable { case gap, close }

    private static let parameters: [Parameter] = [
        .required("instance", .string, ""), .optional("count", .integer, ""),
        .optional("ratio", .number, ""), .optional("flag", .boolean, ""),
        .optional("wait", .duration, ""), .optional("until", .object, ""),
        .optional("list", .array, ""), .optional("value", .any, ""),
        .optional("overflow", .choice(["gap", "close"]), ""), .optional("a/b~c", .integer, ""),
    ]

    /// The answer of a method that reads with `read`.
    private func answer(
        _ params: String, style: ParameterStyle = .byName,
        _ read: @escaping (borrowing Params) throws(RPCError) -> JSONValue = { _ in "done" }
    ) throws -> JSONValue {
        let front = Front(
            Router([
                Method("m", level: .read, doc: "", parameters: Self.parameters, style: style) {
                    call, reply throws(RPCError) in
                    call.context.seen.append("m")
                    let value = try read(call.params)
                    reply.succeed { value.write(to: &$0) }
                }
            ]))
        let answer = try #require(try front.answer(Request.call("m", 1, params)).first)
        return answer["result"] ?? answer["error"] ?? nil
    }

    @Test func `every kind of parameter is read`() throws {
        let params = #"""
            {"instance":"i\u0031","count":-9223372036854775808,"ratio":0.5,"flag":true,"wait":"1.5s",
            "until":{"count":3},"list":[1,"b"],"value":null,"overflow":"close"}
            """#.replacing("\n", with: "")
        let result = try answer(params) { params throws(RPCError) in
            let until = try params.required("until").object()
            try until.finish(["count"])
            let list = try params.required("list").array()
            return [
                "instance": .string(try params.required("instance").string()),
                "bytes": .int(
                    Int64(try params.required("instance").plainStringBytes()?.count ?? -1)),
                "count": .int(try params.required("count").int64()),
                "ratio": .double(try params.required("ratio").double()),
                "flag": .bool(try params.required("flag").bool()),
                "wait": .int(try params.required("wait").duration()),
                "until": .int(Int64(try until.required("count").int(in: 1...3))),
                "list": [
                    .int(try list[0].int64()), .string(try list[1].string()),
                ],
                "value": try params.required("value").value(),
                "optional": .bool(params.optional("value") == nil),
                "overflow": .string(
                    try params.required("overflow").choice(of: Overflow.self).rawValue),
            ]
        }
        #expect(
            result == [
                "instance": "i1", "bytes": 2, "count": .int(.min), "ratio": 0.5, "flag": true,
                "wait": 1_500_000_000, "until": 3, "list": [1, "b"], "value": nil, "optional": true,
                "overflow": "close",
            ])
    }

    struct Refusal {
        let params: String
        let pointer: String
        var expected = ""
        var suggestion: JSONValue?
    }

    static let refusedByRouter = [
        Refusal(params: "{}", pointer: "/instance"),
        Refusal(params: #"{"instanc":"a"}"#, pointer: "/instanc", suggestion: "instance"),
        Refusal(params: #"{"instance":"a","cuont":1}"#, pointer: "/cuont", suggestion: "count"),
        Refusal(params: #"{"instance":"a","zzzzzzzz":1}"#, pointer: "/zzzzzzzz"),
        Refusal(params: #"{"instance":"a","instance":"a"}"#, pointer: "/instance"),
        Refusal(params: #"{"instance":"a","inst\u0061nce":"a"}"#, pointer: "/instance"),
        Refusal(params: #"{"instance":"a","x/y~z":1}"#, pointer: "/x~1y~0z"),
        Refusal(params: #"["a"]"#, pointer: "", expected: "parameters by name, in an object"),
    ]

    @Test(arguments: refusedByRouter)
    func `wrong names are refused before the method runs`(_ refusal: Refusal) throws {
        let error = try answer(refusal.params) { _ in
            Issue.record("the method ran")
            return nil
        }
        #expect(error["code"] == -32602)
        #expect(error["data"]?["kind"] == "invalidParams")
        #expect(error["data"]?["pointer"] == .string(refusal.pointer))
        #expect(error["data"]?["suggestion"] == refusal.suggestion)
        #expect(error["data"]?["expected"]?.string?.contains(refusal.expected) == true)
    }

    @Test func `positions follow the order of declaration where a method allows them`() throws {
        let result = try answer(#"["i1",5]"#, style: .byNameOrPosition) { params throws(RPCError) in
            [
                .string(try params.required("instance").string()),
                .int(try params.required("count").int64()),
            ]
        }
        #expect(result == ["i1", 5])
        let many = try answer(
            "[\(Array(repeating: "1", count: 11).joined(separator: ","))]",
            style: .byNameOrPosition)
        #expect(many["data"]?["pointer"] == "/10")
        #expect(try answer("[]", style: .byNameOrPosition)["data"]?["pointer"] == "/instance")
    }

    @Test func `a value of the wrong type is refused with its pointer and what was expected`()
        throws
    {
        typealias Read = (borrowing Params) throws(RPCError) -> Void
        let cases: [(String, String, String, Read)] = [
            (
                #""instance":1"#, "/instance", "a string",
                { p throws(RPCError) in _ = try p.required("instance").string() }
            ),
            (
                #""instance":"","count":1.0"#, "/count", "an integer",
                { p throws(RPCError) in _ = try p.required("count").int64() }
            ),
            (
                #""instance":"","count":9223372036854775808"#, "/count", "an integer",
                { p throws(RPCError) in _ = try p.required("count").int64() }
            ),
            (
                #""instance":"","count":11"#, "/count", "from 1 to 10",
                { p throws(RPCError) in _ = try p.required("count").int(in: 1...10) }
            ),
            (
                #""instance":"","ratio":1e999"#, "/ratio", "double",
                { p throws(RPCError) in _ = try p.required("ratio").double() }
            ),
            (
                #""instance":"","flag":0"#, "/flag", "true or false",
                { p throws(RPCError) in _ = try p.required("flag").bool() }
            ),
            (
                #""instance":"","wait":-1"#, "/wait", "nanoseconds",
                { p throws(RPCError) in _ = try p.required("wait").duration() }
            ),
            (
                #""instance":"","wait":"soon""#, "/wait", "nanoseconds",
                { p throws(RPCError) in _ = try p.required("wait").duration() }
            ),
            (
                #""instance":"","until":[]"#, "/until", "an object",
                { p throws(RPCError) in _ = try p.required("until").object() }
            ),
            (
                #""instance":"","until":{"count":"x"}"#, "/until/count", "an integer",
                { p throws(RPCError) in
                    _ = try p.required("until").object().required("count").int64()
                }
            ),
            (
                #""instance":"","until":{"cuont":1}"#, "/until/cuont", "count",
                { p throws(RPCError) in try p.required("until").object().finish(["count"]) }
            ),
            (
                #""instance":"","until":{}"#, "/until", "count",
                { p throws(RPCError) in _ = try p.required("until").object().required("count") }
            ),
            (
                #""instance":"","list":{}"#, "/list", "an array",
                { p throws(RPCError) in _ = try p.required("list").array() }
            ),
            (
                #""instance":"","list":[1,"x"]"#, "/list/1", "an integer",
                { p throws(RPCError) in
                    for a in try p.required("list").array() { _ = try a.int64() }
                }
            ),
            (
                #""instance":"","overflow":"gpa""#, "/overflow", "\"gap\" or \"close\"",
                { p throws(RPCError) in _ = try p.required("overflow").choice(of: Overflow.self) }
            ),
            (
                #""instance":"","a/b~c":"x""#, "/a~1b~0c", "an integer",
                { p throws(RPCError) in _ = try p.required("a/b~c").int64() }
            ),
            (
                #""instance":"""#, "/count", "a value",
                { p throws(RPCError) in _ = try p.required("count") }
            ),
        ]
        for (params, pointer, expected, read) in cases {
            let error = try answer("{\(params)}") { params throws(RPCError) in
                try read(params)
                return nil
            }
            #expect(error["code"] == -32602, "\(params)")
            #expect(error["data"]?["pointer"] == .string(pointer), "\(params)")
            #expect(error["data"]?["expected"]?.string?.contains(expected) == true, "\(params)")
        }
    }

    @Test func `a mistyped choice is told the nearest word`() throws {
        let error = try answer(#"{"instance":"","overflow":"gpa"}"#) { params throws(RPCError) in
            _ = try params.required("overflow").choice(of: Overflow.self)
            return nil
        }
        #expect(error["data"]?["suggestion"] == "gap")
    }
}
