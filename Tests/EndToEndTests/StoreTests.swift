// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport
import Testing

/// What is stored outlives the daemon, however that ends.
@Suite("The store of a running daemon")
struct StoreTests {
    @Test func `what was answered is there after SIGKILL at any moment`() throws {
        let state = TemporaryFolder()
        let arguments = ["--state-directory", state.path]
        let daemon = try DaemonProcess(arguments: arguments, plugins: Keeper.plugins)
        var random = SeededRandom(seed: 20)
        var stored: Int64 = 0
        var unanswered = 0
        var keeper = try Keeper(daemon)
        for round in 1...20 {
            let sent: Int64 = 150
            for number in stored + 1...stored + sent { keeper.send(step(to: number)) }
            // Reads some of the answers, and those that were on their way when the daemon was killed.
            var answered: Int64 = 0
            let enough = Int64(random.next() % 100)
            while answered < enough {
                _ = try keeper.next()
                answered += 1
            }
            daemon.send(signal: SIGKILL)
            #expect(try daemon.waitForEnd() == -SIGKILL)
            while keeper.nextOrEnd() != nil { answered += 1 }
            #expect(try DatabaseFile.check(state.file("store.sqlite")) == "ok")

            try daemon.restart(arguments: arguments)
            keeper = try Keeper(daemon)
            let found = try count(keeper)
            #expect(found >= stored + answered && found <= stored + sent, "round \(round)")
            if answered < sent { unanswered += 1 }
            stored = found
        }
        // Otherwise nothing was under way at the moment of any kill.
        #expect(unanswered > 0)
    }

    /// Counts from `number` - 1 to `number`, and leaves a trace of it.
    private func step(to number: Int64) -> JSONValue {
        [
            "transaction": [
                ["expect": "count", "value": number == 1 ? .null : .int(number - 1)],
                ["set": .string("step/\(number)"), "value": .int(number)],
                ["set": "count", "value": .int(number)],
            ]
        ]
    }

    /// The count, which is the number of traces: no transaction is there by half.
    private func count(_ keeper: Keeper) throws -> Int64 {
        guard case .answer(let value) = try keeper.ask(["get": "count"]) else { return -1 }
        var traces: Int64 = 0
        var after: JSONValue = nil
        repeat {
            guard case .answer(let page) = try keeper.ask(["list": "step/", "after": after])
            else { return -1 }
            for entry in page["entries"]?.array ?? [] {
                traces += 1
                let number = entry["value"]?.int ?? 0
                #expect(entry["key"]?.string == "step/\(number)" && number <= value.int ?? 0)
            }
            after = page["after"] ?? .null
        } while !after.isNull
        #expect(traces == value.int ?? 0)
        return traces
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `the best record survives a restart`(_ signal: Int32) throws {
        let state = TemporaryFolder()
        let arguments = ["--state-directory", state.path]
        let daemon = try DaemonProcess(arguments: arguments)
        let client = try daemon.connect()
        _ = try client.call(
            "instance.open", ["feature": "find-number", "name": "game", "clock": "real"])
        // The first number to find is 1.
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        while try storeAnswers(client) < 2 {}
        daemon.send(signal: signal)
        _ = try daemon.waitForEnd()
        try daemon.restart(arguments: arguments)
        let again = try daemon.connect()
        _ = try again.call(
            "instance.open", ["feature": "find-number", "name": "game", "clock": "real"])
        _ = try again.call("stream.subscribe", ["instance": "game", "output": "bestRecord"])
        var best: JSONValue?
        while best != 1 { best = try again.message()["params"]?["value"] ?? best }
        #expect(best == 1)
    }

    private func storeAnswers(_ client: WireClient) throws -> Int {
        let events = try client.call("instance.record", ["instance": "game"])["events"]?.array ?? []
        return events.count { $0["kind"] == "answer" && $0["port"] == "store" }
    }

    @Test func `what was asked before the daemon is stopped is finished`() throws {
        let state = TemporaryFolder()
        let arguments = ["--state-directory", state.path]
        let daemon = try DaemonProcess(arguments: arguments, plugins: Keeper.plugins)
        let keeper = try Keeper(daemon)
        for number: Int64 in 1...300 { keeper.send(step(to: number)) }
        _ = try keeper.client.call("daemon.stop")
        #expect(try daemon.waitForEnd() == 0)
        #expect(!Files.exists(state.file("store.sqlite-wal")))
        try daemon.restart(arguments: arguments)
        #expect(try count(Keeper(daemon)) == 300)
    }

    @Test func `two daemons share a state directory and lose nothing`() throws {
        let state = TemporaryFolder()
        let daemons = try (0..<2).map { _ in
            try DaemonProcess(
                arguments: ["--state-directory", state.path], plugins: Keeper.plugins)
        }
        let keepers = try daemons.map { try Keeper($0) }
        var counted = [0, 0]
        var lost = 0
        for _ in 0..<60 {
            // Both from the same number: one of them comes too late, and is told.
            guard case .answer(let now) = try keepers[0].ask(["get": "count"]) else { break }
            let next = (now.int ?? 0) + 1
            for keeper in keepers { keeper.send(step(to: next)) }
            for (index, keeper) in keepers.enumerated() {
                guard case .answer(let answer) = try keeper.next() else { continue }
                if answer["done"] == true { counted[index] += 1 } else { lost += 1 }
            }
        }
        #expect(counted[0] + counted[1] == 60 && lost == 60)
        #expect(try count(keepers[1]) == 60)
    }

    @Test func `a game that ends before the store has answered takes nothing from the record`()
        throws
    {
        let state = TemporaryFolder()
        let daemon = try DaemonProcess(arguments: ["--state-directory", state.path])
        let client = try daemon.connect()
        let open: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": "instance.open",
            "params": [
                "feature": "find-number", "name": "game", "clock": "real",
                "options": ["min": 1, "max": 1],
            ],
        ]
        let guess: JSONValue = [
            "jsonrpc": "2.0", "id": 2, "method": "instance.send",
            "params": ["instance": "game", "input": "checkNumber", "value": 1],
        ]
        let close: JSONValue = [
            "jsonrpc": "2.0", "id": 3, "method": "instance.close", "params": ["instance": "game"],
        ]
        client.send(line: JSONValue.array([open, guess, guess, guess]).text)
        _ = try client.line()
        // What was there, and three records.
        while try storeAnswers(client) < 4 {}
        client.send(line: JSONValue.array([close, open, guess, close]).text)
        _ = try client.line()
        client.send(line: open.text)
        _ = try client.line()
        _ = try client.call("stream.subscribe", ["instance": "game", "output": "bestRecord"])
        var best: JSONValue = 0
        while best == 0 { best = try client.message()["params"]?["value"] ?? best }
        #expect(best == 3)
    }

    @Test func `a damaged file costs the store and nothing else`() throws {
        let state = TemporaryFolder()
        let file = state.file("store.sqlite")
        try Files.write(Array(repeating: 0x5A, count: 20_000), to: file)
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", state.path],
            plugins: Keeper.plugins + ["libFindNumber.so"])
        let keeper = try Keeper(daemon)
        let refusal = try keeper.ask(["set": "a", "value": 1])
        #expect(refusal.kind == "damaged" && refusal.message.contains(file))
        #expect(daemon.log.contains(file) && daemon.log.contains("Move it away"))
        let status = try keeper.client.call("daemon.status")["store"]
        #expect(status?["file"]?.string == file)
        #expect(status?["problem"]?.string == refusal.message)

        // The game that cannot restore its record is played all the same.
        let client = try daemon.connect()
        _ = try client.call("instance.open", ["feature": "find-number", "name": "game"])
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        let best = try client.call(
            "instance.read", ["instance": "game", "output": "bestRecord"])
        #expect(best["value"] == 1)
        #expect(Files.bytes(file) == Array(repeating: 0x5A, count: 20_000))

        #expect(rename(file, file + ".damaged") == 0)
        #expect(try keeper.ask(["set": "a", "value": 1]) == .answer(nil))
        #expect(try keeper.client.call("daemon.status")["store"]?["problem"] == nil)
    }

    @Test func `without its library the store is refused, and put there it works`() throws {
        let home = TemporaryFolder()
        let state = TemporaryFolder()
        let (program, library) = (home.file("marbled"), home.file("libMarbledStore.so"))
        // By another program: a child of ours that holds it open for writing would keep it from being run.
        let copy = try Spawn.run(
            "/bin/cp", [Products.path("marbled"), program], output: home.file("copy.log"))
        #expect(try Spawn.wait(copy) == 0)
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", state.path], environment: Products.libraries,
            plugins: Keeper.plugins, program: program)
        let keeper = try Keeper(daemon)
        let refusal = try keeper.ask(["set": "a", "value": 1])
        #expect(refusal.kind == "unavailable" && refusal.message.contains(library))
        let status = try keeper.client.call("daemon.status")["store"]
        #expect(status?["problem"]?.string == refusal.message)
        #expect(daemon.log.contains(refusal.message))

        #expect(symlink(Products.path("libMarbledStore.so"), library) == 0)
        #expect(try keeper.ask(["set": "a", "value": 1]) == .answer(nil))
        #expect(try keeper.client.call("daemon.status")["store"]?["problem"] == nil)
    }

    @Test func `a daemon maps the library when the first feature asks for its store`() throws {
        let state = TemporaryFolder()
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", state.path], plugins: Keeper.plugins)
        let keeper = try Keeper(daemon)
        let maps = "/proc/\(daemon.pid)/maps"
        #expect(!Files.text(maps).contains("libMarbledStore.so"))
        #expect(!Files.text(maps).contains("libsqlite3.so"))
        #expect(try keeper.ask(["get": "a"]) == .answer(nil))
        #expect(Files.text(maps).contains("libMarbledStore.so"))
    }

    @Test func `without a state directory a store is kept in memory, and the log says so`() throws {
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", "none"], plugins: Keeper.plugins)
        let keeper = try Keeper(daemon)
        #expect(try keeper.ask(["set": "a", "value": 1]) == .answer(nil))
        #expect(try keeper.ask(["get": "a"]) == .answer(1))
        #expect(try keeper.client.call("daemon.status")["store"] == ["kind": "memory"])
        #expect(daemon.log.contains("warning: what asker stores is kept in memory"))
    }

    @Test func `virtual instances touch no file`() throws {
        let state = TemporaryFolder()
        let daemon = try DaemonProcess(arguments: [
            "--state-directory", state.path, "--clock", "virtual",
        ])
        let client = try daemon.connect()
        _ = try client.call("instance.open", ["feature": "find-number", "name": "game"])
        _ = try client.call(
            "instance.send", ["instance": "game", "input": "checkNumber", "value": 1])
        _ = try client.call("clock.run", ["instance": "game"])
        #expect(try storeAnswers(client) == 2)
        #expect(!Files.exists(state.file("store.sqlite")))
    }
}

/// What disks do. Needs root, and the right to mount in a namespace of its own.
@Suite(
    "The store of a running daemon, on bad disks", .enabled(if: Mounts.areAllowed, "needs mounts"))
struct StoreDiskTests {
    @Test func `a full disk is named, what was stored stays, and room makes it work again`() throws
    {
        let state = TemporaryFolder()
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", state.path], plugins: Keeper.plugins,
            launcher: Mounts.launcher(
                "mount -t tmpfs -o size=600k tmpfs $1; head -c 200000 /dev/zero >$1/filler",
                state.path))
        let keeper = try Keeper(daemon)
        let value = JSONValue.string(String(repeating: "x", count: 20_000))
        var kept = 0
        var refusal: Keeper.Said?
        while refusal == nil, kept < 100 {
            let said = try keeper.ask(["set": .string("k\(kept)"), "value": value])
            if said == .answer(nil) { kept += 1 } else { refusal = said }
        }
        #expect(refusal?.kind == "full")
        #expect(
            refusal?.message.contains("\(state.path)/store.sqlite cannot grow: its disk is full")
                == true
        )
        #expect(kept > 0)
        for number in 0..<kept {
            #expect(try keeper.ask(["get": .string("k\(number)")]) == .answer(value))
        }
        try Mounts.run("rm \(state.path)/filler", in: daemon)
        #expect(try keeper.ask(["set": "more", "value": value]) == .answer(nil))
        #expect(try keeper.client.call("daemon.status")["store"]?["problem"] == nil)
    }

    /// How the daemon of before ended; nil when there was none.
    @Test(arguments: [nil, SIGTERM, SIGKILL])
    func `a read-only disk is named, and made writable it works`(_ ending: Int32?) throws {
        let state = TemporaryFolder()
        let arguments = ["--state-directory", state.path]
        if let ending {
            let before = try DaemonProcess(arguments: arguments, plugins: Keeper.plugins)
            #expect(try Keeper(before).ask(["set": "a", "value": 1]) == .answer(nil))
            before.send(signal: ending)
            _ = try before.waitForEnd()
        }
        let daemon = try DaemonProcess(
            arguments: arguments, plugins: Keeper.plugins,
            launcher: Mounts.launcher(
                "mount --bind $1 $1; mount -o remount,bind,ro $1", state.path))
        let keeper = try Keeper(daemon)
        for request: JSONValue in [["set": "a", "value": 2], ["get": "a"]] {
            let said = try keeper.ask(request)
            #expect(said.kind == "readOnly", "\(said)")
            #expect(said.message.contains("\(state.path)/store.sqlite cannot be written"))
        }
        try Mounts.run("mount -o remount,bind,rw \(state.path)", in: daemon)
        #expect(try keeper.ask(["get": "a"]) == .answer(ending == nil ? nil : 1))
        #expect(try keeper.ask(["set": "a", "value": 2]) == .answer(nil))
    }
}

/// Mounts that only one daemon sees, and that go with it.
enum Mounts {
    /// Whether this machine lets us: found out by doing it.
    static let areAllowed: Bool = {
        guard geteuid() == 0, Files.exists("/usr/bin/unshare"), Files.exists("/usr/bin/nsenter"),
            let child = try? Spawn.run(
                "/usr/bin/unshare",
                ["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
                output: "/dev/null")
        else { return false }
        return (try? Spawn.wait(child)) == 0
    }()

    /// Becomes the daemon after `script`, in which `$1` is `folder`.
    static func launcher(_ script: String, _ folder: String) -> [String] {
        [
            "/usr/bin/unshare", "--mount", "--propagation", "private", "sh", "-ec",
            script + "; shift; exec \"$@\"", "sh", folder,
        ]
    }

    /// Runs a command among the mounts of a daemon.
    static func run(_ command: String, in daemon: DaemonProcess) throws {
        let log = "\(daemon.folder)/command.log"
        let child = try Spawn.run(
            "/usr/bin/nsenter", ["--target", "\(daemon.pid)", "--mount", "sh", "-ec", command],
            output: log)
        guard try Spawn.wait(child) == 0 else { throw Failure("\(command): \(Files.text(log))") }
    }
}
