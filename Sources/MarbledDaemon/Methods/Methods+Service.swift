// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import Logging
internal import MarbledHost

extension Methods {
    /// What the operator of a daemon asks and orders.
    static var service: [FrontMethod] {
        [
            FrontMethod(
                "daemon.clients", level: .read,
                doc: "Lists who is connected, this caller included.",
                result: Results.clients
            ) { call, reply in
                let own = call.context
                let clients = own.daemon.clients.values.sorted { $0.number < $1.number }
                let now = EventLoop.monotonicNanoseconds
                // Looked at before: the answer is written to what one of them has not read.
                let unsent = clients.map(\.unsentBytes)
                reply.succeed { writer in
                    writer.object {
                        $0.array("clients") { writer in
                            for (client, unsent) in zip(clients, unsent) {
                                writer.object {
                                    write(client, now, to: &$0)
                                    $0.member("unsentBytes", unsent)
                                    if client === own { $0.member("self", true) }
                                }
                            }
                        }
                    }
                }
            },
            FrontMethod(
                "daemon.setLogLevel", level: .admin,
                doc: "Says what is logged, until the next reload or start.",
                parameters: [
                    .required(
                        "level", .choice(Logger.Level.allCases.map(\.rawValue)),
                        "The least serious that is logged.")
                ],
                result: Results.logLevel
            ) { call, reply throws(RPCError) in
                let level = try call.params.required("level").choice(of: Logger.Level.self)
                let log = call.context.daemon.log
                let before = log.level
                log.level = level
                reply.succeed { writer in
                    writer.object { $0.member("before", before.rawValue) }
                }
            },
            FrontMethod(
                "daemon.reload", level: .admin,
                doc: """
                    Reads the configuration and the plugins' manifests again, as SIGHUP does. Connections and instances \
                    stay; a wrong configuration changes nothing.
                    """,
                result: Results.reloaded,
                errors: [.badValue]
            ) { call, reply throws(RPCError) in
                let daemon = call.context.daemon
                let reloaded: Daemon.Reloaded
                do throws(ConfigurationError) { reloaded = try daemon.reload() } catch {
                    throw RPCError(
                        .badValue, error.description,
                        expected: "a configuration that `marbled --check` accepts")
                }
                reply.succeed { writer in
                    writer.object {
                        $0.array("changed") { for name in reloaded.changed { $0.element(name) } }
                        $0.array("needRestart") { writer in
                            for name in reloaded.needRestart { writer.element(name) }
                        }
                        $0.member("features", daemon.host.features.count)
                        $0.member("refusals", daemon.refusals.count)
                    }
                }
            },
            FrontMethod(
                "daemon.stop", level: .admin, doc: "Ends the daemon in order, after this answer.",
                result: Results.nothing
            ) { call, reply in
                let daemon = call.context.daemon
                reply.succeed()
                daemon.loop.nextTurn { daemon.stop() }
            },
        ]
    }

    private static func write(
        _ client: ClientSession, _ now: Int64, to writer: inout JSONWriter
    ) {
        let peer = client.connection.peer
        writer.member("client", client.number)
        writer.member("pid", Int(peer.processID))
        writer.member("uid", Int(peer.userID))
        writer.member("gid", Int(peer.groupID))
        writer.member("level", client.rpc.level.rawValue)
        writer.member("age", now - client.since)
        writer.member("subscriptions", client.subscriptions.count)
        writer.member("callsInFlight", client.rpc.callsInFlight)
        writer.member("lostEvents", client.lostEvents)
    }
}
