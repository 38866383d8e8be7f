// SPDX-License-Identifier: Apache-2.0

internal import EventLoop
internal import JSONRPC
internal import Logging
internal import MarbledHost

extension Daemon: SocketListenerDelegate {
    func listener(_ listener: SocketListener, accepted connection: SocketConnection) {
        welcome(connection)
    }

    /// Takes a client in, or tells it why not.
    func welcome(_ connection: SocketConnection) {
        counters.accepted += 1
        switch admit(connection.peer) {
        case .failure(let error): refuse(connection, error)
        case .success(let level): add(connection, level)
        }
    }

    func listener(_ listener: SocketListener, refused error: LoopError) {
        counters.refused += 1
        log.write(.warning, "a connection was turned away: \(error)")
    }

    func listener(_ listener: SocketListener, lastWordsFor error: LoopError) -> [UInt8] {
        var line = JSONWriter()
        line.errorLine(
            RPCError(
                .limit, "the daemon has no descriptor left for another connection",
                expected: "fewer connections, or a higher limit of open files"))
        return Array(line.bytes)
    }

    /// What a peer may call, or why it is turned away.
    private func admit(_ peer: PeerCredentials) -> Result<AccessLevel, RPCError> {
        guard !isStopping else { return .failure(RPCError(.stopping)) }
        guard let level = policy.level(user: peer.userID, groups: peer.groupIDs) else {
            return .failure(Self.nothingGranted(peer))
        }
        let limits = configuration.limits
        guard clients.count < limits.connections else {
            strike("connections")
            return .failure(
                RPCError(
                    .limit, "there are too many connections",
                    expected: "at most \(limits.connections) at once (limits.connections)"))
        }
        guard connections(of: peer.userID) < limits.connectionsPerUser else {
            strike("connectionsPerUser")
            return .failure(
                RPCError(
                    .limit, "user \(peer.userID) has too many connections",
                    expected: "at most \(limits.connectionsPerUser) of one user at once "
                        + "(limits.connectionsPerUser)"))
        }
        return .success(level)
    }

    static func nothingGranted(_ peer: PeerCredentials) -> RPCError {
        RPCError(
            .denied, "user \(peer.userID) may do nothing here",
            expected:
                "a user, or a member of a group, that the daemon's configuration gives a level "
                + "under access, or a member of the socket's group")
    }

    private func connections(of user: UInt32) -> Int {
        clients.values.count { $0.connection.peer.userID == user }
    }

    /// An error that answers no call, then the end.
    private func refuse(_ connection: SocketConnection, _ error: RPCError) {
        counters.refused += 1
        if error.kind == .denied { counters.denied += 1 }
        log.write(.info, "a connection of user \(connection.peer.userID) is refused: \(error)")
        var line = JSONWriter()
        line.errorLine(error)
        connection.write(line.bytes)
        connection.finish()
    }

    /// New rules: who has a connection keeps it with the level that it has now, if it has one.
    func apply(_ policy: AccessPolicy) {
        self.policy = policy
        for client in clients.values.sorted(by: { $0.number < $1.number }) {
            let peer = client.connection.peer
            guard let level = policy.level(user: peer.userID, groups: peer.groupIDs) else {
                client.turnOut(Self.nothingGranted(peer))
                continue
            }
            client.rpc.level = level
        }
    }

    /// How often each limit struck, by its name; those that never did are not in it.
    var strikes: [(String, Int)] {
        var all = pastStrikes.merging(host.strikes, uniquingKeysWith: +)
        for client in clients.values { all.merge(client.strikes, uniquingKeysWith: +) }
        return DaemonLimits.table.compactMap { limit in all[limit.name].map { (limit.name, $0) } }
    }
}

extension JSONWriter {
    /// A whole line: an error that answers no call that could be named.
    mutating func errorLine(_ error: RPCError) {
        object {
            $0.member("jsonrpc", "2.0" as StaticString)
            $0.member("error", error)
            $0.key("id")
            $0.append("null")
        }
        append(byte: 0x0A)
    }
}
