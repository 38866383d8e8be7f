// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A daemon for one command alone, on a socket in a directory of its own.
///
/// One thread uses it. It ends with `stop()`, which must be called, also from a signal's handler: it
/// does nothing but system calls on memory that was laid out before. So whoever has handlers keeps it until
/// the process ends. One whose owner is killed ends by itself: it holds one end of a pipe, and sees the
/// other end close. What it stores is gone with it.
package final class PrivateDaemon {
    package let socketPath: String
    private let folder: UnsafeMutablePointer<CChar>
    private let files: [UnsafeMutablePointer<CChar>]
    private let log: String
    private var process: pid_t = 0
    /// Where the daemon says that it listens.
    private var ready: Int32
    /// Closes with this process, however that ends.
    private var lifeline: Int32

    /// How long the daemon may take to begin, and to end when asked.
    package static let patience = Duration.seconds(10)
    private static let endingChecks = 200

    /// Starts `executable`; `waitUntilReady()` goes on from there.
    package init(executable: String, arguments: [String] = []) throws(Complaint) {
        let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        guard let folder = strdup("\(root)/marbled-XXXXXX"), mkdtemp(folder) != nil else {
            throw Complaint(
                .cannotConnect, "no directory can be made in \(root): \(Self.reason)",
                advice: "Set TMPDIR to a directory that you may write to.")
        }
        self.folder = folder
        let path = String(cString: folder)
        socketPath = "\(path)/s"
        log = "\(path)/log"
        files = [socketPath, "\(socketPath).lock", log].compactMap { (file: String) in strdup(file)
        }
        ready = -1
        lifeline = -1

        guard let readiness = Self.pipe(), let life = Self.pipe() else {
            stop()
            throw Complaint(.cannotConnect, "no pipe can be made: \(Self.reason)")
        }
        ready = readiness.reads
        lifeline = life.writes
        let words =
            [
                executable, "--socket", socketPath, "--state-directory", "none", "--ready-fd", "3",
                "--lifeline-fd", "4",
            ] + arguments
        let fault = Self.spawn(
            words, handing: [readiness.writes, life.reads], log: log, into: &process)
        close(readiness.writes)
        close(life.reads)
        guard fault == 0 else {
            process = 0
            stop()
            throw Complaint(
                .cannotConnect,
                "\(executable) cannot be started: \(String(cString: strerror(fault)))")
        }
    }

    /// Waits until it listens; one that does not is stopped.
    package func waitUntilReady() throws(Complaint) {
        guard !Self.isReady(ready) else { return }
        let said = Self.tail(of: log)
        stop()
        throw Complaint(
            .cannotConnect, "the private daemon did not begin to listen",
            advice: said.isEmpty ? nil : "It said: \(said.printable)")
    }

    deinit {
        for descriptor in [ready, lifeline] where descriptor >= 0 { close(descriptor) }
        free(folder)
        for file in files { free(file) }
    }

    /// Ends the daemon: asks it to, and after a while makes it. Safe in a signal's handler.
    package func stop() {
        if process > 0 {
            kill(process, SIGTERM)
            var checks = 0
            var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
            while waitpid(process, nil, WNOHANG) == 0 {
                checks += 1
                if checks == Self.endingChecks { kill(process, SIGKILL) }
                nanosleep(&pause, nil)
            }
            process = 0
        }
        for file in files { unlink(file) }
        rmdir(folder)
    }

    /// Finds the daemon's executable: beside this one, else along PATH.
    package static func executable(
        besides own: String? = ownExecutable, path: String?,
        isExecutable: (String) -> Bool = { access($0, X_OK) == 0 }
    ) throws(Complaint) -> String {
        var folders = own.map { [String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)])] } ?? []
        folders += (path ?? "").split(separator: ":").map(String.init)
        for folder in folders where isExecutable("\(folder)/marbled") {
            return "\(folder)/marbled"
        }
        throw Complaint(
            .cannotConnect, "there is no executable `marbled` beside marblectl or in PATH",
            advice: "Build it with `swift build --product marbled`, or add its directory to PATH.")
    }

    /// This process's executable.
    package static var ownExecutable: String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { room in
            guard let start = room.baseAddress else { return nil }
            let count = readlink("/proc/self/exe", start, room.count)
            guard count > 0 else { return nil }
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count]),
                as: UTF8.self)
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// A pipe whose ends stand above those that a child is handed, and that it does not inherit.
    private static func pipe() -> (reads: Int32, writes: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 10) }
        for end in ends { close(end) }
        return moved.contains(-1) ? nil : (moved[0], moved[1])
    }

    /// The child has `handing` as its descriptors from 3 on.
    private static func spawn(
        _ words: [String], handing: [Int32], log: String, into process: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (index, descriptor) in handing.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process holds back meanwhile, the daemon does not.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A Ctrl-C is for this process, which then ends the daemon in order.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
    }

    /// Waits for the daemon's word; its end comes as the end of the pipe.
    private static func isReady(_ descriptor: Int32) -> Bool {
        let deadline = Deadline.after(patience)
        var seen: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64)
        while seen.count < 64 {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let count = poll(&entry, 1, deadline.milliseconds)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            let received = read(descriptor, &room, room.count)
            guard received > 0 else { return false }
            seen += room[..<received]
            if seen.contains(UInt8(ascii: "\n")) { return seen.starts(with: "READY".utf8) }
        }
        return false
    }

    /// The last line of a log.
    private static func tail(of log: String) -> String {
        let descriptor = open(log, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        lseek(descriptor, max(-2048, -lseek(descriptor, 0, SEEK_END)), SEEK_END)
        var room = [UInt8](repeating: 0, count: 2048)
        let count = read(descriptor, &room, room.count)
        let text = String(decoding: room[..<max(0, count)], as: UTF8.self)
        return text.split(separator: "\n").last.map(String.init) ?? ""
    }
}
