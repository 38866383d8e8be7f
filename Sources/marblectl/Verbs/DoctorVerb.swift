// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import JSONRPC
internal import MarbledClient

struct DoctorVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong, and say what to do about it.",
        discussion: """
              marblectl doctor
              marblectl --socket /run/marbled/marbled.sock doctor

            Looks at the socket and its rights, at the daemon's answers, versions, store, plugins and \
            instances, and holds each plugin's code against its manifest. The exit code is 0 when all is \
            well, 1 when something is not, 2 where there is no daemon, 4 where it does not answer.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions

    /// How long a healthy daemon may take.
    private static let patience = "3s"

    func run() throws {
        var options = options
        options.timeout = options.timeout ?? Self.patience
        let paths = try Context.paths(options)
        var findings = paths.map(SocketFile.finding)
        // One socket is enough: the first that is there is the one that is used.
        if let used = findings.firstIndex(where: \.isGood) { findings = [findings[used]] }
        var status = ExitStatus.ok
        var process: Int32?
        do {
            let context = try Context(connected: paths, options)
            process = context.client.peerProcess
            let hello = try context.call("daemon.hello")
            findings.append(Finding("connection", good: "the daemon accepts it"))
            findings += Doctor.hello(hello, ownVersion: MarbledVersion.current.description)
            findings += Doctor.store(try context.call("daemon.status"))
            let plugins = try context.call("plugin.list")
            findings += Doctor.plugins(plugins)
            findings += (plugins["plugins"]?.array ?? []).compactMap(PluginFile.finding)
            findings.append(Doctor.instances(try context.call("instance.list")))
            if findings.contains(where: { !$0.isGood }) { status = .refused }
        } catch let error as ClientError {
            let complaint = Complaint(error)
            status = complaint.status
            if case .timeout = error {
                findings.append(
                    Doctor.silent(process: process, state: process.flatMap(SocketFile.state)))
            } else {
                findings.append(
                    Finding("connection", problem: complaint.sentence, advice: complaint.advice))
            }
        }
        let isTerminal = Output.standard.isTerminal
        switch options.output ?? .standard(isTerminal: isTerminal) {
        case .table:
            let look = Context.look()
            Output.standard.write(lines: findings.flatMap { $0.lines(look) })
        case .json:
            let all = JSONValue.array(findings.map(\.json))
            Output.standard.write(lines: [(["findings": all] as JSONValue).prettyText])
        case .jsonl: Output.standard.write(lines: findings.map(\.json.text))
        }
        if status != .ok { throw Ending(status: status) }
    }
}

/// What the file system and the kernel say of a socket, before anybody asks the daemon.
private enum SocketFile {
    static func finding(_ path: SocketPath) -> Finding {
        let place = "\(path.path) (\(path.origin.reason))"
        var facts = stat()
        guard path.fits else {
            let tooLong = FailedAttempt(path, .pathTooLong)
            return Finding("socket", problem: tooLong.sentence, advice: tooLong.advice)
        }
        guard stat(path.path, &facts) == 0 else {
            let code = errno
            return Finding(
                "socket", problem: "\(place): \(String(cString: strerror(code)))",
                advice: code == EACCES
                    ? "A folder on the way is closed to you: `namei -l \(path.path)` shows which."
                    : "Start the daemon with `marbled --socket \(path.path)`, or name another path "
                        + "with --socket.")
        }
        guard facts.st_mode & S_IFMT == S_IFSOCK else {
            return Finding(
                "socket", problem: "\(place) is no socket",
                advice: FailedAttempt(path, .noSocket).advice)
        }
        let rights = String(facts.st_mode & 0o777, radix: 8)
        let group = groupName(facts.st_gid)
        let owner = "owner \(userName(facts.st_uid)), group \(group), mode 0\(rights)"
        guard access(path.path, R_OK | W_OK) == 0 else {
            return Finding(
                "socket", problem: "\(place) is closed to you: \(owner)",
                advice: facts.st_mode & 0o060 == 0o060
                    ? "Join its group: `sudo usermod -aG \(group) \(userName(geteuid()))`, then log in "
                        + "again."
                    : "Start the daemon with `--mode 0660 --group GROUP`, and a group that you are in."
            )
        }
        guard facts.st_mode & 0o002 == 0 else {
            return Finding(
                "socket", problem: "\(place) is open to everybody: \(owner)",
                advice: "Start the daemon with `--mode 0600`, or 0660 and a group.")
        }
        return Finding("socket", good: "\(place), \(owner)")
    }

    /// The state of a process: R runs, S sleeps, D waits for a disk, T is stopped.
    static func state(of process: Int32) -> Character? {
        // The name stands in brackets, and may hold some itself.
        (try? Files.text("/proc/\(process)/stat"))?.split(separator: ")").last?
            .first { $0 != " " }
    }

    private static func userName(_ number: uid_t) -> String {
        getpwuid(number).map { String(cString: $0.pointee.pw_name) } ?? "\(number)"
    }

    private static func groupName(_ number: gid_t) -> String {
        getgrgid(number).map { String(cString: $0.pointee.gr_name) } ?? "\(number)"
    }
}

/// A plugin's files, where they can be seen from here.
private enum PluginFile {
    private static let patience = Duration.seconds(10)

    /// What is wrong with the build of a plugin that the daemon lists; nil where nothing is, or where it
    /// cannot be known.
    static func finding(_ plugin: JSONValue) -> Finding? {
        guard let id = plugin["id"]?.string, let library = plugin["library"]?.string,
            isTrusted(library),
            let program = try? PrivateDaemon.executable(path: Terminal.variable("PATH")),
            let child = try? ChildRun.run(
                [program, "manifest", library], patience: patience, keepsErrors: true)
        else { return nil }
        let text = String(decoding: child.output, as: UTF8.self)
        let code = child.ending == .exit(0) ? try? JSONValue(parsing: text) : nil
        var complaint = text.split(separator: "\n").last.map(String.init) ?? "\(child.ending)"
        if complaint.hasPrefix("marbled: ") { complaint.removeFirst("marbled: ".count) }
        return Doctor.build(
            of: id, library: library, code: code, complaint: complaint,
            manifest: manifest(of: library))
    }

    /// To look at a library is to run it, and that is done for nobody else's.
    private static func isTrusted(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return false }
        return (facts.st_uid == 0 || facts.st_uid == geteuid())
            && facts.st_mode & (S_IWGRP | S_IWOTH) == 0
    }

    /// The manifest beside a library that names it.
    private static func manifest(of library: String) -> JSONValue? {
        guard let slash = library.lastIndex(of: "/") else { return nil }
        let name = String(library[library.index(after: slash)...])
        let files = (try? Files.paths(in: String(library[..<slash]), suffix: ".plugin.json")) ?? []
        for file in files {
            guard let text = try? Files.text(file), let json = try? JSONValue(parsing: text),
                json["library"]?.string == name
            else { continue }
            return json
        }
        return nil
    }
}
