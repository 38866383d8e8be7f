// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import Glibc
internal import Logging
internal import MarbledDaemon

/// Runs the daemon in the foreground.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the daemon in the foreground (the default).",
        discussion: """
            The settings file is YAML: socket, mode, group, plugins, clock, state-directory, log, http, access \
            and limits. Levels are none, read, control and admin:

              access: {users: {ann: admin}, groups: {operators: control}, others: read}
              limits: {connections: 200}

            The limits, with what holds where the file says nothing:

            """ + DaemonLimits.help)

    @Option(
        help: ArgumentHelp(Setting.doc("socket"), valueName: "path"),
        completion: .file())
    var socket: String?

    @Option(help: ArgumentHelp(Setting.doc("mode"), valueName: "octal"))
    var mode: String?

    @Option(help: ArgumentHelp(Setting.doc("group"), valueName: "group"))
    var group: String?

    @Option(
        help: ArgumentHelp(Setting.doc("plugins"), valueName: "folders"),
        completion: .directory)
    var pluginPath: String?

    @Option(
        help: ArgumentHelp(Setting.doc("clock"), valueName: "clock"),
        completion: .list(Configuration.DefaultClock.allCases.map(\.rawValue)))
    var clock: String?

    @Option(
        help: ArgumentHelp(Setting.doc("state-directory"), valueName: "path"),
        completion: .directory)
    var stateDirectory: String?

    @Option(
        help: ArgumentHelp(Setting.doc("log"), valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var log: String?

    @Option(
        help: ArgumentHelp(
            "The file to read settings from; else \(Configuration.systemFile), where it is there.",
            valueName: "path"),
        completion: .file(extensions: ["yaml"]))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "A descriptor to write READY to once the socket listens.", valueName: "number"))
    var readyFd: Int32?

    @Option(
        help: ArgumentHelp(
            "A descriptor whose other end is yours: when that closes, the daemon ends.",
            valueName: "number"))
    var lifelineFd: Int32?

    @Flag(help: "Check the settings, say what they are, and end.")
    var check = false

    func run() throws {
        let environment = Process.environment
        let configuration: Configuration
        do {
            var loaded = try Configuration.load(
                flags: try settings(), file: config, environment: environment,
                executableFolder: Process.executableFolder)
            loaded.readyDescriptor = try Self.open(readyFd, "--ready-fd")
            loaded.lifelineDescriptor = try Self.open(lifelineFd, "--lifeline-fd")
            configuration = loaded
        } catch {
            complain("\(error)")
            throw ExitCode(3)
        }
        if check { return print(configuration.summary) }
        let handler = LogLine(
            level: configuration.logLevel, isJournal: environment["JOURNAL_STREAM"] != nil)
        let logger = Logger(label: "marbled") { _ in handler }
        do {
            try Daemon(configuration, logger: logger).run()
        } catch {
            complain("\(error)")
            throw ExitCode(1)
        }
    }

    /// A descriptor that is open, as whoever starts the daemon gives it.
    private static func open(
        _ descriptor: Int32?, _ flag: String
    ) throws(ConfigurationError) -> Int32? {
        if let descriptor, fcntl(descriptor, F_GETFD) < 0 {
            throw ConfigurationError("\(flag) is \(descriptor), which is no open descriptor")
        }
        return descriptor
    }

    private func settings() throws(ConfigurationError) -> Settings {
        var settings = Settings()
        settings.socket = socket
        settings.group = group
        settings.pluginPath = pluginPath.map(Settings.folders)
        settings.stateDirectory = stateDirectory
        if let mode { settings.mode = try Settings.mode(mode, "--mode") }
        if let clock { settings.clock = try Settings.clock(clock, "--clock") }
        if let log { settings.logLevel = try Settings.level(log, "--log") }
        return settings
    }
}

/// Writes a sentence to standard error.
func complain(_ sentence: String) {
    var line = "marbled: \(sentence)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// What the process knows of itself.
enum Process {
    /// The environment, by name.
    static var environment: [String: String] {
        var result: [String: String] = [:]
        // Safety: read once at start-up, before there is any other thread.
        nonisolated(unsafe) var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                result[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return result
    }

    /// Whoever was started without standard input, output or error would give the next socket their
    /// number, and log into it.
    static func holdStandardDescriptors() {
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// The folder that this program is in.
    static var executableFolder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        let text = String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.lastIndex(of: "/").map { String(text[..<$0]) }
    }
}
