// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport
import Testing

/// Each fault that `marblectl doctor` knows, made for real: it is named, with what to do, and the exit code
/// says where to look.
@Suite("The doctor")
struct DoctorTests {
    private static func daemon(
        _ arguments: [String] = [], plugins: [String] = ["libCounter.so"]
    ) throws -> DaemonProcess {
        try DaemonProcess(arguments: ["--state-directory", "none"] + arguments, plugins: plugins)
    }

    /// What the doctor finds: each problem with its advice.
    private func findings(
        socket: String, in folder: String, arguments: [String] = []
    ) throws -> (status: Int32, problems: [JSONValue], text: String) {
        let (status, text) = try Marblectl.run(
            ["--socket", socket, "doctor", "-o", "json"] + arguments, in: folder)
        let all = try JSONValue(parsing: text)["findings"]?.array ?? []
        let problems = all.filter { $0["ok"]?.bool == false }
        for problem in problems {
            #expect(problem["advice"]?.string?.isEmpty == false, "\(problem)")
        }
        return (status, problems, text)
    }

    @Test func `a daemon that is well has no problem`() throws {
        let daemon = try Self.daemon()
        let (status, problems, text) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 0 && problems.isEmpty, "\(text)")
    }

    @Test func `where there is no socket, it says how to start one`() throws {
        let folder = TemporaryFolder()
        let (status, problems, _) = try findings(socket: folder.file("none"), in: folder.path)
        #expect(status == 2)
        #expect(problems[0]["text"]?.string?.contains("No such file") == true)
        #expect(
            problems[0]["advice"]?.string?.contains("`marbled --socket \(folder.path)/none`")
                == true)
    }

    @Test func `a file is no socket`() throws {
        let folder = TemporaryFolder()
        try folder.write("", to: "file")
        let (status, problems, _) = try findings(socket: folder.file("file"), in: folder.path)
        #expect(status == 2)
        #expect(problems[0]["text"]?.string?.hasSuffix("is no socket") == true)
    }

    @Test func `a socket that was left over is told from one that is not there`() throws {
        let daemon = try Self.daemon()
        daemon.send(signal: SIGKILL)
        _ = try daemon.waitForEnd()
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 2)
        #expect(problems.count == 1)
        #expect(problems[0]["text"]?.string?.contains("nobody listens on it") == true)
    }

    @Test func `a daemon that was stopped is named with its process`() throws {
        let daemon = try Self.daemon()
        daemon.send(signal: SIGSTOP)
        defer { daemon.send(signal: SIGCONT) }
        let (status, problems, _) = try findings(
            socket: daemon.socket, in: daemon.folder, arguments: ["--timeout", "300ms"])
        #expect(status == 4)
        #expect(
            problems.map { $0["advice"] } == [.string("Let it go on: `kill -CONT \(daemon.pid)`.")])
    }

    @Test func `a socket that everybody may use is a problem`() throws {
        let daemon = try Self.daemon(["--mode", "0666"])
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 1)
        #expect(problems.map { $0["subject"] } == ["socket"])
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes somebody else"))
    func `who may not connect, and who may do nothing, is told what would help`() throws {
        func asNobody(_ daemon: DaemonProcess) throws -> (status: Int32, text: String) {
            // Root alone sees into the folder of a test.
            chmod(daemon.folder, 0o755)
            let output = "\(daemon.folder)/out"
            // A copy where nobody may read it; the libraries are the toolchain's.
            let child = try Spawn.run(
                "/usr/bin/setpriv",
                [
                    "--reuid", "65534", "--regid", "65534", "--clear-groups",
                    Products.path("marblectl"), "--socket", daemon.socket, "doctor",
                ], environment: Products.libraries, output: output)
            return (try Spawn.wait(child), Files.text(output))
        }
        let closed = try asNobody(try Self.daemon())
        // Where the build itself is closed to others, the program cannot even be started.
        guard closed.status != 126, closed.status != 127 else { return }
        #expect(closed.status == 2)
        #expect(closed.text.contains("is closed to you: owner root, group root, mode 0600"))
        #expect(closed.text.contains("--mode 0660 --group GROUP"))
        let group = try asNobody(try Self.daemon(["--mode", "0660"]))
        #expect(group.text.contains("sudo usermod -aG root nobody"), "\(group.text)")
        let open = try asNobody(try Self.daemon(["--mode", "0666"]))
        #expect(open.status == 1)
        #expect(open.text.contains("user 65534 may do nothing here"))
        #expect(open.text.contains("Ask the daemon's owner for the right"))
    }

    @Test func `a store that cannot be used is found before anybody asks it`() throws {
        let state = TemporaryFolder()
        try state.write("no database at all", to: "store.sqlite")
        let daemon = try DaemonProcess(
            arguments: ["--state-directory", state.path], plugins: ["libCounter.so"])
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 1)
        #expect(problems.map { $0["subject"] } == ["store"])
        #expect(problems.first?["text"]?.string?.contains("is damaged") == true)
    }

    @Test func `a manifest that was refused is named with the reason`() throws {
        let daemon = try Self.daemon()
        try Files.write("{", to: "\(daemon.folder)/half.plugin.json")
        let old = Files.text("\(daemon.folder)/counter.plugin.json")
            .replacing("\"major\": 1", with: "\"major\": 9")
        try Files.write(old, to: "\(daemon.folder)/old.plugin.json")
        _ = try daemon.connect().call("daemon.reload")
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 1)
        let texts = problems.compactMap { $0["text"]?.string }
        #expect(texts.count == 2)
        #expect(texts[0] == "\(daemon.folder)/half.plugin.json: it is not JSON")
        #expect(texts[1].contains("/abi/major is 9"))
    }

    @Test func `a build that is not the one of its manifest is found before anybody opens it`()
        throws
    {
        let daemon = try Self.daemon()
        let file = "\(daemon.folder)/counter.plugin.json"
        let other = Files.text(file).replacing("Back to zero.", with: "To zero.")
        try Files.write(other, to: file)
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 1)
        #expect(problems.map { $0["subject"] } == ["plugin counter"])
        #expect(problems[0]["advice"]?.string?.contains("libCounter.so --write`") == true)
    }

    @Test func `a library that cannot be loaded is named`() throws {
        let daemon = try Self.daemon()
        let link = "\(daemon.folder)/libCounter.so"
        unlink(link)
        try Files.write("not a library", to: link)
        let (status, problems, _) = try findings(socket: daemon.socket, in: daemon.folder)
        #expect(status == 1)
        #expect(problems.map { $0["subject"] } == ["plugin counter"])
        #expect(problems[0]["text"]?.string?.contains("cannot be loaded") == true)
    }

    @Test(arguments: [
        ("0.0.1", 1, "version", "Restart the daemon after an update"),
        ("99.0.0", 1, "version", "Update marblectl"),
        ("0.1.0", 2, "protocol", "Install marbled and marblectl from one release"),
    ])
    func `a daemon of another version is told from one of another protocol`(
        _ version: String, _ spoken: Int64, _ subject: String, _ advice: String
    ) throws {
        let folder = TemporaryFolder()
        let hello: JSONValue = [
            "version": .string(version), "protocol": .int(spoken), "level": "admin",
        ]
        let found = try findings(socket: folder.file("s"), in: folder.path) {
            [hello, [:], ["plugins": [["id": "p"]], "refusals": []], ["instances": []]]
        }
        #expect(found.status == 1)
        #expect(found.problems.map { $0["subject"] } == [.string(subject)], "\(found.text)")
        #expect(found.problems.first?["advice"]?.string?.hasPrefix(advice) == true)
    }

    @Test func `what speaks no JSON is told from a daemon`() throws {
        let folder = TemporaryFolder()
        let found = try findings(socket: folder.file("s"), in: folder.path) { [] }
        #expect(found.status == 2, "\(found.text)")
        #expect(
            found.problems[0]["text"]?.string?.contains("does not speak as marbled does") == true)
    }

    /// What the doctor finds where somebody else listens, with these answers to its questions, and with
    /// none at all a greeting that is no JSON.
    private func findings(
        socket path: String, in folder: String, answering answers: () -> [JSONValue]
    ) throws -> (status: Int32, problems: [JSONValue], text: String) {
        let listener = try Listener(path)
        let output = "\(folder)/out"
        let child = try Spawn.run(
            Products.path("marblectl"), ["--socket", path, "doctor", "-o", "json"], output: output)
        let client = try listener.accept()
        let answers = answers()
        if answers.isEmpty { client.send(raw: "220 mail.example ESMTP\n".utf8) }
        for (index, answer) in answers.enumerated() {
            _ = try client.line()
            let line: JSONValue = [
                "jsonrpc": "2.0", "id": .int(Int64(index + 1)), "result": answer,
            ]
            client.send(raw: (line.text + "\n").utf8)
        }
        let status = try Spawn.wait(child)
        let text = Files.text(output)
        let all = try JSONValue(parsing: text)["findings"]?.array ?? []
        return (status, all.filter { $0["ok"]?.bool == false }, text)
    }
}

/// A socket on which the test itself listens.
private struct Listener {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0, chmod(path, 0o600) == 0, listen(descriptor, 1) == 0 else {
            throw Failure("no socket at \(path): \(errno)")
        }
    }

    /// Waits for a client.
    func accept() throws -> WireClient {
        defer { close(descriptor) }
        guard Wait.readable(descriptor, seconds: 20) else { throw Failure("nobody connects") }
        return WireClient(adopting: Glibc.accept(descriptor, nil, nil))
    }
}
