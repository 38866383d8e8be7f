// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport
import Testing

/// What the operator of a daemon asks and orders, and what bounds its clients.
@Suite("The daemon's service")
struct ServiceTests {
    @Test func `clients shows who is connected, the caller included`() throws {
        let client = try DaemonProcess().connectKeeping()
        let other = try client.daemon.connect()
        _ = try client.call("instance.open", ["feature": "find-number", "name": "game"])
        _ = try other.call("stream.subscribe", ["instance": "game", "output": "*"])
        let clients = try #require(try client.call("daemon.clients")["clients"]?.array)
        #expect(clients.map { $0["client"] } == [1, 2])
        #expect(clients.map { $0["self"]?.bool } == [true, nil])
        #expect(clients.map { $0["subscriptions"] } == [0, 1])
        for shown in clients {
            #expect(shown["pid"]?.int == Int64(getpid()))
            #expect(shown["uid"]?.int == Int64(geteuid()))
            #expect(shown["level"] == "admin")
            #expect((shown["age"]?.int ?? -1) >= 0)
        }
    }

    @Test func `the log's level is set, and set back by a reload`() throws {
        let client = try DaemonProcess().connectKeeping()
        let id = try plugin(client)
        #expect(try client.call("daemon.setLogLevel", ["level": "info"])["before"] == "warning")
        _ = try client.call("plugin.retire", ["plugin": id])
        #expect(client.daemon.log.contains("is retired"))
        #expect(try client.call("daemon.reload")["changed"] == ["log"])
        #expect(try client.call("daemon.setLogLevel", ["level": "info"])["before"] == "warning")
        #expect(try client.fault("daemon.setLogLevel", ["level": "loud"]) == "invalidParams")
    }

    @Test func `a reload takes what may change and names what waits for a start`() throws {
        let file = try ConfigurationFile("clock: real\nlimits: {connections: 5}")
        let client = try DaemonProcess(arguments: ["--config", file.path]).connectKeeping()
        try file.write("clock: virtual\nlimits: {connections: 6}\naccess: {others: read}")
        let reloaded = try client.call("daemon.reload")
        #expect(reloaded["changed"] == ["access", "clock"])
        #expect(reloaded["needRestart"] == ["limits"])
        #expect(reloaded["features"] == 1)
        let opened = try client.call("instance.open", ["feature": "find-number", "name": "game"])
        #expect(opened["now"] == 0)
        let list = try client.call("instance.list")["instances"]
        #expect(list?[0]?["clock"] == "virtual")
        #expect(try client.call("daemon.hello")["limits"]?["connections"] == 5)
    }

    @Test(arguments: [
        ("clock: fast", "real or virtual"), ("access: {users: {no-such-user: read}}", "no user"),
        ("limits: {connections: 0}", "at least 1"), ("{", ":1:"),
    ])
    func `a wrong configuration is refused and changes nothing`(
        _ text: String, _ hint: String
    ) throws {
        let file = try ConfigurationFile("clock: virtual")
        let client = try DaemonProcess(arguments: ["--config", file.path]).connectKeeping()
        try file.write(text)
        let error = try client.client.answer("daemon.reload")["error"]
        #expect(error?["data"]?["kind"] == "badValue")
        #expect(error?["message"]?.string?.contains(hint) == true, "\(error?.text ?? "")")
        // SIGHUP is no other way, and the log says so.
        client.daemon.send(signal: SIGHUP)
        _ = try client.call("instance.open", ["feature": "find-number"])
        #expect(try client.call("instance.list")["instances"]?[0]?["clock"] == "virtual")
    }

    @Test func `status counts the limits that struck, also of clients that are gone`() throws {
        let client = try DaemonProcess().connectKeeping()
        #expect(try client.call("daemon.status")["limits"] == [:])
        let long = try client.daemon.connect()
        long.send(raw: Array(repeating: UInt8(ascii: "x"), count: 1 << 20) + [0x78, 0x0A])
        while try long.line() != nil {}
        let calls = Array(
            repeating: #"{"jsonrpc":"2.0","method":"daemon.ping"}"#, count: 103)
        client.client.send(line: "[\(calls.joined(separator: ","))]")
        let limits = try client.call("daemon.status")["limits"]
        #expect(limits?["lineBytes"] == 1)
        #expect(limits?["batchCalls"] == 3)
    }

    @Test func `one user has so many connections, and one more is told`() throws {
        let file = try ConfigurationFile("limits: {connectionsPerUser: 2}")
        let client = try DaemonProcess(arguments: ["--config", file.path]).connectKeeping()
        let second = try client.daemon.connect()
        _ = try second.call("daemon.ping")
        let third = try client.daemon.connect()
        let line = try third.message()
        #expect(line["id"] == .null)
        #expect(line["error"]?["data"]?["kind"] == "limit")
        #expect(line["error"]?["data"]?["expected"]?.string?.contains("at most 2") == true)
        #expect(try third.line() == nil)
        let status = try client.call("daemon.status")
        #expect(status["counters"]?["refused"] == 1)
        #expect(status["limits"] == ["connectionsPerUser": 1])
    }

    @Test func `a waiting call is answered before the daemon stops`() throws {
        let client = try DaemonProcess().connectKeeping()
        _ = try client.call("instance.open", ["feature": "find-number", "name": "game"])
        client.client.send(
            line:
                #"{"jsonrpc":"2.0","id":"w","method":"instance.await","params":{"instance":"game","output":"error","until":"first","timeout":"1h"}}"#
        )
        _ = try client.call("daemon.ping")
        client.daemon.send(signal: SIGTERM)
        let answer = try client.client.message()
        #expect(answer["id"] == "w")
        #expect(answer["result"]?["ended"] == "closed")
        #expect(answer["result"]?["reason"] == "the daemon is stopping")
        #expect(try client.client.line() == nil)
    }

    // MARK: Plugins

    private func plugin(_ client: KeepingClient) throws -> JSONValue {
        try #require(try client.call("plugin.list")["plugins"]?[0]?["id"])
    }

    @Test func `a retired plugin opens nothing, its instances go on, and loading brings it back`()
        throws
    {
        let client = try DaemonProcess().connectKeeping()
        let id = try plugin(client)
        _ = try client.call("instance.open", ["feature": "find-number", "name": "kept"])
        #expect(try client.call("plugin.retire", ["plugin": id])["instances"] == 1)
        #expect(try client.fault("instance.open", ["feature": "find-number"]) == "unknownFeature")
        _ = try client.call(
            "instance.send", ["instance": "kept", "input": "checkNumber", "value": 1])
        // A look into the folders does not undo it.
        #expect(try client.call("daemon.reload")["features"] == 0)
        #expect(try client.call("plugin.list")["retired"] == [id])
        #expect(try client.fault("plugin.reload", ["plugin": id]) == "unknownPlugin")
        for (verb, word) in [("open", "find-number"), ("plugin reload", try #require(id.string))] {
            let run = try Marblectl.run(
                ["--socket", client.daemon.socket] + verb.split(separator: " ").map(String.init)
                    + [word], in: client.daemon.folder)
            #expect(run.text.contains("was retired; `marblectl plugin load /"), "\(run.text)")
        }
        let manifest = JSONValue.string(
            "\(client.daemon.folder)/\(try #require(id.string)).plugin.json")
        #expect(try client.call("plugin.load", ["manifest": manifest])["loaded"] == true)
        _ = try client.call("instance.open", ["feature": "find-number"])
        #expect(try client.fault("plugin.load", ["manifest": manifest]) == "busy")
        #expect(try client.call("plugin.list")["retired"] == [])
    }

    @Test func `a new build is mapped beside the old one, and instances stay on theirs`() throws {
        let daemon = try DaemonProcess(plugins: [])
        let builds = try PluginBuilds(in: daemon.folder)
        let client = KeepingClient(daemon, try daemon.connect())
        try builds.install(doc: builds.doc)
        #expect(try client.call("daemon.reload")["features"] == 1)
        let id = try plugin(client)
        _ = try client.call("instance.open", ["feature": "find-number", "name": "old"])
        #expect(try client.call("plugin.reload", ["plugin": id])["changed"] == false)
        // The new one differs by one word of its description, which its code gives.
        let doc = "X" + builds.doc.dropFirst()
        try builds.install(doc: doc)
        let reloaded = try client.call("plugin.reload", ["plugin": id])
        #expect(reloaded["changed"] == true)
        #expect(reloaded["instances"] == 0)
        #expect(reloaded["onOlderBuilds"] == 1)
        let described = try client.call("feature.describe", ["feature": "find-number"])
        #expect(described["doc"] == .string(doc))
        // Opening checks what the code says against the manifest: this runs the new code.
        _ = try client.call("instance.open", ["feature": "find-number", "name": "new"])
        for name in ["old", "new"] {
            let sent = try client.call(
                "instance.send",
                ["instance": .string(name), "input": "checkNumber", "value": 1, "collect": true])
            #expect(sent["events"]?.array?.isEmpty == false)
        }
        let listed = try client.call("plugin.list")["plugins"]?[0]
        #expect(listed?["instances"] == 1)
        #expect(listed?["onOlderBuilds"] == 1)
    }

    @Test func `a build that is no plugin is refused, and the old one goes on`() throws {
        let daemon = try DaemonProcess(plugins: [])
        let builds = try PluginBuilds(in: daemon.folder)
        let client = KeepingClient(daemon, try daemon.connect())
        try builds.install(doc: builds.doc)
        _ = try client.call("daemon.reload")
        let id = try plugin(client)
        _ = try client.call("instance.open", ["feature": "find-number"])
        try builds.replaceLibrary(with: Array("no library".utf8))
        #expect(try client.fault("plugin.reload", ["plugin": id]) == "pluginRefused")
        _ = try client.call("instance.open", ["feature": "find-number"])
        try builds.removeLibrary()
        #expect(try client.fault("plugin.reload", ["plugin": id]) == "pluginRefused")
        _ = try client.call("instance.open", ["feature": "find-number"])
    }

    @Test(arguments: [
        ("plugin.load", #"{"manifest":"x.plugin.json"}"#, "badValue"),
        ("plugin.load", #"{"manifest":"/nonexistent/x.plugin.json"}"#, "pluginRefused"),
        ("plugin.load", #"{"manifest":"/etc/passwd"}"#, "badValue"),
        ("plugin.load", "{}", "invalidParams"),
        ("plugin.reload", #"{"plugin":"nobody"}"#, "unknownPlugin"),
        ("plugin.retire", #"{"plugin":"nobody"}"#, "unknownPlugin"),
        ("rpc.cancel", #"{"id":null}"#, "invalidParams"),
        ("rpc.cancel", #"{"id":[1]}"#, "invalidParams"),
    ])
    func `a wrong order is refused`(_ method: String, _ params: String, _ kind: String) throws {
        let client = try DaemonProcess().connectKeeping()
        #expect(try client.fault(method, JSONValue(parsing: params)) == kind)
        _ = try client.call("instance.open", ["feature": "find-number"])
    }
}

/// A file of settings for the length of a test.
final class ConfigurationFile {
    private let folder = TemporaryFolder()
    var path: String { folder.file("marbled.yaml") }

    init(_ text: String) throws { try write(text) }

    func write(_ text: String) throws { try Files.write(text, to: path) }
}

/// Builds of one plugin that differ by what their code says of itself.
struct PluginBuilds {
    private let folder: String
    private let code: [UInt8]
    /// What the feature says it does.
    let doc: String

    private var library: String { "\(folder)/libFindNumber.so" }

    init(in folder: String) throws {
        self.folder = folder
        code = Files.bytes(Products.path("libFindNumber.so"))
        doc = "A game: find the number that was drawn."
    }

    /// Puts a build there, as a file of its own, and its manifest.
    func install(doc new: String) throws {
        let old = Array(doc.utf8)
        var bytes = code
        var places = 0
        var start = 0
        while let place = bytes[start...].firstRange(of: old) {
            bytes.replaceSubrange(place, with: new.utf8)
            places += 1
            start = place.upperBound
        }
        guard places > 0 else { throw Failure("the plugin does not say \"\(doc)\"") }
        try replaceLibrary(with: bytes)
        let child = try Spawn.run(
            Products.path("marbled"), ["manifest", library, "--write"],
            output: "\(folder)/manifest.log")
        guard try Spawn.wait(child) == 0 else {
            throw Failure("no manifest: \(Files.text("\(folder)/manifest.log"))")
        }
    }

    func replaceLibrary(with bytes: [UInt8]) throws {
        try Files.write(bytes, to: library + ".new")
        guard rename(library + ".new", library) == 0 else { throw Failure("rename: \(errno)") }
    }

    func removeLibrary() throws {
        guard unlink(library) == 0 else { throw Failure("unlink: \(errno)") }
    }
}
