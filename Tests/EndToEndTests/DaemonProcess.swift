// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// The real daemon with the built plugins, on a socket of its own, for the length of a test.
///
/// Ends with the value: told to stop, and killed if it does not.
final class DaemonProcess {
    private let place = TemporaryFolder()
    let socket: String
    private let program: String
    private var child: Child?
    private var status: Int32?

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameters:
    ///   - launcher: a program and arguments that become the daemon, such as `unshare`.
    ///   - lifeline: a pipe whose writer the daemon is to watch.
    ///   - program: the daemon, where it is not the one that was built.
    init(
        arguments: [String] = [], environment: [String: String] = [:],
        plugins: [String] = ["libFindNumber.so"], launcher: [String] = [],
        lifeline: Pipe? = nil, program: String = Products.path("marbled")
    ) throws {
        self.program = program
        socket = place.file("m.sock")
        try Products.installPlugins(plugins, in: folder)
        try start(arguments, environment, launcher, lifeline)
    }

    deinit {
        if status == nil, let child {
            kill(child.pid, SIGKILL)
            _ = try? Spawn.wait(child)
        }
    }

    var folder: String { place.path }

    /// Starts it again after it ended.
    func restart(arguments: [String] = []) throws {
        status = nil
        try start(arguments, [:], [], nil)
    }

    /// The number of the process that runs.
    var pid: pid_t { child?.pid ?? 0 }

    private func start(
        _ arguments: [String], _ environment: [String: String], _ launcher: [String],
        _ lifeline: Pipe?
    ) throws {
        let ready = try Pipe()
        var all =
            [
                "--socket", socket, "--plugin-path", folder, "--ready-fd",
                "\(Spawn.givenDescriptor)",
                "--log", "warning",
            ] + arguments
        if lifeline != nil { all += ["--lifeline-fd", "\(Spawn.givenDescriptor - 1)"] }
        let words = launcher + [program] + all
        child = try Spawn.run(
            words[0], Array(words.dropFirst()), environment: environment,
            output: "\(folder)/daemon.log",
            giving: [ready.writer, lifeline?.reader].compactMap(\.self))
        ready.closeWriter()
        var word = [UInt8](repeating: 0, count: 6)
        guard Wait.readable(ready.reader, seconds: 20), read(ready.reader, &word, 6) == 6 else {
            throw Failure("the daemon did not become ready: \(log)")
        }
    }

    /// What it wrote to standard error.
    var log: String { Files.text("\(folder)/daemon.log") }

    func send(signal: Int32) {
        if let child { kill(child.pid, signal) }
    }

    /// Waits for its end: the exit code, or minus the signal's number.
    func waitForEnd() throws -> Int32 {
        if let status { return status }
        guard let child else { throw Failure("the daemon was not started") }
        let ended = try Spawn.wait(child)
        status = ended
        return ended
    }

    func connect() throws -> WireClient { try WireClient(socket) }
}

extension Products {
    /// What a program that was built here needs to find the libraries that this one found.
    static let libraries: [String: String] = {
        guard let path = getenv("LD_LIBRARY_PATH") else { return [:] }
        return ["LD_LIBRARY_PATH": String(cString: path)]
    }()

    /// Puts links to the built plugins and their manifests into `target`.
    static func installPlugins(_ libraries: [String], in target: String) throws {
        for library in libraries {
            let link = "\(target)/\(library)"
            guard symlink(path(library), link) == 0 else { throw Failure("symlink: \(errno)") }
            let child = try Spawn.run(
                path("marbled"), ["manifest", link, "--write"], output: "\(target)/manifest.log")
            guard try Spawn.wait(child) == 0 else {
                throw Failure("no manifest: \(Files.text("\(target)/manifest.log"))")
            }
        }
    }
}

extension TemporaryFolder {
    /// With links to built plugins, and their manifests.
    convenience init(plugins: [String]) throws {
        self.init()
        try Products.installPlugins(plugins, in: path)
    }
}

/// A program that was started. Its end is seen on a pipe that only it holds open: nothing is polled.
struct Child {
    let pid: pid_t
    fileprivate let lifeline: Pipe
}

/// A pair of ends that no other program inherits by accident: tests start programs side by side.
final class Pipe {
    let reader: Int32
    private(set) var writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure("socketpair: \(errno)")
        }
        (reader, writer) = (ends[0], ends[1])
    }

    func closeWriter() {
        if writer >= 0 { close(writer) }
        writer = -1
    }

    deinit {
        closeWriter()
        close(reader)
    }
}

enum Spawn {
    /// The number under which a program finds the descriptor that it was given; further ones go down from
    /// there.
    static let givenDescriptor: Int32 = 198

    /// Starts a program; its standard output and error go to the file `output`.
    static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:],
        output: String, giving descriptors: [Int32] = []
    ) throws -> Child {
        let life = try Pipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_adddup2(&actions, life.writer, givenDescriptor + 1)
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(
                &actions, descriptor, givenDescriptor - Int32(index))
        }
        // Tests beside this one have files and sockets open, and some of them just now: a program that is to
        // run out of descriptors counts its own alone.
        let given = Int32(max(0, descriptors.count - 1))
        for other in 3..<givenDescriptor - given {
            posix_spawn_file_actions_addclose(&actions, other)
        }
        let settings = ["PATH=/usr/bin:/bin"] + environment.map { "\($0)=\($1)" }
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var lines: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
        defer { for text in words + lines { free(text) } }
        // The threads that run tests hold signals back, and a program would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &words, &lines)
        guard code == 0 else { throw Failure("\(path) cannot be started: \(code)") }
        life.closeWriter()
        return Child(pid: pid, lifeline: life)
    }

    /// Waits for a program's end, not forever: its exit code, or minus the signal's number.
    static func wait(_ child: Child, seconds: Int32 = 20) throws -> Int32 {
        guard Wait.readable(child.lifeline.reader, seconds: seconds) else {
            kill(child.pid, SIGKILL)
            waitpid(child.pid, nil, 0)
            throw Failure("process \(child.pid) did not end")
        }
        var status: Int32 = 0
        waitpid(child.pid, &status, 0)
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }
}

enum Wait {
    /// Waits until there is something to read, or the other end is gone.
    static func readable(_ descriptor: Int32, seconds: Int32) -> Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&poller, 1, seconds * 1_000) == 1
    }
}
