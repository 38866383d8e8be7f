// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A process that was started here and ends here.
///
/// It is ended, and waited for, by `stop()` or when it is let go.
final class Child {
    let pid: pid_t
    private var isOver = false

    /// Starts `program`; what it prints to standard output goes to `output`, when one is given.
    ///
    /// - Parameter ready: a descriptor that the program gets as number 3.
    /// - Parameter isQuiet: throws away what it complains of.
    /// - Parameter processor: where it runs; nil for anywhere.
    init(
        _ program: String, _ arguments: [String], output: CInt? = nil, ready: CInt? = nil,
        isQuiet: Bool = false, on processor: Processor? = nil
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        if let ready { posix_spawn_file_actions_adddup2(&actions, ready, 3) }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var pid = pid_t()
        func start() -> CInt { posix_spawn(&pid, program, &actions, nil, words, environ) }
        let status = processor?.run(start) ?? start()
        guard status == 0 else {
            throw BenchError("\(program) cannot be started: \(String(cString: strerror(status)))")
        }
        self.pid = pid
    }

    deinit { stop() }

    /// Asks it to end, waits a while, and then insists.
    func stop() {
        guard !isOver else { return }
        kill(pid, SIGTERM)
        for _ in 0..<2_000 {
            var status: CInt = 0
            guard waitpid(pid, &status, WNOHANG) == 0 else {
                isOver = true
                return
            }
            usleep(1_000)
        }
        kill(pid, SIGKILL)
        _ = wait()
    }

    /// Waits for its end and returns its exit status; 255 when a signal ended it.
    func wait() -> Int {
        guard !isOver else { return 255 }
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        isOver = true
        return status & 0x7F == 0 ? Int(status >> 8 & 0xFF) : 255
    }

    /// The memory it keeps in the machine, in bytes.
    var residentBytes: Double { memory("VmRSS:") }

    /// The most that this was since `forgetHighest()`.
    var highestResidentBytes: Double { memory("VmHWM:") }

    /// Lets the most begin again at what it is now.
    func forgetHighest() throws {
        let descriptor = open("/proc/\(pid)/clear_refs", O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, write(descriptor, "5", 1) == 1 else {
            throw BenchError("the kernel keeps no peak of memory here")
        }
    }

    private func memory(_ name: String) -> Double {
        guard let text = try? File.text("/proc/\(pid)/status") else { return .nan }
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let number = line.split(separator: " ", omittingEmptySubsequences: true).dropFirst()
                .first
            return (number.flatMap { Double($0.drop { $0 == "\t" }) } ?? .nan) * 1_024
        }
        return .nan
    }

    /// Runs a program to its end and returns what it printed.
    static func output(
        of program: String, _ arguments: [String], on processor: Processor? = nil
    ) throws -> String {
        let (reading, writing) = try File.pipe()
        defer { close(reading) }
        let child: Child
        do {
            child = try Child(program, arguments, output: writing, on: processor)
            close(writing)
        } catch {
            close(writing)
            throw error
        }
        let text = File.rest(of: reading)
        let status = child.wait()
        guard status == 0 else {
            throw BenchError("\(program) \(arguments.first ?? "") ended with \(status)")
        }
        return text
    }

    /// The path of a program of this name, or nil when there is none.
    static func find(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}

/// Files and pipes, read whole.
enum File {
    /// The two ends of a pipe, which no child inherits by itself.
    static func pipe() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw BenchError("there is no pipe to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Everything until the other end closes.
    static func rest(of descriptor: CInt) -> String {
        String(decoding: restBytes(of: descriptor), as: UTF8.self)
    }

    private static func restBytes(of descriptor: CInt) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes
    }

    /// A file's text.
    static func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// A file's bytes.
    static func bytes(_ path: String) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchError("\(path) cannot be read") }
        defer { close(descriptor) }
        return restBytes(of: descriptor)
    }

    /// Writes a new file that may be run.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchError("\(path) cannot be written") }
            rest = rest.dropFirst(count)
        }
    }

    /// How many entries a folder has.
    static func count(in folder: String) throws -> Int {
        guard let stream = opendir(folder) else { throw BenchError("\(folder) cannot be read") }
        defer { closedir(stream) }
        var count = -2
        while readdir(stream) != nil { count += 1 }
        return count
    }
}
