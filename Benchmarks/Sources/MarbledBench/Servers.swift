// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A server under load: a process and its socket, which it removes when it goes.
final class Server {
    let socket: String
    let child: Child
    /// From the moment it was started until it said, or showed, that it is ready.
    let nanosecondsToReady: Int64

    private init(
        socket: String, child: Child, nanosecondsToReady: Int64
    ) {
        self.socket = socket
        self.child = child
        self.nanosecondsToReady = nanosecondsToReady
    }

    deinit {
        child.stop()
        unlink(socket)
    }

    var residentBytes: Double { child.residentBytes }

    /// marbled with find-number and the ticker, or with the plugins of another folder. Ready is when it
    /// says so.
    static func marbled(_ bench: Bench, pluginPath: String? = nil) throws -> Server {
        let socket = makePath(bench, "marbled")
        let (reading, writing) = try File.pipe()
        defer { close(reading) }
        let begin = Measure.now
        let child: Child
        do {
            child = try Child(
                "\(bench.programs)/marbled",
                [
                    "--socket", socket, "--plugin-path",
                    pluginPath ?? "\(bench.programs):\(bench.baselines)",
                    "--state-directory", "none", "--log", "error", "--ready-fd", "3",
                ],
                ready: writing, on: .server)
            close(writing)
        } catch {
            close(writing)
            throw error
        }
        guard File.rest(of: reading).hasPrefix("READY") else {
            throw BenchError("marbled ended before it was ready")
        }
        return Server(
            socket: socket, child: child, nanosecondsToReady: Measure.now - begin)
    }

    /// Redis without its disk and without its network. Ready is when it answers a PING.
    static func redis(_ bench: Bench) throws -> Server {
        guard let program = Child.find("redis-server") else {
            throw BenchError("there is no redis-server; apt-get install redis-server")
        }
        return try polled(
            makePath(bench, "redis"), program, question: Redis.ping
        ) { socket in
            [
                "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no",
                "--dir", bench.scratch, "--loglevel", "warning", "--logfile", "/dev/null",
            ]
        }
    }

    /// The libuv echo. Ready is when it echoes.
    static func echo(_ bench: Bench) throws -> Server {
        try polled(makePath(bench, "echo"), "\(bench.baselines)/echo", question: "x\n") { [$0] }
    }

    /// Starts a server that does not say when it is ready, and asks until it answers.
    private static func polled(
        _ socket: String, _ program: String, question: String, _ arguments: (String) -> [String]
    ) throws -> Server {
        let begin = Measure.now
        let child = try Child(program, arguments(socket), on: .server)
        while Measure.now - begin < 5_000_000_000 {
            if let wire = try? Wire(socket) {
                try wire.send(question)
                _ = try wire.line()
                return Server(
                    socket: socket, child: child, nanosecondsToReady: Measure.now - begin)
            }
            usleep(200)
        }
        throw BenchError("\(program) did not listen within five seconds")
    }

    // Safety: the bench has one thread.
    nonisolated(unsafe) private static var started = 0

    private static func makePath(_ bench: Bench, _ name: String) -> String {
        started += 1
        return "\(bench.scratch)/\(name)\(started).sock"
    }
}

/// What Redis is told, in its own protocol.
enum Redis {
    static let ping = command(["PING"])
    static let set = command(["SET", "number", "9"])

    static func command(_ words: [String]) -> String {
        "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
    }
}
