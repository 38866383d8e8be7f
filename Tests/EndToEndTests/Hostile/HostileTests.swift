// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import Testing

/// Clients that come in crowds, leave in the middle, and send what nobody should.
@Suite("Hostile clients")
struct HostileTests {
    @Test func `five thousand connections are taken in or told why, and nothing of them stays`()
        throws
    {
        let file = try ConfigurationFile("limits: {connectionsPerUser: 40}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        do {
            var taken: [WireClient] = []
            var told = 0
            for number in 0..<5_000 {
                let client = try daemon.connect()
                if taken.count < 38 {
                    taken.append(client)
                    continue
                }
                // Every other one does not wait to hear it.
                if number.isMultiple(of: 2) { continue }
                let error = try client.message()["error"]
                #expect(error?["data"]?["kind"] == "limit")
                #expect(try client.line() == nil)
                told += 1
                if number % 500 == 1 { try neighbours.beat() }
            }
            #expect(told == 2_481)
            for client in taken { #expect(try client.call("daemon.ping") == [:]) }
        }
        try neighbours.beat(until: { try neighbours.status()["connections"] == 2 })
        let status = try neighbours.status()
        #expect(status["counters"]?["refused"] == 4_962)
        #expect(status["limits"]?["connectionsPerUser"] == 4_962)
        #expect(try neighbours.growth() < 16 << 20)
        #expect(try daemon.connect().call("daemon.ping") == [:])
    }

    @Test func `who comes when descriptors have run out is told, and later ones are served`() throws
    {
        let daemon = try DaemonProcess(
            launcher: ["/bin/sh", "-c", "ulimit -n 40; exec \"$@\"", "sh"])
        let neighbours = try Neighbours(daemon)
        do {
            var taken: [WireClient] = []
            var error: JSONValue?
            while error == nil, taken.count < 40 {
                let client = try daemon.connect()
                client.send(line: #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}"#)
                error = try client.message()["error"]
                if error == nil { taken.append(client) } else { #expect(try client.line() == nil) }
            }
            #expect(taken.count > 5)
            #expect(error?["data"]?["kind"] == "limit", "\(error?.text ?? "")")
            #expect(error?["message"]?.string?.contains("no descriptor left") == true)
            try neighbours.beat(10)
        }
        try neighbours.beat(until: { try neighbours.status()["connections"] == 2 })
        #expect(try daemon.connect().call("daemon.ping") == [:])
    }

    @Test func `ephemeral instances that were closed leave nothing with the connection that stays`()
        throws
    {
        let daemon = try DaemonProcess()
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        let pair = Array(
            #"""
            {"jsonrpc":"2.0","id":1,"method":"instance.open","params":{"feature":"find-number","name":"brief","ephemeral":true}}
            {"jsonrpc":"2.0","id":2,"method":"instance.close","params":{"instance":"brief"}}

            """#.utf8)
        for _ in 1...50 {
            client.send(raw: repeatElement(pair, count: 100).joined())
            for _ in 1...200 {
                #expect(try client.line()?.hasPrefix(#"{"jsonrpc":"2.0","result":"#) == true)
            }
            try neighbours.beat()
        }
        #expect(try neighbours.growth() < 10 << 20)
    }

    @Test func `a line without an end is told so at its limit, and nothing of it is kept`() throws {
        let file = try ConfigurationFile("limits: {lineBytes: 100000}")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        let neighbours = try Neighbours(daemon)
        let halves = try (0..<40).map { _ in try daemon.connect() }
        for client in halves { client.send(raw: Array(repeating: 0x5B, count: 99_999)) }
        try neighbours.beat(10)
        #expect(try neighbours.growth() < 40 << 20)
        for client in halves {
            client.send(raw: [0x5B, 0x5B])
            #expect(try client.message()["error"]?["data"]?["kind"] == "limit")
            #expect(try client.line() == nil)
        }
        #expect(try neighbours.strikes("lineBytes") == 40)
        try neighbours.beat()
    }

    @Test(arguments: [
        (String(repeating: "[", count: 10_000), String(repeating: "]", count: 10_000)),
        (String(repeating: #"{"a":"#, count: 10_000), "1" + String(repeating: "}", count: 10_000)),
        (String(repeating: "[", count: 10_000), ""),
        (
            #"{"jsonrpc":"2.0","id":"# + String(repeating: "[", count: 10_000),
            String(repeating: "]", count: 10_000) + #","method":"daemon.ping"}"#
        ),
        (
            #"{"jsonrpc":"2.0","id":1,"method":"instance.send","params":{"instance":"neighbour","input":"checkNumber","value":"#
                + String(repeating: "[", count: 10_000),
            String(repeating: "]", count: 10_000) + "}}"
        ),
    ])
    func `what is nested ten thousand deep is no JSON here`(_ head: String, _ tail: String) throws {
        let daemon = try DaemonProcess()
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        client.send(line: head + tail)
        #expect(try client.message()["error"]?["data"]?["kind"] == "parseError")
        #expect(try client.call("daemon.ping") == [:])
        try neighbours.beat()
    }

    @Test(arguments: [
        (
            "instance.send", #"{"instance":"neighbour","input":"checkNumber","value":DEEP}"#,
            "badValue"
        ),
        ("instance.open", #"{"feature":"find-number","options":{"min":DEEP}}"#, "badValue"),
        ("instance.open", #"{"feature":"find-number","stubs":[DEEP]}"#, "badValue"),
        ("scenario.run", #"{"scenario":{"scenario":DEEP}}"#, "badValue"),
        (
            "instance.await",
            #"{"instance":"neighbour","output":"round","until":DEEP,"timeout":1}"#,
            "invalidParams"
        ),
        ("rpc.cancel", #"{"id":DEEP}"#, "invalidParams"),
    ])
    func `what is nested as deep as JSON may be is a wrong value like any other`(
        _ method: String, _ params: String, _ kind: String
    ) throws {
        let daemon = try DaemonProcess()
        let neighbours = try Neighbours(daemon)
        let deep = String(repeating: "[", count: 1_000) + String(repeating: "]", count: 1_000)
        let client = try daemon.connect()
        client.send(
            line: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":"#
                + params.replacing("DEEP", with: deep) + "}")
        #expect(try client.message()["error"]?["data"]?["kind"]?.string == kind)
        try neighbours.beat()
    }

    @Test func `bytes that are no UTF-8 are told so wherever they stand`() throws {
        let daemon = try DaemonProcess()
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        // Alone, cut short, longer than needed, half of a pair, beyond the last character.
        let wrong: [[UInt8]] = [
            [0x80], [0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ]
        let places = [
            #"{"jsonrpc":"2.0","id":"HERE","method":"daemon.ping"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"daemonHERE.ping"}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping","HERE":1}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"daemon.hello","params":{"want":["HERE"]}}"#,
            #"{"jsonrpc":"2.0","id":1,"method":"daemon.ping"}HERE"#, "HERE",
        ]
        for place in places {
            for bytes in wrong {
                let sides = place.split(separator: "HERE", omittingEmptySubsequences: false)
                client.send(raw: Array(sides[0].utf8) + bytes + Array(sides[1].utf8) + [0x0A])
                let answer = try client.message()
                #expect(answer["id"] == .null, "\(place): \(bytes)")
                #expect(answer["error"]?["data"]?["kind"] == "parseError", "\(place): \(bytes)")
            }
        }
        try neighbours.beat()
    }

    @Test func `who hangs up in the middle of anything leaves nothing behind`() throws {
        let daemon = try DaemonProcess()
        let neighbours = try Neighbours(daemon)
        let conversation = Array(
            """
            {"jsonrpc":"2.0","id":1,"method":"instance.open","params":{"feature":"find-number","clock":"virtual","name":"own","ephemeral":true,"seed":1}}
            [{"jsonrpc":"2.0","id":2,"method":"stream.subscribe","params":{"instance":"own","output":"*"}},{"jsonrpc":"2.0","id":3,"method":"instance.await","params":{"instance":"neighbour","output":"error","until":"first","timeout":"1h"}}]
            {"jsonrpc":"2.0","id":4,"method":"stream.subscribe","params":{"instance":"neighbour","output":"*","overflow":"close"}}
            {"jsonrpc":"2.0","method":"instance.send","params":{"instance":"own","input":"checkNumber","value":1,"at":"1s"}}
            {"jsonrpc":"2.0","id":5,"method":"clock.run","params":{"instance":"own"}}
            {"jsonrpc":"2.0","id":6,"method":"record.replay","params":{"more":true,"record":"marbled-record 1\\n"}}
            {"jsonrpc":"2.0","id":7,"method":"scenario.run","params":{"scenario":{"scenario":"s","feature":"find-number","expect":{}}}}
            {"jsonrpc":"2.0","id":8,"method":"rpc.discover"}
            {"jsonrpc":"2.0","id":9,"method":"rpc.cancel","params":{"id":3}}

            """.utf8)
        for end in stride(from: 1, through: conversation.count, by: 5) {
            let client = try daemon.connect()
            client.send(raw: conversation[..<end])
            // Some stop sending first, some have read a little, most just go.
            if end.isMultiple(of: 3) { client.endInput() }
            if end.isMultiple(of: 7) { client.readByte() }
            if end % 50 == 1 { try neighbours.beat() }
        }
        try neighbours.beat(until: { try neighbours.status()["connections"] == 2 })
        let status = try neighbours.status()
        #expect(status["instances"] == 1)
        #expect(status["subscriptions"] == 1)
        #expect(try neighbours.growth() < 16 << 20)
    }

    @Test func `an instance whose plugin failed says so to who asks for it`() throws {
        let daemon = try DaemonProcess(plugins: ["libFindNumber.so", "libBadPlugin.so"])
        let neighbours = try Neighbours(daemon)
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open", ["feature": "misbehaving", "clock": "virtual", "name": "bad"])
        _ = try client.call("stream.subscribe", ["instance": "bad", "output": "said"])
        let poke: JSONValue = ["instance": "bad", "input": "poke", "value": "fail"]
        _ = try client.answer("instance.send", poke)
        let error = try client.answer("instance.send", poke)["error"]
        #expect(error?["data"]?["kind"] == "pluginFailed")
        #expect(error?["message"]?.string?.contains("it had enough") == true)
        #expect(client.takeNotifications().last?["method"] == "stream.closed")
        try neighbours.beat()
    }
}
