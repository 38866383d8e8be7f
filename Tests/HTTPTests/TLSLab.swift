// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// An authority of a test's own and a server with its certificate for 127.0.0.1, both openssl's.
///
/// The server hands out the files of its folder, each a whole answer. It ends with the value.
final class TLSLab {
    private let place = TemporaryFolder()
    let port: UInt16
    /// The authority's certificate.
    var authority: String { place.file("ca.pem") }
    private let server: pid_t

    /// - Parameter pages: answers by their paths without the slash.
    init(pages: [String: String]) throws {
        let folder = place.path
        for (name, text) in pages { try place.write(text, to: name) }
        let key = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2",
        ]
        try Self.run(
            key + ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=A test's authority"],
            in: folder)
        try Self.run(
            key + [
                "-keyout", "own.key", "-out", "own.pem", "-subj", "/CN=A test's server",
                "-CA", "ca.pem", "-CAkey", "ca.key", "-addext", "subjectAltName=IP:127.0.0.1",
                "-addext", "basicConstraints=critical,CA:FALSE",
            ], in: folder)
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("pair: \(errno)") }
        defer { close(ends[0]) }
        server = try Self.spawn(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", "own.pem", "-key", "own.key", "-HTTP"],
            in: folder, output: ends[1])
        close(ends[1])
        port = try Self.port(from: ends[0])
    }

    deinit {
        kill(server, SIGKILL)
        waitpid(server, nil, 0)
    }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    // MARK: openssl

    private static func run(_ arguments: [String], in folder: String) throws {
        let child = try spawn(arguments, in: folder, output: nil)
        var status: CInt = 0
        waitpid(child, &status, 0)
        guard status == 0 else { throw Failure("openssl \(arguments[0]) ended with \(status)") }
    }

    private static func spawn(
        _ arguments: [String], in folder: String, output: CInt?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
        var words: [UnsafeMutablePointer<CChar>?] =
            (["env", "-C", folder, "openssl"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let status = posix_spawnp(&child, "env", &actions, nil, &words, environ)
        guard status == 0 else { throw Failure("openssl cannot be started: \(status)") }
        return child
    }

    /// The server says `ACCEPT 127.0.0.1:PORT` once it listens.
    private static func port(from descriptor: CInt) throws -> UInt16 {
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT") {
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            var chunk = [UInt8](repeating: 0, count: 256)
            guard poll(&poller, 1, 20_000) == 1 else { throw Failure("s_server is silent") }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Failure("s_server ended: \(text)") }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
        let line = text.split(separator: "\n").last { $0.hasPrefix("ACCEPT") } ?? ""
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw Failure("s_server said: \(text)")
        }
        return port
    }
}
