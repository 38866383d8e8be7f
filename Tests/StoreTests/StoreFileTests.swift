// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import MarbledHost
import TestSupport
import Testing

@testable import Store

/// What the world does to a file, and what the store does about it.
@Suite("The store's file")
struct StoreFileTests {
    @Test func `it is made at the first request, for its owner alone, with the folders above it`()
        throws
    {
        let root = TemporaryFolder()
        let folder = root.file("a/b")
        let store = try StoreLab(folder: folder)
        #expect(!Files.exists(folder))
        #expect(store.ask(["set": "a", "value": 1]) == .json(nil))
        #expect(Files.mode(store.path) == 0o600)
        #expect(Files.mode(store.path + "-wal") == 0o600)
        #expect(Files.mode(folder) == 0o700)
    }

    @Test
    func `what can be seen to be wrong is told before the first request, and nothing is made`()
        throws
    {
        let root = TemporaryFolder()
        #expect(try StoreLab(folder: root.file("a/b")).file.problem == nil)
        #expect(!Files.exists(root.file("a")))
        #expect(mkdir(root.file("empty"), 0o700) == 0)
        try Files.write("", to: root.file("empty/store.sqlite"))
        #expect(try StoreLab(folder: root.file("empty")).file.problem == nil)

        #expect(mkdir(root.file("garbage"), 0o700) == 0)
        try Files.write("no database", to: root.file("garbage/store.sqlite"))
        #expect(try StoreLab(folder: root.file("garbage")).file.problem?.kind == .damaged)
        #expect(Files.text(root.file("garbage/store.sqlite")) == "no database")
        #expect(mkdir(root.file("folder"), 0o700) == 0)
        #expect(mkdir(root.file("folder/store.sqlite"), 0o700) == 0)
        #expect(try StoreLab(folder: root.file("folder")).file.problem?.kind == .unavailable)
        try Files.write("", to: root.file("plain"))
        for folder in ["plain", "plain/below"] {
            let problem = try StoreLab(folder: root.file(folder)).file.problem
            #expect(problem?.kind == .unavailable && problem?.message.contains("plain") == true)
        }

        let sound = try StoreLab()
        #expect(sound.ask(["set": "a", "value": 1]) == .json(nil))
        sound.reopen()
        #expect(sound.file.problem == nil)
    }

    @Test func `what was stored is there for the next one, plugin by plugin`() throws {
        let store = try StoreLab()
        _ = store.ask(["set": "a", "value": 1], plugin: "p")
        _ = store.ask(["set": "a", "value": 2], plugin: "q")
        store.reopen()
        #expect(!Files.exists(store.path + "-wal"))
        #expect(store.ask(["get": "a"], plugin: "p") == .json(1))
        #expect(store.ask(["get": "a"], plugin: "q") == .json(2))
        #expect(store.ask(["get": "a"], plugin: "r") == .json(nil))
    }

    @Test func `keys are counted for each plugin alone`() throws {
        var limits = StoreLimits()
        limits.keys = 1
        let store = try StoreLab(limits: limits)
        #expect(store.ask(["set": "a"], plugin: "p") == .json(nil))
        #expect(store.ask(["set": "a"], plugin: "q") == .json(nil))
        #expect(store.ask(["set": "b"], plugin: "q") == .refused(.full))
    }

    @Test func `answers come in order, and one request's refusal is not another's`() throws {
        let store = try StoreLab()
        var requests: [JSONValue] = []
        for number in 1...300 {
            let (old, new) = (JSONValue.int(Int64(number - 1)), JSONValue.int(Int64(number)))
            requests.append([
                "transaction": [
                    ["expect": "n", "value": number == 1 ? .null : old],
                    ["set": "n", "value": new],
                ]
            ])
            if number % 7 == 0 { requests.append(["transaction": [["expect": "n"]]]) }
        }
        let said = store.askAll(requests)
        for (request, answer) in zip(requests, said) {
            let isWrong = request["transaction"]?.array?.count == 1
            #expect(answer.value?["done"] == .bool(!isWrong))
        }
        #expect(store.ask(["get": "n"]) == .json(300))
    }

    @Test func `closing finishes what was asked`() throws {
        let store = try StoreLab()
        for number in 0..<500 {
            store.file.perform(
                ["set": .string("k\(number)"), "value": .int(Int64(number))], plugin: "p"
            ) { _ in }
        }
        #expect(store.file.close(patience: .seconds(20)) == 0)
        store.reopen()
        #expect(store.ask(["list": "k"]).value?["entries"]?.array?.count == 500)
    }

    @Test func `one that is closed refuses`() throws {
        let store = try StoreLab()
        _ = store.ask(["set": "a"])
        store.file.close(patience: .seconds(20))
        #expect(store.ask(["get": "a"]) == .refused(.unavailable))
    }

    @Test func `more than may wait is refused, and what waits is done`() throws {
        let store = try StoreLab(patience: 20_000)
        _ = store.ask(["set": "a", "value": 0])
        let other = try Outsider(path: store.path)
        try other.run("BEGIN IMMEDIATE")
        var answers: [Said] = []
        // Those that the thread has taken already wait beside the bound.
        let count = StoreThread.waitingOrders * 2 + 100
        for number in 1...count {
            store.file.perform(["set": "a", "value": .int(Int64(number))], plugin: "p") {
                answers.append(Said($0))
            }
        }
        let refused = answers.count
        #expect(refused >= StoreThread.waitingOrders)
        #expect(answers.allSatisfy { $0 == .refused(.busy) })
        #expect(answers.first?.message.contains(store.path) == true)
        try other.run("ROLLBACK")
        store.turn { answers.count == count }
        #expect(store.ask(["get": "a"]) == .json(.int(Int64(count - refused))))
    }

    // MARK: Others at the file

    @Test func `another process that keeps the file makes it busy, and readers go on`() throws {
        let store = try StoreLab()
        _ = store.ask(["set": "a", "value": 1])
        let other = try Outsider(path: store.path)
        try other.run("BEGIN IMMEDIATE")
        let refusal = store.ask(["set": "a", "value": 2])
        #expect(refusal == .refused(.busy))
        #expect(refusal.message.contains(store.path) && refusal.message.contains("fuser"))
        #expect(store.ask(["get": "a"]) == .json(1))
        try other.run("COMMIT")
        #expect(store.ask(["set": "a", "value": 3]) == .json(nil))
    }

    @Test func `a database of another program is left alone`() throws {
        let store = try StoreLab()
        do {
            let other = try Outsider(path: store.path)
            try other.run("CREATE TABLE theirs (a)")
        }
        try expectRefused(store, .unavailable, "some other program")
    }

    @Test func `a file of a later version is left alone`() throws {
        let store = try StoreLab()
        _ = store.ask(["set": "a", "value": 1])
        store.reopen()
        do {
            let other = try Outsider(path: store.path)
            try other.run("PRAGMA user_version = 9")
        }
        // The connection above closed its log away.
        try expectRefused(store, .unavailable, "later marbled")
    }

    @Test func `a file that is moved away while it is open is not written to any more`() throws {
        let store = try StoreLab()
        _ = store.ask(["set": "a", "value": 1])
        for end in ["", "-wal", "-shm"] {
            #expect(rename(store.path + end, store.path + ".away" + end) == 0)
        }
        let before = ["", "-wal"].map { Files.bytes(store.path + ".away" + $0) }
        #expect(store.ask(["get": "a"]) == .json(nil))
        #expect(store.ask(["set": "a", "value": 2]) == .json(nil))
        #expect(["", "-wal"].map { Files.bytes(store.path + ".away" + $0) } == before)
        let away = try Outsider(path: store.path + ".away")
        #expect(try away.number("SELECT value FROM entry") == 1)
    }

    // MARK: Full, and read-only

    @Test func `at the bound of its size it is full, says so, and keeps what it has`() throws {
        var limits = StoreLimits()
        limits.fileBytes = 1 << 18
        let store = try StoreLab(limits: limits)
        let value = JSONValue.string(String(repeating: "x", count: 50_000))
        var kept = 0
        var refusal: Said?
        for number in 0..<20 where refusal == nil {
            let answer = store.ask(["set": .string("k\(number)"), "value": value])
            if answer == .json(nil) { kept += 1 } else { refusal = answer }
        }
        #expect(refusal == .refused(.full))
        #expect(refusal?.message.contains(store.path) == true)
        #expect(refusal?.message.contains("storeBytes") == true)
        #expect((1...5).contains(kept))
        #expect(store.lines.count == 1 && store.file.problem?.kind == .full)
        for number in 0..<kept {
            #expect(store.ask(["get": .string("k\(number)")]) == .json(value))
        }
        #expect(store.ask(["remove": "k0"]) == .json(nil))
        #expect(store.ask(["set": "new", "value": value]) == .json(nil))
        #expect(store.file.problem == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write where it likes"))
    func `a folder that may not be written is said to be read-only`() throws {
        let folder = TemporaryFolder()
        chmod(folder.path, 0o500)
        let store = try StoreLab(folder: folder.path)
        let refusal = store.ask(["set": "a"])
        #expect(refusal == .refused(.readOnly))
        #expect(refusal.message.contains(store.path))
    }

    @Test func `a place that cannot be a folder is named`() throws {
        let root = TemporaryFolder()
        let file = root.file("file")
        try Files.write([1], to: file)
        let store = try StoreLab(folder: file + "/state")
        let refusal = store.ask(["get": "a"])
        #expect(refusal == .refused(.unavailable))
        #expect(refusal.message.contains(store.path) && refusal.message.contains("Not a directory"))
    }

    // MARK: Damage

    /// What is done to the bytes of a sound file.
    enum Damage: CaseIterable {
        case header, text, cutShort, cutInHeader, emptyBesideItsLog, goneBesideItsLog

        func apply(to store: StoreLab) throws {
            let path = store.path
            var bytes = Files.bytes(path)
            switch self {
            case .header: bytes.replaceSubrange(0..<100, with: repeatElement(0x5A, count: 100))
            case .text: bytes = Array("this is no database, but somebody's diary\n".utf8)
            case .cutShort: bytes.removeLast(bytes.count / 2)
            case .cutInHeader: bytes.removeLast(bytes.count - 70)
            case .emptyBesideItsLog: bytes = []
            case .goneBesideItsLog: break
            }
            try Files.write(bytes, to: path)
            if self == .goneBesideItsLog { unlink(path) }
            if self == .goneBesideItsLog || self == .emptyBesideItsLog {
                try Files.write([UInt8](repeating: 7, count: 8_192), to: path + "-wal")
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `a damaged file is left as it is, and moved away makes room for a new one`(
        _ damage: Damage
    ) throws {
        let store = try StoreLab()
        for number in 0..<200 {
            _ = store.ask(["set": .string("k\(number)"), "value": .string("v\(number)")])
        }
        store.reopen()
        try damage.apply(to: store)
        let files = [store.path, store.path + "-wal"]
        let before = files.map { Files.bytes($0) }
        for request: JSONValue in [["get": "k0"], ["set": "k0", "value": 1], ["list": ""]] {
            let refusal = store.ask(request)
            #expect(refusal == .refused(.damaged), "\(refusal)")
            #expect(
                refusal.message.contains(store.path) && refusal.message.contains("Move it away"))
        }
        #expect(files.map { Files.bytes($0) } == before)
        #expect(store.lines.count == 1, "\(store.lines)")
        for file in files where Files.exists(file) {
            #expect(rename(file, file + ".damaged") == 0)
        }
        #expect(store.ask(["set": "k0", "value": 1]) == .json(nil))
        #expect(store.ask(["get": "k0"]) == .json(1))
        #expect(store.lines.count == 2 && store.file.problem == nil)
        #expect(files.map { Files.bytes($0 + ".damaged") } == before)
    }

    @Test(arguments: 1...12)
    func `garbage in a page is found or does not matter: a wrong value never comes`(
        _ seed: UInt64
    ) throws {
        let store = try StoreLab()
        for number in 0..<60 {
            let text = String(repeating: "\(number),", count: number * 7)
            _ = store.ask(["set": .string("k\(number)"), "value": .string(text)])
        }
        store.reopen()
        var bytes = Files.bytes(store.path)
        var random = SeededRandom(seed: seed)
        let page = 1 + Int(random.next() % UInt64(bytes.count / 4_096 - 1))
        for offset in page * 4_096..<(page + 1) * 4_096 {
            bytes[offset] = UInt8(truncatingIfNeeded: random.next())
        }
        try Files.write(bytes, to: store.path)
        var damaged = 0
        for number in 0..<60 {
            let answer = store.ask(["get": .string("k\(number)")])
            let text = String(repeating: "\(number),", count: number * 7)
            if answer == .refused(.damaged) {
                damaged += 1
            } else {
                #expect(answer == .json(.string(text)))
            }
        }
        #expect(damaged > 0)
        #expect(Files.bytes(store.path) == bytes)
    }

    @Test func `a value that is no JSON is damage, and the others are read`() throws {
        let store = try StoreLab()
        for key in ["a", "b", "c"] { _ = store.ask(["set": .string(key), "value": 1]) }
        do {
            let other = try Outsider(path: store.path)
            try other.run("UPDATE entry SET value = '{' WHERE key = 'b'")
        }
        let refusal = store.ask(["get": "b"])
        #expect(refusal == .refused(.damaged) && refusal.message.contains("key \"b\""))
        #expect(store.ask(["list": ""]) == .refused(.damaged))
        #expect(store.ask(["get": "c"]) == .json(1))
        #expect(store.ask(["set": "b", "value": 2]) == .json(nil))
        #expect(store.ask(["get": "b"]) == .json(2))
    }

    @Test func `the log of a damaged file is not moved into it`() throws {
        let before = try StoreLab()
        for number in 0..<40 {
            let value = JSONValue.string(String(repeating: "x", count: 3_000))
            _ = before.ask(["set": .string("k\(number)"), "value": value])
        }
        before.reopen()
        _ = before.ask(["set": "k0", "value": "in the log"])
        // What a daemon that was killed leaves behind, with a page of it spoilt.
        let store = try StoreLab()
        var bytes = Files.bytes(before.path)
        bytes.replaceSubrange(4_096..<8_192, with: repeatElement(0x5A, count: 4_096))
        bytes.replaceSubrange(8_192..<12_288, with: repeatElement(0x5A, count: 4_096))
        let log = Files.bytes(before.path + "-wal")
        #expect(!log.isEmpty)
        try Files.write(bytes, to: store.path)
        try Files.write(log, to: store.path + "-wal")
        for number in 0..<40 { _ = store.ask(["get": .string("k\(number)")]) }
        #expect(store.ask(["list": ""]) == .refused(.damaged))
        #expect(Files.bytes(store.path) == bytes)
        #expect(Files.bytes(store.path + "-wal") == log)
    }

    private func expectRefused(
        _ store: StoreLab, _ kind: StoreFault.Kind, _ words: String
    ) throws {
        let before = Files.bytes(store.path)
        #expect(!before.isEmpty)
        for request: JSONValue in [["get": "a"], ["set": "a", "value": 5]] {
            let refusal = store.ask(request)
            #expect(refusal == .refused(kind))
            #expect(refusal.message.contains(store.path) && refusal.message.contains(words))
        }
        #expect(Files.bytes(store.path) == before)
    }
}
