// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import Glibc
internal import JSONRPC
internal import MarbledHost
internal import Store

extension Methods {
    /// What this protocol can do beyond its first version, by name.
    private static let capabilities = [
        "virtual-clock", "streams", "stream-resume", "stubs", "scenarios", "record", "replay",
        "cancel", "bookmarks", "levels", "plugin-reload",
    ]

    static var daemon: [FrontMethod] {
        [
            FrontMethod(
                "daemon.hello", level: .read,
                doc: "Tells what this daemon is and can do, and all its limits.",
                parameters: [
                    .optional("require", .array, "Capabilities the caller cannot do without."),
                    .optional("want", .array, "Capabilities the caller would use."),
                ], result: Results.hello,
                errors: [.unsupported]
            ) { call, reply throws(RPCError) in try hello(call, reply) },
            FrontMethod("daemon.ping", level: .read, doc: "Answers.", result: Results.nothing) {
                _, reply in reply.succeed()
            },
            FrontMethod(
                "daemon.status", level: .read, doc: "Tells how the daemon is doing.",
                result: Results.status
            ) { call, reply in status(call, reply) },
        ]
    }

    private static func hello(
        _ call: borrowing FrontCall, _ reply: consuming Reply
    ) throws(RPCError) {
        if let required = call.params.optional("require") {
            for item in try required.array() {
                let name = try item.string()
                guard capabilities.contains(name) else {
                    throw RPCError(
                        .unsupported, "this daemon has no capability \"\(name)\"",
                        pointer: item.pointer,
                        expected: "one of " + capabilities.joined(separator: ", "),
                        suggestion: NearestName.find(name, among: capabilities))
                }
            }
        }
        for item in try call.params.optional("want")?.array() ?? [] { _ = try item.string() }
        let limits = call.context.daemon.configuration.limits
        let level = call.context.rpc.level
        let schema = call.context.daemon.schemaHash
        let effects = call.context.daemon.host.effects
        reply.succeed { writer in
            writer.object {
                $0.member("name", "marbled" as StaticString)
                $0.member("version", MarbledVersion.current)
                $0.member("protocol", MarbledVersion.protocol)
                $0.member("level", level.rawValue)
                $0.array("capabilities") { for name in capabilities { $0.element(name) } }
                $0.array("effects") { writer in
                    for effect in effects { writer.object { writeEffect(effect, to: &$0) } }
                }
                $0.object("limits") { writer in
                    for (name, value) in limits.named {
                        writer.key(name)
                        writer.append(Int64(value))
                    }
                }
                $0.member("schema", schema)
            }
        }
    }

    private static func status(_ call: borrowing FrontCall, _ reply: consuming Reply) {
        let daemon = call.context.daemon
        reply.succeed { writer in
            writer.object {
                $0.member("version", MarbledVersion.current)
                $0.member("pid", Int(getpid()))
                $0.member("uptime", EventLoop.monotonicNanoseconds - daemon.startedAt)
                $0.member("memory", residentBytes())
                $0.member("instances", daemon.host.instanceCount)
                $0.member("connections", daemon.clientCount)
                $0.member("subscriptions", daemon.subscriptionCount)
                $0.member("plugins", daemon.host.plugins.count)
                $0.object("store") { writer in
                    guard let store = daemon.store else {
                        return writer.member("kind", "memory" as StaticString)
                    }
                    writer.member("kind", "file" as StaticString)
                    writer.member("file", store.path)
                    writer.member("waiting", store.openCount)
                    writer.member("problem", ifPresent: store.problem?.message)
                }
                $0.object("counters") {
                    $0.member("accepted", daemon.counters.accepted)
                    $0.member("refused", daemon.counters.refused)
                    $0.member("denied", daemon.counters.denied)
                    $0.member("cancelled", daemon.counters.cancelled)
                    $0.member("lostEvents", daemon.counters.lostEvents)
                }
                $0.object("limits") { writer in
                    for (name, count) in daemon.strikes {
                        writer.key(name)
                        writer.append(Int64(count))
                    }
                }
            }
        }
    }

    /// The memory this process keeps in the machine, in bytes.
    private static func residentBytes() -> Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
