// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledClient

/// The private daemon of `--spawn`, which ends with this process, however that ends.
enum PrivateDaemons {
    // Safety: set once, with the signals held back whose handlers read it, on the only thread. It is
    // kept: to let go of it in a handler would free memory there.
    nonisolated(unsafe) private static var current: PrivateDaemon?
    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT]

    /// Starts it and gives its socket.
    static func start() throws(Complaint) -> SocketPath {
        let executable = try PrivateDaemon.executable(path: Terminal.variable("PATH"))
        // A Ctrl-C between the start and the handlers would leave the daemon behind.
        let daemon = try holdingSignals { () throws(Complaint) in
            let daemon = try PrivateDaemon(executable: executable)
            current = daemon
            for number in endings {
                signal(number) { number in
                    PrivateDaemons.current?.stop()
                    Signals.die(of: number)
                }
            }
            return daemon
        }
        try daemon.waitUntilReady()
        return SocketPath(daemon.socketPath, .option)
    }

    static func stop() {
        holdingSignals { current?.stop() }
    }

    /// Runs `body`; a signal that would end this process does so afterwards.
    private static func holdingSignals<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var held = sigset_t()
        var former = sigset_t()
        sigemptyset(&held)
        for number in endings { sigaddset(&held, number) }
        sigprocmask(SIG_BLOCK, &held, &former)
        defer { sigprocmask(SIG_SETMASK, &former, nil) }
        return try body()
    }
}
