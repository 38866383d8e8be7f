// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import LoopbackServer
import TestSupport
import Testing

/// Features that ask HTTP servers, in the real daemon.
@Suite("HTTP in the daemon")
struct HTTPTests {
    @Test
    func `the game fetches its number over HTTP, keeps the connection, and survives a failure`()
        throws
    {
        let server = try LoopbackServer.answering { request in
            request.target == "/api/v1.0/random?min=1&max=3&count=1"
                ? answer(200, [("Content-Type", "application/json")], body: "[3]") : answer(404)
        }
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        try open(client, baseURL: "http://127.0.0.1:\(server.port)")
        _ = try client.call("stream.subscribe", ["instance": "live", "output": "target"])
        for _ in 0..<2 {
            _ = try client.call("instance.send", ["instance": "live", "input": "gameStart"])
            while try event(client) != 3 {}
        }
        #expect(server.connections == 1 && server.requests.count == 2)
    }

    @Test
    func `a service that refuses is a network error, and one that says nonsense a decoding error`()
        throws
    {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        try LoopbackServer.withRefusingPort { port in
            try open(client, baseURL: "http://127.0.0.1:\(port)")
            #expect(try errorOfGame(client) == "networkError")
            let record = try client.call("instance.record", ["instance": "live"])
            let answers = record["events"]?.array?.filter { $0["kind"] == "answer" } ?? []
            #expect(answers.contains { $0["value"]?["kind"] == "refused" }, "\(record.text)")
        }
        let server = try LoopbackServer.answering { _ in answer(body: "soon") }
        _ = try client.call("instance.close", ["instance": "live"])
        try open(client, baseURL: "http://127.0.0.1:\(server.port)")
        #expect(try errorOfGame(client) == "decodingError")
    }

    @Test func `a virtual instance never reaches the network`() throws {
        let server = try LoopbackServer.answering { _ in answer(body: "[3]") }
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        try open(client, baseURL: "http://127.0.0.1:\(server.port)", clock: "virtual")
        #expect(try errorOfGame(client) == "networkError")
        #expect(server.connections == 0)
    }

    @Test
    func `what is asked is shown while it waits, without secrets, and SIGTERM ends it in order`()
        throws
    {
        let isAsked = Fact()
        let isClosed = Fact()
        let server = try LoopbackServer { connection in
            _ = connection.readRequest()
            isAsked.comesTrue()
            connection.waitForEnd()
            isClosed.comesTrue()
        }
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        try open(client, baseURL: "http://me:s3cret@127.0.0.1:\(server.port)")
        _ = try client.call("instance.send", ["instance": "live", "input": "gameStart"])
        #expect(isAsked.isTrue())
        let report = try client.call("instance.inspect", ["instance": "live"])
        let effect = report["effects"]?.array?.first { $0["effect"] == "http" }
        #expect(effect?["request"]?["url"]?.string?.hasPrefix("http://***@127.0.0.1:") == true)
        #expect(!report.text.contains("s3cret"))
        #expect(
            report["pending"]?.array?.contains { $0["label"] == "http timeout" } == true)
        let record = try client.call("instance.record", ["instance": "live"])
        let calls = try client.call("stub.calls", ["instance": "live"])
        #expect(!record.text.contains("s3cret") && !calls.text.contains("s3cret"))
        daemon.send(signal: SIGTERM)
        #expect(try daemon.waitForEnd() == 0)
        #expect(isClosed.isTrue())
        #expect(!daemon.log.contains("s3cret"))
    }

    @Test
    func `limits, authorities and secrets are configured in the file, and wrong ones refused`()
        throws
    {
        let daemon = try DaemonProcess()
        let names = try daemon.connect().call("daemon.hello")["limits"]?.object?.members.map(\.name)
        #expect(names?.contains("httpPerHost") == true)
        let folder = TemporaryFolder()
        func check(_ text: String) throws -> (code: Int32, said: String) {
            let (file, log) = (folder.file("m.yaml"), folder.file("log"))
            unlink(log)
            guard let stream = fopen(file, "w") else { throw Failure("fopen: \(errno)") }
            fputs(text, stream)
            fclose(stream)
            let child = try Spawn.run(
                Products.path("marbled"), ["--check", "--config", file], output: log)
            return (try Spawn.wait(child), Files.text(log))
        }
        let good = try check(
            """
            http: {authorities: /dev/null, secretHeaders: [X-Key], secretQueryNames: [k]}
            limits: {httpPerHost: 3, httpTotalNanoseconds: 5000000000}
            """)
        #expect(good.code == 0 && good.said.contains("httpPerHost: 3"), "\(good.said)")
        #expect(good.said.contains("x-key") && good.said.contains("authorities: /dev/null"))
        #expect(try check("http: {authorities: /nonexistent.pem}").said.contains("cannot be read"))
        #expect(try check("http: {authority: x}").said.contains("known: authorities"))
        #expect(try check("http: {secretHeaders: x}").said.contains("list of names"))
        #expect(try check("limits: {httpPerHost: 0}").said.contains("at least 1"))
    }

    // MARK: Helpers

    private func open(_ client: WireClient, baseURL: String, clock: String = "real") throws {
        _ = try client.call(
            "instance.open",
            [
                "feature": "find-number", "name": "live", "clock": .string(clock),
                "options": ["source": "http", "baseURL": .string(baseURL)],
            ])
    }

    /// Starts the game and returns the error that it says.
    private func errorOfGame(_ client: WireClient) throws -> JSONValue? {
        _ = try client.call("stream.subscribe", ["instance": "live", "output": "error"])
        _ = try client.call("instance.send", ["instance": "live", "input": "gameStart"])
        return try event(client)
    }

    /// The value of the next event of a stream.
    private func event(_ client: WireClient) throws -> JSONValue? {
        while true {
            let note = try client.nextNotification()
            if note["method"] == "stream.event" { return note["params"]?["value"] }
        }
    }
}
