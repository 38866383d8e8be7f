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
    var configuration: Configuration
    let loop: EventLoop
    let host: Host
    let http: HTTPProvider
    let router: Router<ClientSession>
    /// Changes when any method's declaration does.
    private(set) lazy var schemaHash = OpenRPC.hash(router.methods)
    let validator = JSONValidator()
    let lines: StreamLines
    let startedAt: Int64
    let manager = ServiceManager()
    let log: DaemonLog
    /// What each peer may call.
    var policy = AccessPolicy(ownUser: geteuid(), socketGroup: nil)
    private var listener: SocketListener?
    /// What real instances store, or nil where that is kept in memory.
    private(set) var store: SQLiteStore?
    private var signals: [SignalWatcher] = []
    private var timers: [LoopTimer] = []
    private var lifeline: DescriptorWatcher?
    private(set) var clients: [Int: ClientSession] = [:]
    private var nextClient = 1
    private var dirty: [ClientSession] = []
    private var congested: [ClientSession] = []
    private var congestionTimer: LoopTimer?
    private var bookmarkTimer: LoopTimer?
    private(set) var isStopping = false
    /// Files beside plugins that were refused, with the reason.
    var refusals: [(file: String, reason: String)] = []
    var counters = Counters()
    /// Bytes of parts of records that clients have sent and not ended; at most `replayPartBytes`.
    var recordPartBytes = 0
    /// How often limits struck, without those of clients that are there.
    private(set) var pastStrikes: [String: Int] = [:]

    /// What the daemon counts, for `daemon.status`.
    struct Counters {
        /// Connections.
        var accepted = 0
        /// Connections that were turned away, for whatever reason.
        var refused = 0
        /// Those of them that may do nothing here.
        var denied = 0
        /// Calls that were taken back.
        var cancelled = 0
        /// Events that slow subscribers lost.
        var lostEvents = 0
    }

    /// A daemon that does not listen yet.
    package init(_ configuration: Configuration, logger: Logger) throws {
        self.configuration = configuration
        let log = DaemonLog(logger)
        self.log = log
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
                log: { [log] level, line in log.note(level, line) },
                post: { work in wakeup.enqueue(work) },
                // As many bits as a double carries: many who read JSON would change a longer seed.
                makeSeed: { generator.next() >> 11 }, redaction: configuration.redaction),
            limits: configuration.limits.host)
        http = HTTPProvider(on: loop, configuration.http)
        host.register(http, for: "http")
        if let folder = configuration.stateDirectory {
            let store = SQLiteStore(
                folder: folder, loop: loop, limits: configuration.limits.host.store,
                log: { [log] level, line in log.note(level, line) })
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
        policy = try makePolicy(configuration)
        Self.unblockSignals([SIGTERM, SIGINT, SIGHUP])
        for signal in [SIGTERM, SIGINT] {
            signals.append(
                try SignalWatcher(on: loop, signal: signal) { [unowned self] in stop() })
        }
        signals.append(
            try SignalWatcher(on: loop, signal: SIGHUP) { [unowned self] in
                do { _ = try reload() } catch {
                    log.write(.error, "the configuration stays as it was: \(error)")
                }
            })
        if let descriptor = configuration.lifelineDescriptor {
            // Nobody writes to it: all that can come is its end.
            let watcher = try DescriptorWatcher(on: loop, descriptor: descriptor) {
                [unowned self] _ in
                lifeline?.close()
                stop()
            }
            watcher.watch(.readable)
            lifeline = watcher
        }
        findPlugins()
        if let interval = manager.watchdogInterval {
            let timer = LoopTimer(on: loop) { [manager] in manager.feedWatchdog() }
            timer.start(after: interval, every: interval)
            timers.append(timer)
        }
        log.write(.notice, servingStatus)
        manager.ready(servingStatus)
        if let descriptor = configuration.readyDescriptor {
            let word: StaticString = "READY\n"
            _ = write(descriptor, word.utf8Start, word.utf8CodeUnitCount)
            Glibc.close(descriptor)
        }
    }

    /// Where the daemon listens; empty before it does, and for an inherited socket without a name.
    var socketPath: String { listener?.path ?? "" }

    /// Whoever started us may have had them blocked, and the mask is inherited.
    private static func unblockSignals(_ signals: [CInt]) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private func makeSocket() throws -> ListeningSocket {
        if let inherited = try manager.inheritedSocket() { return try .inherited(inherited) }
        return try .bind(
            path: configuration.socket, mode: configuration.mode,
            group: try configuration.groupNumber())
    }

    /// Ends in order. The loop runs until every connection has drained or run out of patience.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        log.write(.notice, "stopping")
        manager.stopping()
        listener?.close()
        let clients = clients.values.sorted { $0.number < $1.number }
        // Before the instances: who listens is to hear the cause, not its consequence.
        for client in clients {
            client.closeSubscriptions(ErrorKind.stopping.summary)
            client.giveUpWaits(.stopping)
        }
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
            log.write(
                .error, "\(left) requests to the store were not finished in 5 s and are given up")
        }
        listener = nil
        signals = []
        lifeline?.close()
        timers = []
        congestionTimer = nil
        bookmarkTimer = nil
    }

    // MARK: Clients

    var clientCount: Int { clients.count }

    var subscriptionCount: Int { clients.values.reduce(0) { $0 + $1.subscriptions.count } }

    func add(_ connection: SocketConnection, _ level: AccessLevel) {
        let client = ClientSession(connection, daemon: self, number: nextClient)
        client.rpc.level = level
        clients[nextClient] = client
        nextClient += 1
        connection.start(client)
    }

    func remove(_ client: ClientSession) {
        guard clients.removeValue(forKey: client.number) != nil else { return }
        pastStrikes.merge(client.strikes, uniquingKeysWith: +)
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
        guard !congested.contains(where: { $0 === client }) else { return }
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

    /// Counts that a limit struck.
    func strike(_ limit: String) { pastStrikes[limit, default: 0] += 1 }

    /// Sees to it that subscribers who hear nothing learn now and then where they stand.
    func keepBookmarks() {
        guard bookmarkTimer == nil else { return }
        let timer = LoopTimer(on: loop) { [unowned self] in
            for client in clients.values { client.bookmark() }
            guard subscriptionCount == 0 else { return }
            bookmarkTimer?.close()
            bookmarkTimer = nil
        }
        let interval = Duration.nanoseconds(configuration.limits.bookmarkNanoseconds)
        timer.start(after: interval, every: interval)
        bookmarkTimer = timer
    }
}
