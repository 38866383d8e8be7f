// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// Wrong input of each kind: the documented error, and nothing else changes.
@Suite("Wrong input")
struct WrongInputTests {
    @Test(arguments: [
        ("daemon.pin", "{}", "methodNotFound"),
        ("instance.open", "{}", "invalidParams"),
        ("instance.open", #"{"feature":"find-numbr"}"#, "unknownFeature"),
        ("instance.open", #"{"feature":1}"#, "invalidParams"),
        ("instance.open", #"{"feature":"find-number","clok":"real"}"#, "invalidParams"),
        ("instance.open", #"{"feature":"find-number","clock":"fast"}"#, "invalidParams"),
        ("instance.open", #"{"feature":"find-number","options":{"min":"x"}}"#, "badValue"),
        ("instance.open", #"{"feature":"find-number","options":{"mni":1}}"#, "badValue"),
        (
            "instance.open", #"{"feature":"find-number","options":{"min":9,"max":1}}"#,
            "pluginRefused"
        ),
        ("instance.open", #"{"feature":"find-number","name":"a b"}"#, "badValue"),
        ("instance.open", #"{"feature":"find-number","name":"there"}"#, "busy"),
        ("instance.open", #"{"feature":"find-number","stubs":[{"http":"*"}]}"#, "badValue"),
        ("instance.open", #"{"feature":"find-number","clock":"real","epoch":1}"#, "clockIsReal"),
        ("instance.send", #"{"instance":"ther","input":"gameStart"}"#, "unknownInstance"),
        ("instance.send", #"{"instance":"there","input":"gameSart"}"#, "unknownPort"),
        ("instance.send", #"{"instance":"there","input":"checkNumber"}"#, "badValue"),
        ("instance.send", #"{"instance":"there","input":"checkNumber","value":"1"}"#, "badValue"),
        ("instance.send", #"{"instance":"there","input":"checkNumber","value":1.5}"#, "badValue"),
        (
            "instance.send",
            #"{"instance":"there","input":"checkNumber","value":99999999999999999999}"#, "badValue"
        ),
        ("instance.send", #"{"instance":"there","input":"gameStart","value":1}"#, "badValue"),
        (
            "instance.send", #"{"instance":"there","input":"gameStart","at":"1 s"}"#,
            "invalidParams"
        ),
        (
            "instance.send", #"{"instance":"there","input":"gameStart","at":1,"after":1}"#,
            "invalidParams"
        ),
        ("instance.read", #"{"instance":"there","output":"rund"}"#, "unknownPort"),
        ("instance.read", #"{"instance":"there","output":"error"}"#, "unsupported"),
        ("clock.advance", #"{"instance":"there"}"#, "invalidParams"),
        ("clock.advance", #"{"instance":"there","by":1,"to":1}"#, "invalidParams"),
        ("clock.advance", #"{"instance":"there","by":-1}"#, "invalidParams"),
        ("stream.subscribe", #"{"instance":"there","output":"rund"}"#, "unknownPort"),
        ("stream.unsubscribe", #"{"subscription":"s9"}"#, "unknownSubscription"),
        (
            "stub.set", #"{"instance":"there","stubs":[{"http":"*","reply":{"statu":1}}]}"#,
            "badValue"
        ),
        (
            "scenario.run", #"{"scenario":"scenario: x\nfeature: find-number\nexpct: {}"}"#,
            "badValue"
        ),
        ("scenario.run", #"{"scenario":1}"#, "invalidParams"),
        ("daemon.hello", #"{"require":["flying"]}"#, "unsupported"),
    ])
    func `a wrong call gets the documented error and changes nothing`(
        _ method: String, _ params: String, _ kind: String
    ) throws {
        let client = try DaemonProcess().connectKeeping()
        _ = try client.call(
            "instance.open", ["feature": "find-number", "clock": "virtual", "name": "there"])
        let before = try client.call("instance.inspect", ["instance": "there"]).text
        #expect(try client.fault(method, JSONValue(parsing: params)) == kind)
        #expect(try client.call("instance.inspect", ["instance": "there"]).text == before)
        #expect(try client.call("instance.list")["instances"]?.array?.count == 1)
    }

    @Test func `a line that is not JSON is answered, and the next one counts`() throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        client.send(line: "{\"jsonrpc\": \"2.0\", \"method\"")
        #expect(try client.message()["error"]?["code"] == -32700)
        #expect(try client.call("daemon.ping") == .object([]))
    }

    @Test func `bytes that are not UTF-8 are answered`() throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        client.send(raw: [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D, 0x0A])
        #expect(try client.message()["error"]?["code"] == -32700)
    }

    @Test func `a line that is too long is answered, then the connection closes`() throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        client.send(raw: Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + [0x78, 0x0A])
        #expect(try client.message()["error"]?["data"]?["kind"] == "limit")
        #expect(try client.line() == nil)
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
    }

    @Test func `half a line and a hang-up is nothing`() throws {
        let daemon = try DaemonProcess()
        do { try daemon.connect().send(raw: Array(#"{"jsonrpc":"2.0","id":1"#.utf8)) }
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
        let client = try daemon.connect()
        client.send(line: #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#)
        client.send(raw: Array(#"{"jsonrpc":"2.0","id":2"#.utf8))
        client.endInput()
        #expect(try client.message()["id"] == 1)
        #expect(try client.line() == nil)
    }
}
