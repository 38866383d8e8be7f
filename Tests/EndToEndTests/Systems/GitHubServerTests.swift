// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import LoopbackServer
import TestSupport
import Testing

/// The search in the real daemon, in real time, against a server on this machine that speaks as GitHub does.
@Suite("github-search against a server")
struct GitHubServerTests {
    @Test func `typing fast is one request to the server and one answer to the client`() throws {
        let server = try GitHubServer()
        let desk = try SearchDesk(server, options: ["debounce": 1_000])
        for words in ["m", "ma", "marb", "marble", "marble-"] {
            desk.send("search", .string(words))
            // Once this is answered the keystroke was taken in by itself.
            _ = try desk.read("isLoading")
        }
        let found = try desk.next("repositories") { $0.array?.isEmpty == false }
        #expect(
            found.array?.map { $0["full_name"]?.string } == [
                "pebble-works/marble-run", "ada-fields/marble-quarry", "tin-toys/marble-maze",
            ])
        #expect(server.searches == ["/search/repositories?q=marble-&page=1&per_page=30"])
        #expect(try desk.outputs("repositories").count == 2)  // the empty list, and what was found
        #expect(try desk.outputs("error").isEmpty)
    }

    @Test func `page after page comes, and no page twice`() throws {
        let server = try GitHubServer()
        let desk = try SearchDesk(server, options: ["debounce": 0, "perPage": 2])
        desk.send("search", "marble")
        for count in [2, 4] {
            _ = try desk.next("repositories") { $0.array?.count == count }
            if count < 4 { desk.send("loadMore") }
        }
        #expect(try desk.read("isComplete") == true)
        #expect(try desk.read("totalCount") == 4)
        desk.send("loadMore")
        // The answer to a call means that what was sent before it was taken in.
        _ = try desk.read("isLoading")
        #expect(
            server.searches
                == [1, 2].map {
                    "/search/repositories?q=marble&page=\($0)&per_page=2"
                })
    }

    @Test func `a used up quota is an error that says until when`() throws {
        var world = GitHubServer.World()
        world.searchQuota = 1
        // Far enough away that it still lasts when the test ends.
        world.quotaReset = time(nil) + 3_600
        let server = try GitHubServer(world)
        let desk = try SearchDesk(server, options: ["debounce": 0])
        desk.send("search", "marble")
        _ = try desk.next("repositories") { $0.array?.isEmpty == false }
        desk.send("search", "glass")
        let error = try desk.next("error") { _ in true }
        #expect(error == ["kind": "rateLimited", "until": .int(Int64(world.quotaReset))])
        // It waits on its own clock, and that can be seen.
        let report = try desk.client.call("instance.inspect", ["instance": "search"])
        #expect(report["pendingCount"]?.int.map { $0 > 0 } == true, "\(report.text)")
        #expect(server.searches.count == 2)
    }

    @Test(
        arguments: [
            (["clientSecret": "granite"], "c0de", "incorrectClientCredentials"),
            (["redirectURI": "http://elsewhere.example"], "c0de", "redirectURIMismatch"),
            ([:], "wrong", "badVerificationCode"),
        ] as [(JSONValue, String, String)])
    func `each refusal of a sign-in is an error of its own`(
        _ options: JSONValue, _ code: String, _ kind: String
    ) throws {
        let server = try GitHubServer()
        let desk = try SearchDesk(server, options: options)
        desk.send("signIn", .string(code))
        #expect(try desk.next("error") { _ in true } == ["kind": .string(kind)])
        #expect(try desk.read("isSignedIn") == false)
        #expect(server.requests.count == 1)
    }

    @Test func `a person signs in and gives a star, and the token is nowhere to be read`() throws {
        let server = try GitHubServer()
        let desk = try SearchDesk(server, options: [:])
        desk.send("signIn", "c0de")
        _ = try desk.next("isSignedIn") { $0 == true }
        desk.send("requestUser")
        #expect(try desk.next("user") { $0 != nil }["login"] == "lena-brook")
        desk.send("star", "kiosk/marbles")
        let change: JSONValue = ["repository": "kiosk/marbles", "isStarred": true]
        #expect(try desk.next("starChanged") { _ in true } == change)
        #expect(server.world.starred == ["kiosk/marbles"])
        desk.send("requestStarred", 1)
        let starred = try desk.next("starred") { $0.array?.isEmpty == false }
        #expect(starred.array?.first?["full_name"] == "kiosk/marbles")
        desk.send("unstar", "kiosk/marbles")
        #expect(try desk.next("starChanged") { _ in true }["isStarred"] == false)
        #expect(server.world.starred.isEmpty)

        // The server saw both; nobody else does.
        #expect(server.requests.first?.body.contains("quarry") == true)
        #expect(server.requests.last?.header("Authorization") == "Bearer marble-token-of-lena")
        let name: JSONValue = ["instance": "search"]
        var said = try ["instance.record", "instance.inspect", "stub.calls", "record.text"]
            .map { ($0, try desk.client.call($0, name).text) }
        for verb in ["record", "inspect"] {
            said.append((verb, try desk.daemon.ctl([verb, "search"]).said))
        }
        desk.daemon.send(signal: SIGTERM)
        #expect(try desk.daemon.waitForEnd() == 0)
        said.append(("log", desk.daemon.log))
        for (place, text) in said {
            #expect(!text.isEmpty, "\(place) says nothing")
            #expect(!text.contains("marble-token"), "\(place) holds the token")
            #expect(!text.contains("quarry"), "\(place) holds the secret")
        }
    }
}

/// A daemon with one search that is open in real time, and a client that listens to it.
final class SearchDesk {
    let daemon: DaemonProcess
    let client: WireClient

    init(_ server: GitHubServer, options: JSONValue) throws {
        daemon = try DaemonProcess(
            arguments: ["--log", "trace"], plugins: ["libGitHubSearch.so"])
        client = try daemon.connect()
        var all: JSONValue = [
            "apiURL": .string(server.url), "signInURL": .string(server.url),
            "clientID": "marbles", "clientSecret": "quarry",
        ]
        for (name, value) in options.object?.members ?? [] { all[name] = value }
        _ = try client.call(
            "instance.open",
            ["feature": "github-search", "name": "search", "clock": "real", "options": all])
        _ = try client.call("stream.subscribe", ["instance": "search", "output": "*"])
    }

    /// A wish as a line, without an answer.
    func line(_ input: String, _ value: JSONValue = nil) -> String {
        let call: JSONValue = [
            "jsonrpc": "2.0", "method": "instance.send",
            "params": ["instance": "search", "input": .string(input), "value": value],
        ]
        return call.text + "\n"
    }

    func send(_ input: String, _ value: JSONValue = nil) {
        client.send(raw: line(input, value).utf8)
    }

    /// Waits until an output says something that fits.
    func next(_ output: String, _ fits: (JSONValue) -> Bool) throws -> JSONValue {
        while true {
            let note = try client.nextNotification()
            guard note["method"] == "stream.event", note["params"]?["output"]?.string == output,
                let value = note["params"]?["value"], fits(value)
            else { continue }
            return value
        }
    }

    func read(_ output: String) throws -> JSONValue? {
        try client.call("instance.read", ["instance": "search", "output": .string(output)])["value"]
    }

    /// Everything that an output has said.
    func outputs(_ output: String) throws -> [JSONValue] {
        let record = try client.call("instance.record", ["instance": "search"])
        return (record["events"]?.array ?? [])
            .filter { $0["kind"] == "output" && $0["port"]?.string == output }
            .compactMap { $0["value"] }
    }
}

extension DaemonProcess {
    /// Runs `marblectl` against this daemon, and tells how it ended and what it said.
    func ctl(_ arguments: [String]) throws -> (code: Int32, said: String) {
        let output = "\(folder)/ctl.log"
        unlink(output)
        let child = try Spawn.run(
            Products.path("marblectl"), arguments, environment: ["MARBLED_SOCKET": socket],
            output: output)
        return (try Spawn.wait(child), Files.text(output))
    }
}
