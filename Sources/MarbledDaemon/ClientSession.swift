// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import Logging
internal import MarbledHost

/// One client: its socket, its calls, its subscriptions, and what ends with it.
///
///     readable ─▶ didRead ─▶ pump ─▶ process (handlers, streams) ─▶ flush ─▶ socket
///
/// Loop-confined; kept by its connection until that has closed. Two bounds protect the others: above
/// the soft one its calls wait and its streams are held back, above the hard one, or too long above the
/// soft one, it is told why and closed.
final class ClientSession {
    /// The name it has in logs.
    let number: Int
    let connection: SocketConnection
    unowned let daemon: Daemon
    let rpc: RPCSession<ClientSession>
    private(set) var subscriptions: [String: StreamSubscription] = [:]
    /// Open instances that close with this connection, by their order.
    private var ephemerals: [Int: Instance] = [:]
    /// The parts of a record that have come so far; see `record.replay`.
    private(set) var recordParts = ""
    /// What waits on behalf of this client, to be given up when it goes.
    private var waits: [Int: Wait] = [:]
    private let congestionBytes: Int
    private var nextWait = 1
    private var nextSubscription = 1
    private var subscriptionsHoldingBack = 0
    private var isPumping = false
    private var isDirty = false
    private var peerHasClosed = false
    private var peerTimer: LoopTimer?
    /// Whether nothing more is done for it.
    private(set) var isEnding = false
    private var congestedSince: Int64?
    /// When it connected, on the loop's clock.
    let since = EventLoop.monotonicNanoseconds
    /// Events that its subscriptions lost.
    private(set) var lostEvents = 0
    /// Bytes of events that its subscriptions hold back.
    private(set) var heldBytes = 0
    private var ownStrikes: [String: Int] = [:]

    /// Why a call that waits is given up.
    enum GivingUp {
        /// Its client took it back.
        case cancelled
        /// The daemon is stopping.
        case stopping
        /// Its client is gone: nobody hears the answer.
        case gone
    }

    private struct Wait {
        let kept: KeptReply
        let giveUp: (GivingUp) -> Void
    }

    init(_ connection: SocketConnection, daemon: Daemon, number: Int) {
        self.connection = connection
        self.daemon = daemon
        self.number = number
        congestionBytes = daemon.configuration.limits.softUnsentBytes / 2
        rpc = RPCSession(
            router: daemon.router, limits: daemon.configuration.limits.rpc,
            validator: daemon.validator)
        rpc.whenAnsweredLate = { [unowned self] in answeredLate() }
    }

    private var limits: DaemonLimits { daemon.configuration.limits }

    /// Bytes that this client has not taken yet.
    var unsentBytes: Int { rpc.output.count + connection.unsentBytes }

    // MARK: Work

    /// Deals with what came, sends what it made, and does what the session says next.
    func pump() {
        guard !isPumping, !isEnding else { return }
        if isFull { flush() }
        // Its connection drains first, and calls this again.
        guard !isEnding, !isFull else { return connection.pauseReading() }
        isPumping = true
        drainSubscriptions()
        let turnEnds = EventLoop.monotonicNanoseconds &+ limits.turnNanoseconds
        let action = rpc.process(self, budget: limits.messagesPerTurn) {
            // Whom this turn turned out asks for nothing more.
            isEnding || EventLoop.monotonicNanoseconds >= turnEnds || isFull
        }
        isPumping = false
        flush()
        guard !isEnding else { return }
        switch action {
        case .read:
            readOrRest()
        case .yield:
            connection.pauseReading()
            guard !isFull else { return }
            daemon.loop.nextTurn { self.pump() }
        case .waitForAnswers:
            connection.pauseReading()
            watchPeer()
        case .close:
            end()
        }
    }

    /// Reads on unless the client takes too little of what it is sent.
    private func readOrRest() {
        if isFull {
            connection.pauseReading()
        } else if !peerHasClosed {
            connection.resumeReading()
        }
    }

    private func answeredLate() {
        guard !isEnding else { return }
        markDirty()
        // There is room for further calls, and perhaps lines that wait.
        daemon.loop.nextTurn { self.pump() }
    }

    /// Something was written outside this client's own turn: it is sent at the end of this one.
    func markDirty() {
        guard !isPumping, !isDirty else { return }
        isDirty = true
        daemon.noteDirty(self)
    }

    func flushIfDirty() {
        guard isDirty else { return }
        isDirty = false
        guard !isEnding else { return }
        drainSubscriptions()
        flush()
    }

    private func flush() {
        guard !isEnding else { return }
        if rpc.output.count > 0 {
            // What this turn made is not unread yet: one answer alone may be longer than the bound.
            let unread = connection.unsentBytes
            guard unread <= limits.hardUnsentBytes else {
                strike("hardUnsentBytes")
                return giveUp(
                    "it left \(unread) bytes unread, and the limit is \(limits.hardUnsentBytes)")
            }
            connection.write(rpc.output.bytes)
            rpc.output.removeAll()
        }
        watchCongestion()
        // No drain follows a write that the kernel took whole: what is held back has its room now.
        if subscriptionsHoldingBack > 0, !isCongested { markDirty() }
    }

    // MARK: Bounds

    /// Whether streams are held back.
    var isCongested: Bool { unsentBytes > congestionBytes }

    /// Whether calls wait, too.
    private var isFull: Bool { unsentBytes > limits.softUnsentBytes }

    private func watchCongestion() {
        guard connection.unsentBytes > limits.softUnsentBytes else {
            congestedSince = nil
            return
        }
        let now = EventLoop.monotonicNanoseconds
        if congestedSince == nil {
            strike("softUnsentBytes")
            congestedSince = now
            daemon.watch(self)
        }
    }

    /// Called once in a while for a client above the soft bound. Returns whether to go on watching.
    func checkCongestion(now: Int64) -> Bool {
        guard !isEnding, let since = congestedSince else { return false }
        guard connection.unsentBytes > limits.softUnsentBytes else {
            congestedSince = nil
            return false
        }
        guard now - since > limits.softUnsentNanoseconds else { return true }
        strike("softUnsentNanoseconds")
        giveUp("it left more than \(limits.softUnsentBytes) bytes unread for too long")
        return false
    }

    /// Ends a client that does not read. Each of its streams and the client itself are told why, behind what
    /// it has left unread; it has a while to read that far.
    private func giveUp(_ reason: String) {
        daemon.log.write(.warning, "client \(number) is closed: \(reason)")
        // From here on no bound counts: what is written is the end.
        isEnding = true
        closeSubscriptions("slow: \(reason)")
        rpc.output.errorLine(RPCError(.limit, "the connection closes: \(reason)"))
        connection.write(rpc.output.bytes)
        rpc.output.removeAll()
        connection.finish(within: .seconds(10))
    }

    /// Ends a client that may do nothing here any more.
    func turnOut(_ error: RPCError) {
        closeSubscriptions(error.message)
        rpc.output.errorLine(error)
        end()
    }

    /// Counts that a limit struck.
    func strike(_ limit: String) { ownStrikes[limit, default: 0] += 1 }

    /// How often each limit struck this client, by the limit's name.
    var strikes: [String: Int] {
        ownStrikes.merging(rpc.strikes.named.filter { $0.1 > 0 }, uniquingKeysWith: +)
    }

    /// Counts bytes of events that a subscription holds back from now on, or less than none that it let go.
    func noteHeld(_ bytes: Int) { heldBytes += bytes }

    /// Counts what a slow subscriber lost.
    func noteLostEvent() {
        lostEvents += 1
        daemon.counters.lostEvents += 1
    }

    /// Sends what there is, in the middle of its turn, so that there may be room for more.
    func makeRoom() { flush() }

    /// Sends what is left and closes.
    func end() {
        guard !isEnding else { return }
        flush()
        isEnding = true
        connection.finish()
    }

    /// Tells every stream of this client why it ends.
    func closeSubscriptions(_ reason: String) {
        for subscription in inOrder() { subscription.close(reason) }
    }

    /// Subscriptions in the order in which they were made: the same every time.
    private func inOrder(
        _ isWanted: (StreamSubscription) -> Bool = { _ in true }
    ) -> [StreamSubscription] {
        subscriptions.values.filter(isWanted).sorted { $0.number < $1.number }
    }

    // MARK: Subscriptions

    func makeSubscriptionNumber() -> Int {
        defer { nextSubscription += 1 }
        return nextSubscription
    }

    func add(_ subscription: StreamSubscription) {
        subscriptions[subscription.name] = subscription
        daemon.keepBookmarks()
    }

    /// Tells each subscription that heard nothing for a while where it stands.
    func bookmark() {
        guard !isEnding else { return }
        for subscription in inOrder() { subscription.bookmark() }
    }

    func remove(_ subscription: StreamSubscription) {
        subscriptions[subscription.name] = nil
        guard peerHasClosed, subscriptions.isEmpty, !isEnding else { return }
        // It only listened on, and there is nothing more to hear.
        rpc.inputEnded()
        daemon.loop.nextTurn { self.pump() }
    }

    /// One of its subscriptions began, or ceased, to hold back.
    func noteHolding(_ change: Int) { subscriptionsHoldingBack += change }

    /// Writes what is held back, as far as there is room; before an answer, all of it.
    func drainSubscriptions(beforeAnswer: Bool = false) {
        guard subscriptionsHoldingBack > 0 else { return }
        for subscription in inOrder(\.isHoldingBack) {
            guard beforeAnswer || !isCongested else { return }
            subscription.drain()
        }
    }

    // MARK: Records

    /// Keeps a part of a record until the others come.
    func keepRecordPart(_ part: String) {
        recordParts += part
        daemon.recordPartBytes += part.utf8.count
    }

    /// Hands over the parts that came, and forgets them.
    @discardableResult
    func takeRecordParts() -> String {
        daemon.recordPartBytes -= recordParts.utf8.count
        return exchange(&recordParts, with: "")
    }

    // MARK: Instances

    /// Closes an instance with this connection, where nobody does so before.
    func addEphemeral(_ instance: Instance) {
        ephemerals[instance.order] = instance
        instance.whenClosed = { [weak self, order = instance.order] in
            self?.ephemerals[order] = nil
        }
    }

    private func closeEphemerals() {
        for order in ephemerals.keys.sorted() {
            if let instance = ephemerals[order] { daemon.host.close(instance) }
        }
    }

    // MARK: Waits

    /// Notes a call of this client that waits; the token takes the note back. `giveUp` is called once, and the
    /// note is gone by then: it answers.
    func addWait(_ kept: KeptReply, _ giveUp: @escaping (GivingUp) -> Void) -> Int {
        nextWait += 1
        waits[nextWait] = Wait(kept: kept, giveUp: giveUp)
        return nextWait
    }

    /// Gives up the waiting calls of that id. Returns whether there was one.
    func cancel(_ id: RawJSON) -> Bool {
        let tokens = waits.filter { $0.value.kept.hasID(id) }.keys.sorted()
        for token in tokens { waits.removeValue(forKey: token)?.giveUp(.cancelled) }
        daemon.counters.cancelled += tokens.count
        return !tokens.isEmpty
    }

    /// Gives up every call that waits, in the order in which they began to.
    func giveUpWaits(_ reason: GivingUp) {
        for token in waits.keys.sorted() { waits.removeValue(forKey: token)?.giveUp(reason) }
    }

    func removeWait(_ token: Int) {
        waits[token] = nil
    }

    /// A client that will send nothing more, or that is not read from, shows only by asking that it has gone.
    private func watchPeer() {
        guard peerTimer == nil else { return }
        guard !connection.peerIsGone else { return connection.close() }
        let timer = LoopTimer(on: daemon.loop) { [unowned self] in
            if connection.isReading { return stopWatchingPeer() }
            if connection.peerIsGone { connection.close() }
        }
        timer.start(after: .seconds(1), every: .seconds(1))
        peerTimer = timer
    }

    private func stopWatchingPeer() {
        peerTimer?.close()
        peerTimer = nil
    }

    private func wasClosed() {
        isEnding = true
        stopWatchingPeer()
        rpc.close()
        for subscription in subscriptions.values { subscription.detach() }
        subscriptions = [:]
        takeRecordParts()
        giveUpWaits(.gone)
        closeEphemerals()
        daemon.remove(self)
    }
}

extension ClientSession: SocketConnectionDelegate {
    func readBuffer(for connection: SocketConnection) -> UnsafeMutableRawBufferPointer {
        rpc.room(atLeast: 4_096)
    }

    func connection(_ connection: SocketConnection, didRead count: Int) {
        rpc.didRead(count)
        pump()
    }

    func connectionPeerClosed(_ connection: SocketConnection) {
        peerHasClosed = true
        // Subscribers listen on, as long as they are there; who only called is answered and let go.
        guard subscriptions.isEmpty else { return watchPeer() }
        rpc.inputEnded()
        pump()
    }

    func connectionDidDrain(_ connection: SocketConnection) {
        congestedSince = nil
        drainSubscriptions()
        flush()
        pump()
    }

    func connection(
        _ connection: SocketConnection, didCloseBecause reason: SocketConnection.CloseReason
    ) {
        wasClosed()
    }
}
