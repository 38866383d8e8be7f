// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import EventLoop

@Suite struct ListeningSocketTests {
    private let directory = TemporaryFolder()

    private func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    /// A group the process may give a file to: any for root, its own for others.
    private static let group: gid_t = getuid() == 0 ? 4242 : getegid()

    @Test(arguments: [0o600, 0o660, 0o666, 0o622] as [mode_t])
    func `the path has its mode and group right after bind`(mode: mode_t) throws {
        let path = directory.file("s")
        let socket = try ListeningSocket.bind(path: path, mode: mode, group: Self.group)
        let found = try #require(status(path))
        #expect(found.st_mode == S_IFSOCK | mode)
        #expect(found.st_gid == Self.group)
        #expect(socket.path == path)
        #expect(status(path + ".new") == nil)
    }

    @Test func `without a group the path keeps the process's own`() throws {
        let path = directory.file("s")
        let socket = try ListeningSocket.bind(path: path)
        #expect(status(path)?.st_gid == getegid())
        #expect(status(path)?.st_mode == S_IFSOCK | 0o600)
        #expect(socket.path == path)
    }

    @Test func `the umask neither widens nor narrows the mode, and is left alone`() async {
        await #expect(processExitsWith: .success) {
            for mask in [0o000, 0o077, 0o777] as [mode_t] {
                umask(mask)
                let directory = "/tmp/mbu\(getpid())"
                mkdir(directory, 0o700)
                chmod(directory, 0o700)
                let path = directory + "/s"
                do {
                    let socket = try ListeningSocket.bind(path: path, mode: 0o666)
                    var found = stat()
                    precondition(lstat(socket.path, &found) == 0 && found.st_mode & 0o777 == 0o666)
                }
                unlink(path + ".lock")
                rmdir(directory)
                precondition(umask(mask) == mask)
            }
        }
    }

    @Test func `nobody ever sees the path unready`() throws {
        final class Watch: Sendable {
            let isOver = Atomic(false)
            let seen = Atomic(0)
            let wrong = Atomic(0)
        }
        let path = directory.file("s")
        let group = Self.group
        let watch = Watch()
        let watcher = OtherThread {
            while !watch.isOver.load(ordering: .relaxed) {
                var found = stat()
                guard lstat(path, &found) == 0 else { continue }
                watch.seen.add(1, ordering: .relaxed)
                if found.st_mode != S_IFSOCK | 0o660 || found.st_gid != group {
                    watch.wrong.add(1, ordering: .relaxed)
                }
            }
        }
        for _ in 0..<50 {
            let socket = try ListeningSocket.bind(path: path, mode: 0o660, group: group)
            let client = RawSocket.connect(socket.path)
            #expect(client >= 0)
            close(client)
        }
        watch.isOver.store(true, ordering: .relaxed)
        watcher.join()
        #expect(watch.wrong.load(ordering: .relaxed) == 0)
    }

    @Test func `a stale socket is replaced`() throws {
        let path = directory.file("s")
        close(RawSocket.listen(path))
        #expect(RawSocket.connect(path) == -ECONNREFUSED)
        let socket = try ListeningSocket.bind(path: path)
        let client = RawSocket.connect(socket.path)
        #expect(client >= 0)
        close(client)
    }

    @Test func `what is no socket is left alone, without a lock beside it`() throws {
        let path = directory.file("plain")
        try Files.write("text", to: path)
        for taken in [path, directory.path] {
            #expect(throws: ListenError.notASocket(path: taken)) {
                _ = try ListeningSocket.bind(path: taken)
            }
            #expect(status(taken + ".lock") == nil)
        }
        #expect(Files.text(path) == "text")
    }

    @Test func `a live socket is refused and goes on listening`() throws {
        let path = directory.file("s")
        let live = RawSocket.listen(path)
        defer { close(live) }
        #expect(throws: ListenError.inUse(path: path, process: nil)) {
            _ = try ListeningSocket.bind(path: path)
        }
        let client = RawSocket.connect(path)
        #expect(client >= 0)
        close(client)
    }

    @Test func `a live socket with a full backlog is refused`() throws {
        let path = directory.file("s")
        let live = RawSocket.listen(path)
        defer { close(live) }
        #expect(Glibc.listen(live, 0) == 0)
        let client = RawSocket.connect(path)
        defer { close(client) }
        #expect(throws: ListenError.inUse(path: path, process: nil)) {
            _ = try ListeningSocket.bind(path: path)
        }
    }

    @Test func `the lock decides who owns the path, and names its owner`() throws {
        let path = directory.file("s")
        let socket = try ListeningSocket.bind(path: path)
        #expect(throws: ListenError.inUse(path: path, process: getpid())) {
            _ = try ListeningSocket.bind(path: path)
        }
        // The loser took nothing away.
        let client = RawSocket.connect(socket.path)
        #expect(client >= 0)
        close(client)
    }

    @Test func `the lock is respected also while there is no socket`() throws {
        let path = directory.file("s")
        let lock = try PathLock.take(for: path)
        #expect(throws: ListenError.inUse(path: path, process: getpid())) {
            _ = try ListeningSocket.bind(path: path)
        }
        _ = consume lock
        _ = try ListeningSocket.bind(path: path)
    }

    @Test func `a path is free again once its socket is gone`() throws {
        let path = directory.file("s")
        for _ in 0..<3 { _ = try ListeningSocket.bind(path: path) }
        #expect(status(path) == nil)
    }

    @Test func `what is no socket is left alone`() throws {
        let path = directory.file("s")
        close(open(path, O_CREAT | O_WRONLY, 0o644))
        #expect(throws: ListenError.notASocket(path: path)) {
            _ = try ListeningSocket.bind(path: path)
        }
        #expect(status(path)?.st_mode == S_IFREG | 0o644)
    }

    @Test func `a draft left by a killed process is replaced, another file in its place is not`()
        throws
    {
        let path = directory.file("s")
        let draft = path + ".new"
        close(RawSocket.listen(draft))
        do { _ = try ListeningSocket.bind(path: path) }
        #expect(status(draft) == nil)
        close(open(draft, O_CREAT | O_WRONLY, 0o644))
        #expect(
            throws: ListenError.failed(LoopError(code: -EADDRINUSE, call: "bind", subject: draft))
        ) {
            _ = try ListeningSocket.bind(path: path)
        }
        #expect(status(draft) != nil)
        #expect(status(path) == nil)
    }

    @Test func `only the socket's own file is unlinked`() throws {
        let path = directory.file("s")
        var other: CInt = -1
        do {
            let socket = try ListeningSocket.bind(path: path)
            unlink(socket.path)
            other = RawSocket.listen(path)
        }
        defer { close(other) }
        let client = RawSocket.connect(path)
        #expect(client >= 0)
        close(client)
    }

    @Test(arguments: 101...107)
    func `a path may be as long as the kernel takes`(length: Int) throws {
        let name = String(repeating: "n", count: length - directory.path.utf8.count - 1)
        let path = directory.file(name)
        #expect(path.utf8.count == length)
        let socket = try ListeningSocket.bind(path: path, mode: 0o660)
        #expect(status(path)?.st_mode == S_IFSOCK | 0o660)
        let client = RawSocket.connect(socket.path)
        #expect(client >= 0)
        close(client)
    }

    @Test func `a path of 108 bytes is refused with its length`() throws {
        let path = directory.file(
            String(repeating: "n", count: 107 - directory.path.utf8.count))
        let error = #expect(throws: ListenError.pathTooLong(path: path, limit: 107)) {
            _ = try ListeningSocket.bind(path: path)
        }
        #expect(error?.description.contains("has 108 bytes and the kernel takes 107") == true)
    }

    @Test(arguments: ["", "/tmp/", "a\0b"])
    func `what cannot be a path is refused`(path: String) throws {
        #expect(throws: ListenError.pathUnusable(path: path)) {
            _ = try ListeningSocket.bind(path: path)
        }
    }

    @Test func `a missing directory is named`() throws {
        let path = directory.file("no/such")
        #expect(
            throws: ListenError.missingDirectory(path: path, directory: directory.file("no/"))
        ) {
            _ = try ListeningSocket.bind(path: path)
        }
    }

    @Test func `a group that may not be given is refused, and leaves nothing behind`() throws {
        guard getuid() != 0 else { return }
        let path = directory.file("s")
        #expect(throws: ListenError.self) {
            _ = try ListeningSocket.bind(path: path, group: 0)
        }
        #expect(status(path) == nil && status(path + ".new") == nil)
    }

    @Test func `an inherited socket is used as it is and never unlinked`() throws {
        let path = directory.file("s")
        let descriptor = RawSocket.listen(path)
        chmod(path, 0o640)
        do {
            let socket = try ListeningSocket.inherited(descriptor)
            #expect(socket.path == path)
            #expect(fcntl(socket.descriptor, F_GETFD) == FD_CLOEXEC)
        }
        #expect(status(path)?.st_mode == S_IFSOCK | 0o640)
        #expect(status(path + ".lock") == nil)
        #expect(fcntl(descriptor, F_GETFD) == -1)
    }

    @Test func `an inherited descriptor of another kind is refused`() throws {
        let (near, far) = try SocketConnection.makeDescriptorPair()
        let file = open("/dev/null", O_RDONLY)
        defer { [near, far, file].forEach { close($0) } }
        for descriptor in [near, file, 4000] {
            #expect(throws: ListenError.notListening(descriptor: descriptor)) {
                _ = try ListeningSocket.inherited(descriptor)
            }
        }
    }

    @Test func `every error is a sentence that says what to do`() {
        let errors: [ListenError] = [
            .pathTooLong(path: "/a", limit: 107), .pathUnusable(path: ""),
            .missingDirectory(path: "/a/b", directory: "/a/"), .notASocket(path: "/a"),
            .inUse(path: "/a", process: 7), .notListening(descriptor: 3),
        ]
        for error in errors { #expect(error.description.contains(";"), "\(error)") }
        #expect(
            ListenError.failed(LoopError(code: -EACCES, call: "bind", subject: "/a")).description
                == "cannot listen: bind /a failed: permission denied (EACCES)")
    }
}
