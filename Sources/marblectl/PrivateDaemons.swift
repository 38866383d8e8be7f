// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MarbledClient

/// The private daemon of `--spawn`, which ends with this process, however that ends.
enum PrivateDaemons {
    // Safety: set once, before the handlers that read it are in place, on the only thread.
    nonisolated(unsafe) private static var current: PrivateDaemon?

    /// Starts it and gives its socket.
    static func start() throws(Complaint) -> SocketPath {
        let executable = try PrivateDaemon.executable(path: Terminal.variable("PATH"))
        let daemon = try PrivateDaemon(executable: executable)
        current = daemon
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT] {
            signal(number) { number in
                PrivateDaemons.stop()
                Signals.die(of: number)
            }
        }
        return SocketPath(daemon.socketPath, .option)
    }

    static func stop() {
        current?.stop()
        current = nil
    }
}
