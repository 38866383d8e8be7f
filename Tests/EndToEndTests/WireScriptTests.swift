// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledClient
import MarbledDaemon
import TestSupport
import Testing

/// The protocol's rules, one script each, held against a daemon on the test's own thread, against the
/// real one, and through the command that users have.
@Suite("Wire scripts")
struct WireScriptTests {
    static let folder = "\(Checkout.path)/Tests/Wire"

    static let names = Files.names(in: folder).filter { $0.hasSuffix(".wire") }

    static func script(_ name: String) throws -> WireScript {
        try WireScriptReader.read(Files.text("\(folder)/\(name)"))
    }

    @Test(arguments: names)
    func `a script holds in process, and every message is as described`(_ name: String) throws {
        let script = try Self.script(name)
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        let daemon = try ConfinedDaemon(
            pluginPath: [plugins.path],
            limits: Dictionary(
                script.limits.map { ($0.name, Int($0.value)) }, uniquingKeysWith: { $1 }))
        defer { daemon.close() }
        var described = DescribedMessages(.ours)
        do throws(WireRun.Failure) {
            try WireRun.run(script) { () throws(ClientError) -> WireSocket in
                guard let descriptor = try? daemon.connect() else { throw .closed(nil) }
                return WireSocket(adopting: descriptor, turn: daemon.turn)
            } hear: {
                described.take($0)
            }
        } catch {
            Issue.record("\(name): \(error.sentence)\n\(error.picture.joined(separator: "\n"))")
        }
        #expect(described.complaints == [])
    }

    @Test(arguments: names)
    func `a script holds over the real socket`(_ name: String) throws {
        let script = try Self.script(name)
        let plugins = try TemporaryFolder(plugins: ["libFindNumber.so"])
        var arguments: [String] = []
        if !script.limits.isEmpty {
            let limits = script.limits.map { "  \($0.name): \($0.value)\n" }.joined()
            try Files.write("limits:\n\(limits)", to: "\(plugins.path)/marbled.yaml")
            arguments = ["--config", "\(plugins.path)/marbled.yaml"]
        }
        let daemon = try DaemonProcess(arguments: arguments)
        do throws(WireRun.Failure) {
            try WireRun.run(script) { () throws(ClientError) in
                try WireSocket.connect(to: daemon.socket)
            }
        } catch {
            Issue.record("\(name): \(error.sentence)\n\(error.picture.joined(separator: "\n"))")
        }
    }

    @Test func `every method is called by some script`() throws {
        var called: Set<String> = []
        for name in Self.names {
            for word in Files.text("\(Self.folder)/\(name)").split(separator: "\"") {
                called.insert(String(word))
            }
        }
        #expect(APIDescription.ours.methods.keys.filter { !called.contains($0) } == [])
    }

    @Test func `marblectl holds a script, and passes over one that needs other limits`() throws {
        let daemon = try DaemonProcess()
        let run = try Marblectl.run(
            [
                "wire", "--socket", daemon.socket, "\(Self.folder)/batch.wire",
                "\(Self.folder)/batch-limit.wire",
            ], in: daemon.folder)
        #expect(run.status == 0)
        #expect(run.text.contains("✓ A batch is answered with one array"), "\(run.text)")
        #expect(run.text.contains("for a daemon whose batchCalls is 2; here it is 100"))
        #expect(run.text.contains("1 passed"))
    }

    @Test func `marblectl holds all scripts one after the other, beside other plugins`() throws {
        let daemon = try DaemonProcess(plugins: ["libCounter.so", "libFindNumber.so"])
        let run = try Marblectl.run(
            ["wire", "--socket", daemon.socket, Self.folder], in: daemon.folder)
        #expect(run.status == 0, "\(run.text)")
    }

    @Test func `marblectl shows where a line differs`() throws {
        let daemon = try DaemonProcess()
        let file = "\(daemon.folder)/wrong.wire"
        try Files.write(
            """
            # Pings are answered.
            > {"jsonrpc":"2.0","id":1,"method":"daemon.ping"}
            < {"jsonrpc":"2.0","result":{},"id":2}
            """, to: file)
        let run = try Marblectl.run(["wire", "--socket", daemon.socket, file], in: daemon.folder)
        #expect(run.status == 6)
        #expect(
            run.text.contains(
                """
                    \(file): line 3: another line came

                    expected  {"jsonrpc":"2.0","result":{},"id":2}
                    actual    {"jsonrpc":"2.0","result":{},"id":1}
                                                                ^
                """), "\(run.text)")
    }
}
