// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Ping: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ping", abstract: "Ask whether the daemon answers.",
        discussion: """
              marblectl ping
              until marblectl ping --timeout 1s; do sleep 1; done
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        let start = Deadline.now
        let answer = try context.call("daemon.ping")
        let elapsed = Deadline.now.nanoseconds - start.nanoseconds
        context.show(answer) { _, _ in ["ok, \(Quantity.time(elapsed / 1000 * 1000))"] }
    }
}

struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show how the daemon is: version, memory, counters.",
        discussion: """
              marblectl status
              marblectl status -o json | jq .memory
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("daemon.status"), DaemonViews.status)
    }
}
