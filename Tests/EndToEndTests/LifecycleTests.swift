// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport
import Testing

/// How the daemon begins, ends, and shares a path with others of its kind.
@Suite("The daemon's life")
struct LifecycleTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a signal ends it in order`(_ signal: Int32) throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        _ = try client.call("instance.open", ["feature": "find-number"])
        _ = try client.call("stream.subscribe", ["instance": "i1", "output": "error"])
        daemon.send(signal: signal)
        var last: String?
        while let line = try client.line() { last = line }
        #expect(last?.contains("stream.closed") == true, "\(last ?? "nothing")")
        #expect(try daemon.waitForEnd() == 0)
        #expect(!Files.exists(daemon.socket))
    }

    @Test func `it ends when whoever holds its lifeline is gone`() throws {
        let lifeline = try Pipe()
        let daemon = try DaemonProcess(lifeline: lifeline)
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
        lifeline.closeWriter()
        #expect(try daemon.waitForEnd() == 0)
        #expect(!Files.exists(daemon.socket))
    }

    @Test func `without standard input, output and error it serves and ends as ever`() throws {
        let daemon = try DaemonProcess(
            launcher: ["/bin/sh", "-c", #"exec "$0" "$@" <&- >&- 2>&-"#])
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
        daemon.send(signal: SIGTERM)
        #expect(try daemon.waitForEnd() == 0)
    }

    @Test func `marblectl without an output says so, and says nothing to the daemon`() throws {
        let daemon = try DaemonProcess()
        let log = "\(daemon.folder)/closed.log"
        let child = try Spawn.run(
            "/bin/sh",
            [
                "-c", #"exec "$0" --socket "$1" ping >&-"#, Products.path("marblectl"),
                daemon.socket,
            ], environment: Products.libraries, output: log)
        #expect(try Spawn.wait(child) == 3)
        #expect(Files.text(log).contains("the output could not be written"))
    }

    @Test func `a private daemon leaves the store of its user alone`() throws {
        let folder = TemporaryFolder()
        let environment = ["XDG_STATE_HOME": folder.path, "TMPDIR": folder.path]
        let (status, text) = try Marblectl.run(
            ["--spawn", "status", "-o", "table"], in: folder.path,
            environment: environment.merging(Products.libraries) { mine, _ in mine })
        #expect(status == 0)
        #expect(!text.contains("store.sqlite"), "\(text)")
    }

    @Test func `daemon.stop answers, then ends it`() throws {
        let daemon = try DaemonProcess()
        _ = try daemon.connect().call("daemon.stop")
        #expect(try daemon.waitForEnd() == 0)
    }

    @Test func `a second one on the same path is refused with a sentence`() throws {
        let daemon = try DaemonProcess()
        let log = "\(daemon.folder)/second.log"
        let child = try Spawn.run(
            Products.path("marbled"), ["--socket", daemon.socket], output: log)
        #expect(try Spawn.wait(child) == 1)
        #expect(Files.text(log).contains(daemon.socket))
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
    }

    @Test func `a socket left by a killed one is replaced`() throws {
        let daemon = try DaemonProcess()
        daemon.send(signal: SIGKILL)
        #expect(try daemon.waitForEnd() == -SIGKILL)
        #expect(Files.exists(daemon.socket))
        try daemon.restart()
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
    }

    @Test func `the socket has its rights from the beginning`() throws {
        let daemon = try DaemonProcess(arguments: ["--mode", "0640"])
        var status = stat()
        #expect(stat(daemon.socket, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o640)
    }

    @Test func `SIGHUP keeps instances and connections`() throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        _ = try client.call("instance.open", ["feature": "find-number", "name": "kept"])
        daemon.send(signal: SIGHUP)
        let list = try client.call("instance.list")
        #expect(list["instances"]?.array?.first?["instance"] == "kept")
    }

    @Test(arguments: [
        (["--clock", "fast"], "real or virtual"), (["--mode", "999"], "octal"),
        (["--config", "/nonexistent.yaml"], "cannot be read"), (["--log", "loud"], "one of"),
        (["--group", "nobody-here"], "there is no group \"nobody-here\""),
        (["--socket", ""], "cannot be a socket path"),
        (["--ready-fd", "99"], "--ready-fd is 99, which is no open descriptor"),
        (["--lifeline-fd", "99"], "--lifeline-fd is 99, which is no open descriptor"),
    ])
    func `a wrong setting is refused with what would be right`(
        _ arguments: [String], _ hint: String
    ) throws {
        let folder = TemporaryFolder()
        let log = folder.file("log")
        let child = try Spawn.run(
            Products.path("marbled"), ["--check"] + arguments, output: log)
        #expect(try Spawn.wait(child) == 3)
        #expect(Files.text(log).contains(hint), "\(Files.text(log))")
    }

    @Test func `what --check refuses does not start either, with the same exit code`() throws {
        let folder = TemporaryFolder()
        let log = folder.file("log")
        let child = try Spawn.run(
            Products.path("marbled"),
            ["--socket", folder.file("s"), "--group", "nobody-here"], output: log)
        #expect(try Spawn.wait(child) == 3)
        #expect(Files.text(log) == "marbled: group: there is no group \"nobody-here\"\n")
    }

    @Test func `a folder of plugins that is not there is told, unless nobody named it`() throws {
        let daemon = try DaemonProcess(arguments: ["--plugin-path", "/nowhere"])
        #expect(
            daemon.log.contains("warning: the plugin folder /nowhere cannot be read"),
            "\(daemon.log)")
        let usual = try DaemonProcess()
        #expect(!usual.log.contains("plugin folder"), "\(usual.log)")
    }

    @Test func `ephemeral instances go with their connection`() throws {
        let daemon = try DaemonProcess()
        let client = try daemon.connect()
        do {
            let other = try daemon.connect()
            _ = try other.call(
                "instance.open", ["feature": "find-number", "name": "brief", "ephemeral": true])
            other.endInput()
            #expect(try other.line() == nil)
        }
        #expect(try client.call("instance.list")["instances"]?.array?.isEmpty == true)
    }
}
