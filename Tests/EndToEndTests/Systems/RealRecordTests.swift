// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import LoopbackServer
import TestSupport
import Testing

/// Records that were made in real time against a real server, run again in virtual time by `marblectl`.
@Suite("Records of real HTTP")
struct RealRecordTests {
    @Test func `a search and a sign-in replay with the same outputs at the same times`() throws {
        var server: GitHubServer? = try GitHubServer()
        let desk = try SearchDesk(server!, options: ["debounce": 5, "perPage": 2])
        desk.send("search", "marble")
        _ = try desk.next("repositories") { $0.array?.count == 2 }
        desk.send("loadMore")
        _ = try desk.next("repositories") { $0.array?.count == 4 }
        desk.send("signIn", "c0de")
        _ = try desk.next("isSignedIn") { $0 == true }
        desk.send("requestUser")
        _ = try desk.next("user") { $0 != nil }
        let record = try desk.daemon.ctl(["record", "search"])
        #expect(record.code == 0)
        #expect(record.said.contains("clock real") && record.said.contains(#""***""#))
        let outputs = Self.facts("output", in: record.said)
        #expect(outputs.count > 12, "\(record.said)")
        // Nobody is asked any more.
        server = nil

        let file = "\(desk.daemon.folder)/run.record"
        try Files.write(Array(record.said.utf8), to: file)
        let replay = try desk.daemon.ctl(["replay", file, "-o", "table"])
        #expect(replay.code == 0, "\(replay.said)")
        #expect(
            replay.said.contains("equal: github-search, \(outputs.count) events"), "\(replay.said)")

        // Another answer, and the first difference is a picture.
        let changed = record.said.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                line.contains(" answer ")
                    ? String(line).replacing("marble-quarry", with: "marble-cellar") : String(line)
            }
        #expect(changed.joined(separator: "\n") != record.said)
        try Files.write(Array(changed.joined(separator: "\n").utf8), to: file)
        let other = try desk.daemon.ctl(["replay", file, "-o", "table"])
        #expect(other.code == 1, "\(other.said)")
        #expect(other.said.contains("different: github-search"), "\(other.said)")
        #expect(other.said.contains("repositories") && other.said.contains("marble-cellar"))
        // The lane as it was recorded, as it came, and a mark below where they part.
        let lines = other.said.split(separator: "\n").map { $0.drop { $0 == " " } }
        for start in ["tick=", "repositories expected", "repositories actual", "^"] {
            #expect(lines.contains { $0.hasPrefix(start) }, "\(start): \(other.said)")
        }
    }

    @Test func `a game over HTTP replays, and a number that was not drawn is a difference`() throws
    {
        let server = try LoopbackServer.answering { _ in answer(body: "[3]") }
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open",
            [
                "feature": "find-number", "name": "game", "clock": "real",
                "options": [
                    "source": "http",
                    "baseURL": .string("http://me:s3cret@127.0.0.1:\(server.port)"),
                ],
            ])
        _ = try client.call("stream.subscribe", ["instance": "game", "output": "target"])
        for _ in 0..<2 {
            _ = try client.call("instance.send", ["instance": "game", "input": "gameStart"])
            while try client.nextNotification()["params"]?["value"] != 3 {}
        }
        let record = try daemon.ctl(["record", "game"])
        #expect(!record.said.contains("s3cret"), "\(record.said)")
        let file = "\(daemon.folder)/run.record"
        try Files.write(Array(record.said.utf8), to: file)
        let replay = try daemon.ctl(["replay", file, "-o", "table"])
        #expect(replay.code == 0 && replay.said.contains("equal"), "\(replay.said)")
        #expect(server.requests.count == 2)

        let changed = record.said.replacing(#""[3]""#, with: #""[2]""#)
        #expect(changed != record.said, "\(record.said)")
        try Files.write(Array(changed.utf8), to: file)
        let other = try daemon.ctl(["replay", file, "-o", "table"])
        #expect(other.code == 1 && other.said.contains("target"), "\(other.said)")
    }

    /// The lines of a record that tell of one kind of fact.
    private static func facts(_ kind: String, in record: String) -> [Substring] {
        record.split(separator: "\n").filter { $0.contains(" \(kind) ") && !$0.hasPrefix("#") }
    }
}
