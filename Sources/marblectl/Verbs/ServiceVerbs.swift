// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Clients: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients", abstract: "Show who is connected, and who does not read.",
        discussion: """
              marblectl clients
              marblectl clients -o json | jq '.clients[] | select(.unsentBytes > 0)'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("daemon.clients"), list: "clients", DaemonViews.clients)
    }
}

struct Reload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Read the configuration and the plugins again; instances stay.",
        discussion: """
              marblectl reload
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("daemon.reload"), DaemonViews.reloaded)
    }
}

struct PluginLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Take a plugin from anywhere, by its manifest.",
        discussion: """
              marblectl plugin load /opt/game/game.plugin.json
            """)

    @Argument(
        help: "The absolute path of the plugin's NAME.plugin.json.",
        completion: .file(extensions: ["json"]))
    var manifest: String

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(
            try context.call("plugin.load", ["manifest": .string(manifest)]), DaemonViews.plugin)
    }
}

struct PluginReload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Take a plugin's new build; what is open stays on the old one.",
        discussion: """
              marblectl plugin reload find-number
            """)

    @Argument(
        help: "The plugin's id; `marblectl plugin list` names them.",
        completion: Completion.plugins)
    var plugin: String

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(
            try context.call("plugin.reload", ["plugin": .string(plugin)]), DaemonViews.plugin)
    }
}

struct PluginRetire: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retire", abstract: "Let nobody open a plugin's features any more.",
        discussion: """
              marblectl plugin retire find-number
            """)

    @Argument(
        help: "The plugin's id; `marblectl plugin list` names them.",
        completion: Completion.plugins)
    var plugin: String

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("plugin.retire", ["plugin": .string(plugin)])) { answer, _ in
            ["\(plugin) is retired; \(answer["instances"]?.shown ?? "0") instances go on"]
        }
    }
}
