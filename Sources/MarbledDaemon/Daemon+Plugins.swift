// SPDX-License-Identifier: Apache-2.0

internal import JSONRPC
internal import Logging
internal import MarbledHost

extension Daemon {
    private var directory: PluginDirectory {
        PluginDirectory(
            path: configuration.pluginPath, refusesForeignWriters: configuration.isSystemService)
    }

    /// Reads the manifests of the search path; plugins that are new, or another build, are taken.
    func findPlugins() {
        let findings = directory.scan()
        refusals = findings.refusals
        // A look into the folders does not bring back what was retired.
        let retired = Set(host.retired.map(\.manifest.id))
        for plugin in findings.plugins where !retired.contains(plugin.manifest.id) {
            let known = host.plugins.first { $0.manifest.id == plugin.manifest.id }
            guard known?.isSame(as: plugin) != true else { continue }
            take(plugin)
        }
        // Those that are looked into unless somebody says otherwise need not be there.
        let usual = Configuration.defaultPluginPath(configuration.sources.executableFolder)
        for folder in findings.missing where !usual.contains(folder) {
            log.write(.warning, "the plugin folder \(folder) cannot be read or is not there")
        }
        for refusal in findings.refusals {
            log.write(.warning, "plugin refused: \(refusal.file): \(refusal.reason)")
        }
    }

    private func take(_ plugin: Plugin) {
        host.add(plugin)
        let manifest = plugin.manifest
        log.write(
            .info, "plugin \(manifest.id) \(manifest.version) from \(plugin.libraryPath ?? "")")
    }

    /// Takes the plugin of a manifest anywhere, and maps its code at once.
    func loadPlugin(manifest file: String) throws(HostError) -> Plugin {
        guard file.hasPrefix("/"), file.hasSuffix(".plugin.json") else {
            throw .badValue(
                pointer: "/manifest", expected: "the absolute path of a file NAME.plugin.json")
        }
        let plugin: Plugin
        do { plugin = try directory.plugin(manifest: file) } catch {
            throw .pluginRefused("\(file): \(error)")
        }
        let id = plugin.manifest.id
        guard !host.plugins.contains(where: { $0.manifest.id == id }) else {
            throw .conflict("a plugin \"\(id)\" is there already; reload or retire it")
        }
        _ = try plugin.load()
        take(plugin)
        return plugin
    }

    /// Reads a plugin's manifest again and maps the code that is there now beside the old one, on which its
    /// instances stay. Returns whether it is another build. A build that is refused changes nothing.
    func reloadPlugin(_ old: Plugin) throws(HostError) -> (plugin: Plugin, changed: Bool) {
        guard let file = old.manifestPath else {
            throw .conflict("the plugin \"\(old.manifest.id)\" is part of the daemon")
        }
        let fresh: Plugin
        do { fresh = try directory.plugin(manifest: file) } catch {
            throw .pluginRefused("\(file): \(error)")
        }
        guard fresh.manifest.id == old.manifest.id else {
            throw .pluginRefused(
                "\(file) is now of a plugin \"\(fresh.manifest.id)\", not \"\(old.manifest.id)\"")
        }
        guard !fresh.isSame(as: old) else {
            _ = try old.load()
            return (old, false)
        }
        _ = try fresh.load()
        take(fresh)
        return (fresh, true)
    }

    /// Lets nobody open the plugin's features any more; what is open goes on.
    func retirePlugin(_ plugin: Plugin) {
        _ = host.retire(plugin.manifest.id)
        log.write(.info, "plugin \(plugin.manifest.id) is retired")
    }

    /// How many instances run a plugin's code, of the `builds` that are in use: this build's, and older builds'.
    func instances(
        of plugin: Plugin, among builds: [(build: Plugin, instances: Int)]
    ) -> (current: Int, older: Int) {
        var (current, older) = (0, 0)
        for (build, instances) in builds where build.manifest.id == plugin.manifest.id {
            if build === plugin { current += instances } else { older += instances }
        }
        return (current, older)
    }
}
