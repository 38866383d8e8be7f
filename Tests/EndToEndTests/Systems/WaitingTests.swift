// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import Testing

/// What hangs can be seen: what is waited for, since when, and for how long.
@Suite("What an instance waits for")
struct WaitingTests {
    @Test func `what a server that never answers keeps waiting is plain to see`() throws {
        let isAsked = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            isAsked.comesTrue()
            connection.waitForEnd()
        }
        let daemon = try DaemonProcess(plugins: ["libTabFeed.so"])
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open",
            [
                "feature": "tab-feed", "name": "feed", "clock": "real",
                "options": ["baseURL": .string("http://127.0.0.1:\(server.port)")],
            ])
        _ = try client.call(
            "instance.send", ["instance": "feed", "input": "select", "value": 7])
        #expect(isAsked.isTrue())

        let report = try client.call("instance.inspect", ["instance": "feed"])
        let effect = try #require(report["effects"]?.array?.first)
        #expect(effect["effect"] == "http")
        #expect(effect["request"]?["url"]?.string == server.url("/tabs/7"))
        // The server was asked in between: time has passed, although nothing has happened since.
        let (since, now) = (effect["since"]?.int ?? 0, report["now"]?.int ?? 0)
        #expect(since > 0 && now > since, "\(report.text)")
        let later = try client.call("instance.inspect", ["instance": "feed"])
        #expect((later["now"]?.int ?? 0) > now)
        #expect(later["effects"]?.array?.first?["since"]?.int == since)

        let shown = try daemon.ctl(["inspect", "feed", "-o", "table"])
        #expect(shown.code == 0)
        let lines = shown.said.split(separator: "\n")
        let title = try #require(lines.firstIndex { $0.hasPrefix("WAITS FOR") }, "\(shown.said)")
        let row = lines[title + 1].split(separator: " ", omittingEmptySubsequences: true)
        #expect(row.first == "http" && row.count >= 4, "\(shown.said)")
        #expect(lines[title + 1].contains("/tabs/7"), "\(shown.said)")
        #expect(shown.said.contains("http timeout"), "\(shown.said)")

        // What another selection gives up is waited for no more.
        _ = try client.call(
            "instance.send", ["instance": "feed", "input": "select", "value": 8])
        let after = try client.call("instance.inspect", ["instance": "feed"])
        #expect(
            after["effects"]?.array?.compactMap { $0["request"]?["url"]?.string }
                == [server.url("/tabs/8")])
    }

    @Test func `what a stub never answers is seen with its instant in virtual time`() throws {
        let daemon = try DaemonProcess(plugins: ["libTabFeed.so"])
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open",
            [
                "feature": "tab-feed", "name": "feed", "clock": "virtual",
                "stubs": [["http": "*", "reply": ["never": true]]],
            ])
        _ = try client.call(
            "instance.send", ["instance": "feed", "input": "select", "value": 7, "at": "20ms"])
        _ = try client.call("clock.advance", ["instance": "feed", "to": "3s"])
        let shown = try daemon.ctl(["inspect", "feed", "-o", "table"]).said
        #expect(shown.contains("http        20ms  2.98s"), "\(shown)")
    }
}
