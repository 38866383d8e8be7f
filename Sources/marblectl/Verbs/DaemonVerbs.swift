// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
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

struct Plugin: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugin",
        abstract: "Plugins: what is installed and what was refused; load, reload, retire.",
        discussion: """
            marblectl plugin list
            """,
        subcommands: [PluginList.self, PluginLoad.self, PluginReload.self, PluginRetire.self],
        defaultSubcommand: PluginList.self)
}

struct PluginList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the plugins, and the files refused with the reason.",
        discussion: """
            marblectl plugin list
            marblectl plugin list -o json | jq '.refusals[].reason'
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let context = try Context(options)
        context.show(try context.call("plugin.list"), list: "plugins", DaemonViews.plugins)
    }
}

struct DoctorVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong, and say what to do about it.",
        discussion: """
            marblectl doctor
            marblectl --socket /run/marbled/marbled.sock doctor
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    func run() throws {
        let paths = try Context.paths(options)
        var findings = paths.map(socketFinding)
        // One socket is enough: the first that is there is the one that is used.
        if let used = findings.firstIndex(where: \.isGood) { findings = [findings[used]] }
        var status = ExitStatus.ok
        do {
            let context = try Context(connected: paths, options)
            findings.append(Finding("connection", good: "the daemon accepts it"))
            findings += Doctor.hello(
                try context.call("daemon.hello"), ownVersion: MarbledVersion.current.description)
            findings += Doctor.store(try context.call("daemon.status"))
            findings += Doctor.plugins(try context.call("plugin.list"))
            findings.append(Doctor.instances(try context.call("instance.list")))
            if findings.contains(where: { !$0.isGood }) { status = .refused }
        } catch let error as ClientError {
            let complaint = Complaint(error)
            findings.append(
                Finding(
                    "connection", problem: complaint.sentence, advice: complaint.advice))
            status = complaint.status
        }
        let isTerminal = Output.standard.isTerminal
        let look = Context.look()
        switch options.output ?? .standard(isTerminal: isTerminal) {
        case .table: Output.standard.write(lines: findings.flatMap { $0.lines(look) })
        case .json:
            let all = JSONValue.array(findings.map(\.json))
            Output.standard.write(
                lines: [(["findings": all] as JSONValue).prettyText])
        case .jsonl: Output.standard.write(lines: findings.map(\.json.text))
        }
        if status != .ok { throw Ending(status: status) }
    }

    /// What the file system says of a path, before anybody connects.
    private func socketFinding(_ path: SocketPath) -> Finding {
        let place = "\(path.path) (\(path.origin.reason))"
        var facts = stat()
        guard lstat(path.path, &facts) == 0 else {
            return Finding(
                "socket", problem: "\(place): \(String(cString: strerror(errno)))",
                advice: "Start the daemon with `marbled --socket \(path.path)`, or name another "
                    + "path with --socket.")
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            return Finding(
                "socket", problem: "\(place) is no socket",
                advice: "Name another path with --socket, or take that file away.")
        }
        let rights = String(facts.st_mode & 0o777, radix: 8)
        let owner = "owner \(facts.st_uid), group \(facts.st_gid), mode 0\(rights)"
        guard access(path.path, R_OK | W_OK) == 0 else {
            return Finding(
                "socket", problem: "\(place) is closed to you: \(owner)",
                advice: "Join its group, or start the daemon with `--mode 0660 --group GROUP`.")
        }
        guard facts.st_mode & 0o002 == 0 else {
            return Finding(
                "socket", problem: "\(place) is open to everybody: \(owner)",
                advice: "Start the daemon with `--mode 0600`, or 0660 and a group.")
        }
        return Finding("socket", good: "\(place), \(owner)")
    }
}
