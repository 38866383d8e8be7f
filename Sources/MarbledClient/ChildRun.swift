// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How a child ended.
package enum ChildEnding: Equatable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It was ended after so many seconds.
    case tooLong(seconds: Int64)
}

/// Runs a program to its end and keeps what it writes to its standard output.
package enum ChildRun {
    /// How much of a child's output is kept; what comes behind it is read and dropped.
    private static let limit = 4 << 20

    /// Runs `words`, the first of which is the program's path, for at most `patience`. Where `keepsErrors`
    /// says so, what it writes to its standard error is kept as well.
    package static func run(
        _ words: [String], patience: Duration, keepsErrors: Bool = false
    ) throws(Complaint) -> (output: [UInt8], ending: ChildEnding) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Complaint(.cannotConnect, "no pipe can be made: \(reason(errno))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var process: pid_t = 0
        let fault = spawn(
            words, output: ends[1], keepsErrors: keepsErrors, into: &process)
        close(ends[1])
        guard fault == 0 else {
            throw Complaint(.cannotConnect, "\(words[0]) cannot be started: \(reason(fault))")
        }
        let (output, isOver) = read(ends[0], until: .after(patience))
        if !isOver { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard isOver else {
            return (output, .tooLong(seconds: patience.components.seconds))
        }
        let signal = status & 0x7F
        return (output, signal == 0 ? .exit((status >> 8) & 0xFF) : .signal(signal))
    }

    private static func spawn(
        _ words: [String], output: Int32, keepsErrors: Bool, into process: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        if keepsErrors { posix_spawn_file_actions_adddup2(&actions, output, 2) }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawn(&process, words[0], &actions, nil, &arguments, environ)
    }

    /// Reads to the end of the pipe. Returns false with what came when that took too long.
    private static func read(_ descriptor: Int32, until deadline: Deadline) -> ([UInt8], Bool) {
        var output: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&entry, 1, deadline.milliseconds)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return (output, false) }
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (output, true) }
            if output.count < limit { output += room[..<count] }
        }
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
