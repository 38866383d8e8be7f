// SPDX-License-Identifier: Apache-2.0

import JSONRPC
import MarbledDaemon
import MarbledHost
import TestSupport
import Testing

/// A file of settings is read whole, or refused: rules that are not read are not kept.
@Suite struct SettingsFileTests {
    private let folder = TemporaryFolder()

    private func refusal(_ path: String) -> String {
        let error = #expect(throws: ConfigurationError.self) { try Settings(file: path) }
        return error?.description ?? ""
    }

    @Test func `a file gives its settings`() throws {
        let path = folder.file("marbled.yaml")
        try Files.write("socket: /s", to: path)
        #expect(try Settings(file: path).socket == "/s")
    }

    @Test func `what is no file is refused with what it is and what is wanted`() {
        for (path, reason) in [
            (folder.path, "Is a directory"), (folder.file("none"), "No such file"),
        ] {
            let refusal = refusal(path)
            #expect(refusal.hasPrefix("\(path) cannot be read: \(reason)"), "\(refusal)")
            #expect(refusal.contains("--config"), "\(refusal)")
        }
    }

    @Test func `bytes that are no text are refused`() throws {
        let path = folder.file("bytes.yaml")
        try Files.write([0xFF], to: path)
        #expect(refusal(path).hasPrefix("\(path) is not UTF-8 text"))
    }

    @Test func `a file that is too long is refused, and not read in part`() throws {
        let path = folder.file("long.yaml")
        try Files.write("socket: /s\n#" + String(repeating: "x", count: 1 << 20), to: path)
        #expect(refusal(path).hasPrefix("\(path) is longer than 1 MiB"))
    }

    @Test func `secrets are named in any case`() throws {
        let path = folder.file("secrets.yaml")
        try Files.write(
            "http: {secretHeaders: [X-Token], secretQueryNames: [Key], secretMembers: [PassWord]}",
            to: path)
        let redaction = try Configuration.load(
            flags: Settings(), file: path, environment: [:], executableFolder: nil
        ).redaction
        #expect(redaction.headers.contains("x-token"))
        #expect(redaction.queryNames.contains("key"))
        #expect(redaction.members.contains("password"))
        let shown = redaction.redact(answer: ["body": #"{"password":"a","PASSWORD":"b"}"#])
        #expect(shown["body"] == #"{"password":"***","PASSWORD":"***"}"#)
    }
}
