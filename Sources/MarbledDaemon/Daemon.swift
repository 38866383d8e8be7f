// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import Glibc
internal import JSONRPC
package import Logging
internal import MarbledHost
internal import Store

/// The daemon, assembled: one loop, one host, one listener, and the clients.
///
/// Start-up, in order: the socket (inherited, or bound with its final rights), signals, plugins found by
/// their manifests, the watchdog, then `READY`. Shutdown, in order: no more connections, streams are
/// told, instances close, connections drain, the store finishes, the loop closes with nothing left on it.
package final class Daemon {
    private(set) var configuration: Configuration
    let loop: EventLoop
    let host: Host
    let http: HTTPProvider
    let router: Router<ClientSession>
    let validator = JSONValidator()
    let lines: StreamLines
    let startedAt: Int64
    private let manager = ServiceManager()
    private var logger: Logger
    private var listener: SocketListener?
    /// What real instances store, or nil where that is kept in memory.
    private(set) var store: SQLiteStore?
    private var signals: [SignalWatcher] = []
    private var timers: [LoopTimer] = []
    private var clients: [Int: ClientSession] = [:]
    private var nextClient = 1
    private var dirty: [ClientSession] = []
    private var congested: [ClientSession] = []
    private var congestionTimer: LoopTimer?
    private var isStopping = false
    /// Files beside plugins that were refused, with the reason.
    private(set) var refusals: [(file: String, reason: String)] = []
    private(set) var counters = Counters()

    /// What the daemon counts, for `daemon.status`.
    struct Counters {
        var accepted = 0
        var refused = 0
    }

    /// A daemon that does not listen yet.
    package init(_ configuration: Configuration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        let loop = try EventLoop()
        self.loop = loop
        startedAt = EventLoop.monotonicNanoseconds
        lines = StreamLines(epoch: String(UInt64(EventLoop.wallNanoseconds), radix: 36))
        router = Router(Methods.all)
        let wakeup = loop.wakeup
        var generator = SystemRandomNumberGenerator()
        host = Host(
            Host.Surroundings(
                clock: { EventLoop.monotonicNanoseconds },
                makeRealScheduler: { LoopScheduler(on: loop, catchUp: .seconds(1)) },
                log: { [logger] level, line in logger.log(level: level.loggerLevel, "\(line)") },
                post: { work in wakeup.enqueue(work) },
                makeSeed: { generator.next() }, redaction: configuration.redaction),
            limits: configuration.limits.host)
        http = HTTPProvider(on: loop, configuration.http)
        host.register(http, for: "http")
        if let folder = configuration.stateDirectory {
            let store = SQLiteStore(
                folder: folder, loop: loop, limits: configuration.limits.host.store,
                log: { [logger] level, line in logger.log(level: level.loggerLevel, "\(line)") })
            host.register(store, for: "store")
            self.store = store
        }
        host.runsNeedTurns = { [unowned self] in
            // One turn at a time: whoever else is ready comes in between.
            guard !runsArePutOff else { return }
            runsArePutOff = true
            loop.nextTurn { [unowned self] in resumeRuns() }
        }
    }

    private var runsArePutOff = false

    private func resumeRuns() {
        host.resumeRuns()
        guard host.hasRunningInstances else {
            runsArePutOff = false
            return
        }
        loop.nextTurn { [unowned self] in resumeRuns() }
    }

    // MARK: Life

    /// Listens and serves until it is told to stop.
    package func run() throws {
        defer {
            http.close()
            loop.close()
        }
        try open()
        loop.run()
        close()
    }

    private func open() throws {
        let socket = try makeSocket()
        listener = try SocketListener(on: loop, socket: socket, delegate: self)
        Self.unblockSignals([SIGTERM, SIGINT, SIGHUP])
        for signal in [SIGTERM, SIGINT] {
            signals.append(
                try SignalWatcher(on: loop, signal: signal) { [unowned self] in stop() })
        }
        signals.append(
            try SignalWatcher(on: loop, signal: SIGHUP) { [unowned self] in reload() })
        findPlugins()
        if let interval = manager.watchdogInterval {
            let timer = LoopTimer(on: loop) { [manager] in manager.feedWatchdog() }
            timer.start(after: interval, every: interval)
            timers.append(timer)
        }
        let status = "serving \(host.features.count) features on \(listener?.path ?? "")"
        log(.notice, status)
        manager.ready(status)
        if let descriptor = configuration.readyDescriptor {
            let word: StaticString = "READY\n"
            _ = write(descriptor, word.utf8Start, word.utf8CodeUnitCount)
            Glibc.close(descriptor)
        }
    }

    /// Whoever started us may have had them blocked, and the mask is inherited.
    private static func unblockSignals(_ signals: [CInt]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private func makeSocket() throws -> ListeningSocket {
        if let inherited = try manager.inheritedSocket() { return try .inherited(inherited) }
        var group: gid_t?
        if let name = configuration.group {
            guard let number = gid_t(name) ?? Self.groupNumber(name) else {
                throw ConfigurationError("there is no group \"\(name)\"")
            }
            group = number
        }
        return try .bind(path: configuration.socket, mode: configuration.mode, group: group)
    }

    private static func groupNumber(_ name: String) -> gid_t? {
        getgrnam(name)?.pointee.gr_gid
    }

    /// Ends in order. The loop runs until every connection has drained or run out of patience.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        log(.notice, "stopping")
        manager.stopping()
        listener?.close()
        let clients = clients.values.sorted { $0.number < $1.number }
        // Before the instances: who listens is to hear the cause, not its consequence.
        for client in clients { client.closeSubscriptions("the daemon is stopping") }
        for instance in host.openInstances { host.close(instance) }
        for client in clients { client.end() }
        stopWhenQuiet()
    }

    private func stopWhenQuiet() {
        guard isStopping, clients.isEmpty else { return }
        loop.stop()
    }

    func close() {
        host.closeAll()
        http.close()
        if let left = store?.close(patience: .seconds(5)), left > 0 {
            log(.error, "\(left) requests to the store were not finished in 5 s and are given up")
        }
        listener = nil
        signals = []
        timers = []
        congestionTimer = nil
    }

    /// Reads the configuration's file again: the log level, the plugins. The socket stays.
    func reload() {
        manager.reloading()
        if let file = configuration.file {
            do {
                var fresh = configuration
                try Settings(file: file).apply(to: &fresh)
                configuration.logLevel = fresh.logLevel
                configuration.pluginPath = fresh.pluginPath
                logger.logLevel = fresh.logLevel
            } catch {
                log(.error, "the configuration stays as it was: \(error)")
            }
        }
        findPlugins()
        let status = "serving \(host.features.count) features on \(listener?.path ?? "")"
        log(.notice, "reloaded; \(status)")
        manager.ready(status)
    }

    func findPlugins() {
        let directory = PluginDirectory(
            path: configuration.pluginPath,
            refusesForeignWriters: configuration.isSystemService)
        let findings = directory.scan()
        refusals = findings.refusals
        for plugin in findings.plugins {
            let known = host.plugins.first { $0.manifest.id == plugin.manifest.id }
            guard known?.manifest != plugin.manifest || known?.libraryPath != plugin.libraryPath
            else {
                continue
            }
            host.add(plugin)
            log(
                .info,
                "plugin \(plugin.manifest.id) \(plugin.manifest.version) from \(plugin.libraryPath ?? "")"
            )
        }
        for refusal in findings.refusals {
            log(.warning, "plugin refused: \(refusal.file): \(refusal.reason)")
        }
    }

    // MARK: Clients

    var clientCount: Int { clients.count }

    var subscriptionCount: Int { clients.values.reduce(0) { $0 + $1.subscriptions.count } }

    func remove(_ client: ClientSession) {
        clients[client.number] = nil
        stopWhenQuiet()
    }

    /// A client was written to outside its own turn; at the end of this one everything is sent.
    func noteDirty(_ client: ClientSession) {
        if dirty.isEmpty { loop.nextTurn { [unowned self] in flushDirty() } }
        dirty.append(client)
    }

    private func flushDirty() {
        let clients = dirty
        dirty = []
        for client in clients { client.flushIfDirty() }
    }

    /// Looks after a client that does not read, every half second, until it does or is closed.
    func watch(_ client: ClientSession) {
        congested.append(client)
        guard congested.count == 1 else { return }
        let timer =
            congestionTimer
            ?? LoopTimer(on: loop) { [unowned self] in
                let now = EventLoop.monotonicNanoseconds
                congested.removeAll { !$0.checkCongestion(now: now) }
                if congested.isEmpty { congestionTimer?.stop() }
            }
        congestionTimer = timer
        timer.start(after: .milliseconds(500), every: .milliseconds(500))
    }

    func log(_ level: Logger.Level, _ line: String) {
        logger.log(level: level, "\(line)")
    }
}

extension Daemon: SocketListenerDelegate {
    func listener(_ listener: SocketListener, accepted connection: SocketConnection) {
        welcome(connection)
    }

    /// Takes a client in, or tells it that there is no room.
    func welcome(_ connection: SocketConnection) {
        counters.accepted += 1
        guard clients.count < configuration.limits.connections, !isStopping else {
            counters.refused += 1
            var line = JSONWriter()
            line.notification(method: "daemon.refused") { writer in
                writer.object { $0.member("reason", "there are too many connections") }
            }
            connection.write(line.bytes)
            return connection.finish()
        }
        let client = ClientSession(connection, daemon: self, number: nextClient)
        clients[nextClient] = client
        nextClient += 1
        connection.start(client)
    }

    func listener(_ listener: SocketListener, refused error: LoopError) {
        counters.refused += 1
        log(.warning, "a connection was turned away: \(error)")
    }
}

extension HostLogLevel {
    var loggerLevel: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .warning
        case .error: .error
        }
    }
}
