// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import Logging

/// A whole daemon on the caller's thread, without a socket to listen on: for tests that speak the
/// protocol and give it its turns themselves.
///
/// Confined to the thread that made it. Ends by `close()`, which must be called.
package final class ConfinedDaemon {
    private let daemon: Daemon

    /// Finds its plugins, and waits for `connect()`.
    ///
    /// - Parameter limits: by the names that `daemon.hello` tells; the others are as usual.
    package init(pluginPath: [String], limits: [String: Int] = [:]) throws {
        var configuration = Configuration(socket: "")
        configuration.pluginPath = pluginPath
        var settings = Settings()
        settings.limits = limits
        try settings.apply(to: &configuration)
        let silence = Logger(label: "marbled") { _ in SwiftLogNoOpLogHandler() }
        daemon = try Daemon(configuration, logger: silence)
        daemon.findPlugins()
    }

    /// A new client's end of a connection, as a descriptor that the caller closes.
    package func connect() throws -> CInt {
        let (near, far) = try SocketConnection.makeDescriptorPair()
        daemon.welcome(try SocketConnection.adopt(near, on: daemon.loop))
        return far
    }

    /// Does what can be done now; waits for nothing.
    package func turn() { daemon.loop.turn(waiting: false) }

    /// Ends everything at once.
    package func close() {
        daemon.close()
        daemon.http.close()
        daemon.loop.close()
    }

    /// The description that `rpc.discover` answers with, as JSON.
    package static var description: String { OpenRPC.document(Methods.all).text }
}
