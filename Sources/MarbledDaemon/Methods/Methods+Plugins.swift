// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import MarbledHost

extension Methods {
    private static let pluginParameter = Parameter.required("plugin", .string, "The plugin's id.")

    static var plugins: [FrontMethod] {
        [
            FrontMethod(
                "plugin.list", level: .read,
                doc: "Lists the plugins that were found, and the manifests that were refused.",
                result: Results.plugins
            ) { call, reply in listPlugins(call.context.daemon, reply) },
            FrontMethod(
                "plugin.load", level: .admin,
                doc: "Takes a plugin from anywhere by its manifest, and maps its code.",
                parameters: [
                    .required(
                        "manifest", .string, "The absolute path of the plugin's NAME.plugin.json.")
                ],
                result: Results.plugin,
                errors: [.badValue, .busy, .pluginRefused]
            ) { call, reply throws(RPCError) in
                let daemon = call.context.daemon
                let file = try call.params.required("manifest").string()
                let plugin = try onWire { () throws(HostError) in
                    try daemon.loadPlugin(manifest: file)
                }
                reply.succeed { writer in writer.object { write(plugin, daemon, to: &$0) } }
            },
            FrontMethod(
                "plugin.reload", level: .admin,
                doc: """
                    Reads a plugin's manifest again and maps the build that is there now beside the old one: what is \
                    opened from now on runs it, what is open stays on the old code until it is closed.
                    """,
                parameters: [pluginParameter],
                result: Results.reloadedPlugin,
                errors: [.unknownPlugin, .pluginRefused, .busy]
            ) { call, reply throws(RPCError) in
                let daemon = call.context.daemon
                let old = try plugin(call)
                let (fresh, changed) = try onWire { () throws(HostError) in
                    try daemon.reloadPlugin(old)
                }
                reply.succeed { writer in
                    writer.object {
                        write(fresh, daemon, to: &$0)
                        $0.member("changed", changed)
                    }
                }
            },
            FrontMethod(
                "plugin.retire", level: .admin,
                doc: """
                    Lets nobody open a plugin's features any more; what is open goes on. Only plugin.load brings it back.
                    """,
                parameters: [pluginParameter],
                result: Results.retiredPlugin,
                errors: [.unknownPlugin]
            ) { call, reply throws(RPCError) in
                let daemon = call.context.daemon
                let plugin = try plugin(call)
                daemon.retirePlugin(plugin)
                let left = daemon.instances(of: plugin, among: daemon.host.buildsInUse)
                reply.succeed { writer in
                    writer.object {
                        $0.member("plugin", plugin.manifest.id)
                        $0.member("instances", left.current + left.older)
                    }
                }
            },
        ]
    }

    /// The plugin that a call is about.
    private static func plugin(_ call: borrowing FrontCall) throws(RPCError) -> Plugin {
        let id = try call.params.required("plugin").string()
        let plugins = call.context.daemon.host.plugins
        guard let plugin = plugins.first(where: { $0.manifest.id == id }) else {
            let retired = call.context.daemon.host.retired.first { $0.manifest.id == id }
            if let retired {
                throw RPCError(
                    .unknownPlugin, retired.farewell, pointer: "/plugin",
                    expected: "one that plugin.list names")
            }
            throw RPCError(
                .unknownPlugin, "there is no plugin \"\(id)\"", pointer: "/plugin",
                expected: "one that plugin.list names",
                suggestion: NearestName.find(id, among: plugins.map(\.manifest.id)))
        }
        return plugin
    }

    private static func write(
        _ plugin: Plugin, _ daemon: Daemon, among builds: [(build: Plugin, instances: Int)]? = nil,
        to writer: inout JSONWriter
    ) {
        let instances = daemon.instances(of: plugin, among: builds ?? daemon.host.buildsInUse)
        writer.member("id", plugin.manifest.id)
        writer.member("version", plugin.manifest.version)
        writer.member("library", ifPresent: plugin.libraryPath)
        writer.member("loaded", plugin.isLoaded)
        writer.array("features") { writer in
            for feature in plugin.manifest.features { writer.element(feature.name) }
        }
        writer.member("instances", instances.current)
        writer.member("onOlderBuilds", instances.older)
    }

    private static func listPlugins(_ daemon: Daemon, _ reply: consuming Reply) {
        // Counted once for all of them.
        let builds = daemon.host.buildsInUse
        reply.succeed { writer in
            writer.object {
                $0.array("plugins") { writer in
                    let plugins = daemon.host.plugins
                    for plugin in plugins.sorted(by: { $0.manifest.id < $1.manifest.id }) {
                        writer.object { write(plugin, daemon, among: builds, to: &$0) }
                    }
                }
                $0.array("refusals") { writer in
                    for refusal in daemon.refusals {
                        writer.object {
                            $0.member("file", refusal.file)
                            $0.member("reason", refusal.reason)
                        }
                    }
                }
                let retired = daemon.host.retired.map(\.manifest.id).sorted()
                $0.array("retired") { for id in retired { $0.element(id) } }
            }
        }
    }
}
