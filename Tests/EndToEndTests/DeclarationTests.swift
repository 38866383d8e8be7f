// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// That every method answers what it declares: what `rpc.discover` says is compared with real answers.
@Suite("Declarations")
struct DeclarationTests {
    /// A call of each method that must succeed, in an order in which they do.
    private static let calls: [(String, String)] = [
        ("daemon.hello", #"{"require":["streams"],"want":["flying"]}"#), ("daemon.ping", "{}"),
        ("daemon.status", "{}"), ("daemon.clients", "{}"),
        ("daemon.setLogLevel", #"{"level":"error"}"#), ("daemon.reload", "{}"),
        ("rpc.discover", "{}"), ("rpc.cancel", #"{"id":"nobody"}"#), ("plugin.list", "{}"),
        ("plugin.reload", #"{"plugin":"PLUGIN"}"#), ("plugin.retire", #"{"plugin":"PLUGIN"}"#),
        ("plugin.load", #"{"manifest":"FOLDER/PLUGIN.plugin.json"}"#), ("feature.list", "{}"),
        ("feature.describe", #"{"feature":"find-number"}"#),
        (
            "instance.open",
            """
            {"feature":"find-number","clock":"virtual","name":"game","seed":1,"options":{"source":"http"},\
            "stubs":[{"http":"*","reply":{"json":[1],"release":"later"}}]}
            """
        ),
        ("instance.list", "{}"), ("instance.inspect", #"{"instance":"game"}"#),
        (
            "instance.send",
            #"{"instance":"game","input":"gameStart","collect":true}"#
        ),
        ("instance.read", #"{"instance":"game","output":"round"}"#),
        (
            "instance.await",
            #"{"instance":"game","output":"error","until":"first","timeout":"1ms"}"#
        ),
        ("instance.record", #"{"instance":"game"}"#),
        ("stream.subscribe", #"{"instance":"game","output":"*"}"#), ("stream.flush", "{}"),
        ("stream.unsubscribe", #"{"subscription":"s1"}"#), ("clock.now", #"{"instance":"game"}"#),
        ("clock.next", #"{"instance":"game"}"#),
        ("clock.advance", #"{"instance":"game","by":"1ms"}"#),
        ("stub.release", #"{"instance":"game","name":"later"}"#),
        ("clock.step", #"{"instance":"game"}"#), ("clock.run", #"{"instance":"game"}"#),
        ("stub.set", #"{"instance":"game","stubs":[]}"#),
        ("stub.calls", #"{"instance":"game"}"#), ("record.text", #"{"instance":"game"}"#),
        ("record.replay", #"{"record":"RECORD"}"#),
        ("scenario.run", #"{"scenario":{"scenario":"s","feature":"find-number","expect":{}}}"#),
        ("instance.close", #"{"instance":"game"}"#), ("daemon.stop", "{}"),
    ]

    @Test func `every method answers with the members it declares, and no other`() throws {
        let client = try DaemonProcess().connectKeeping()
        let document = try client.call("rpc.discover")
        let methods = try #require(document["methods"]?.array)
        let names = methods.compactMap { $0["name"]?.string }
        #expect(Set(names) == Set(Self.calls.map(\.0)))
        let plugin = try client.call("plugin.list")["plugins"]?[0]?["id"]?.string ?? ""
        var record = ""
        for (name, text) in Self.calls {
            let params = text.replacing("PLUGIN", with: plugin)
                .replacing("FOLDER", with: client.daemon.folder)
                .replacing("\"RECORD\"", with: JSONValue.string(record).text)
            let result = try client.call(name, JSONValue(parsing: params))
            if name == "record.text" { record = result["record"]?.string ?? "" }
            let schema = methods.first { $0["name"]?.string == name }?["result"]?["schema"]
            let complaints = (schema?["anyOf"]?.array ?? [schema].compactMap(\.self))
                .map { Self.complaints(of: result, $0) }
            #expect(complaints.contains([]), "\(name): \(complaints)")
        }
    }

    /// What of a result is not as a schema says.
    private static func complaints(of result: JSONValue, _ schema: JSONValue) -> [String] {
        // Any name will do there.
        guard schema["additionalProperties"] == nil else { return [] }
        let declared = schema["properties"]?.object?.names ?? []
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        let given = result.object?.names ?? []
        let wrong = given.filter { member in
            guard let type = schema["properties"]?[member]?["type"]?.string,
                let value = result[member]
            else { return false }
            return !fits(value, type)
        }
        return given.filter { !declared.contains($0) }.map { "\($0) is not declared" }
            + required.filter { !given.contains($0) }.map { "\($0) is missing" }
            + wrong.map { "\($0) is of another type" }
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("string", .string), ("integer", .int), ("boolean", .bool), ("array", .array),
            ("object", .object), ("number", .int), ("number", .double):
            true
        default: false
        }
    }
}
