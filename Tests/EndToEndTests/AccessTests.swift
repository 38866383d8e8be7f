// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONRPC
import TestSupport
import Testing

/// What users other than the daemon's own may do; only root can be somebody else to find out.
@Suite("Who may do what", .enabled(if: geteuid() == 0))
struct AccessTests {
    private static let user = 54_321

    /// What marblectl prints as that user, a member of these groups, for one call.
    private func call(
        _ daemon: DaemonProcess, _ method: String, user: Int = user, groups: String = ""
    ) throws -> (status: Int32, text: String) {
        let program = "\(daemon.folder)/marblectl"
        if !Files.exists(program) {
            // By a program of its own: what this one has open for writing, others started meanwhile inherit,
            // and the kernel runs no file that somebody may write.
            let copy = try Spawn.run(
                "/bin/cp", [Products.path("marblectl"), program],
                output: "\(daemon.folder)/copy.log")
            guard try Spawn.wait(copy) == 0 else { throw Failure("marblectl was not copied") }
            chmod(program, 0o755)
            // The folder is closed to others, and the socket's own mode is what is tested.
            chmod(daemon.folder, 0o755)
        }
        let output = "\(daemon.folder)/call.log"
        unlink(output)
        let child = try Spawn.run(
            "/usr/bin/setpriv",
            [
                "--reuid", "\(user)", "--regid", "\(user)",
                groups.isEmpty ? "--clear-groups" : "--groups=\(groups)", program, "--socket",
                daemon.socket, "-o", "json", "call", method,
            ], output: output)
        return (try Spawn.wait(child), Files.text(output))
    }

    private func daemon(_ access: String) throws -> (DaemonProcess, ConfigurationFile) {
        let file = try ConfigurationFile("mode: \"0666\"\ngroup: \"54000\"\n\(access)")
        return (try DaemonProcess(arguments: ["--config", file.path]), file)
    }

    @Test(arguments: [
        ("access: {others: read}", "", "read"), ("access: {others: admin}", "", "admin"),
        ("", "54000", "control"), ("", "7,54000,9", "control"),
        ("access: {users: {54321: read}}", "54000", "read"),
        ("access: {groups: {9: admin}}", "7,54000,9", "admin"),
    ])
    func `the kernel says who it is, and the configuration what that one may do`(
        _ access: String, _ groups: String, _ level: String
    ) throws {
        let (daemon, _) = try daemon(access)
        let (status, text) = try call(daemon, "daemon.hello", groups: groups)
        #expect(status == 0, "\(text)")
        #expect(try JSONValue(parsing: text)["level"] == .string(level))
    }

    @Test func `a method above the caller's level is refused, and says what it needs`() throws {
        let (daemon, _) = try daemon("access: {others: control}")
        #expect(try call(daemon, "instance.list").status == 0)
        let (status, text) = try call(daemon, "daemon.stop")
        #expect(status == 1)
        #expect(text.contains("daemon.stop needs the level \"admin\""), "\(text)")
        #expect(text.contains("you have control"), "\(text)")
        #expect(try daemon.connect().call("daemon.ping") == .object([]))
    }

    @Test func `who may do nothing is told so and turned away`() throws {
        let (daemon, _) = try daemon("")
        let (status, text) = try call(daemon, "daemon.ping")
        #expect(status != 0)
        #expect(text.contains("user 54321 may do nothing here"), "\(text)")
        let counters = try daemon.connect().call("daemon.status")["counters"]
        #expect(counters?["denied"] == 1)
        #expect(counters?["refused"] == 1)
    }

    @Test func `the socket lets in whom its mode lets in`() throws {
        let file = try ConfigurationFile("mode: \"0660\"\ngroup: \"54000\"")
        let daemon = try DaemonProcess(arguments: ["--config", file.path])
        #expect(try call(daemon, "daemon.ping").status == 2)
        #expect(try call(daemon, "daemon.ping", groups: "54000").status == 0)
    }
}
