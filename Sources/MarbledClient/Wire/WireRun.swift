// SPDX-License-Identifier: Apache-2.0

/// Holds the conversation that a script tells of, and compares.
///
/// Bound: every line has `patience`, so a script ends after as many times that as it has lines.
package struct WireRun {
    /// What was said so far, for whoever wants to look at it besides.
    package enum Said {
        case sent(client: String, [UInt8])
        case came(client: String, [UInt8])
    }

    /// How the first failure looks.
    package enum Fault: Equatable {
        /// Another line came than expected; the first `matched` bytes are alike.
        case differs(actual: [UInt8], matched: Int, expected: String)
        /// Nothing came in time where something had to.
        case silence(expected: String)
        /// The daemon hung up where something had to come.
        case ended(expected: String)
        /// A line came that the script does not tell of.
        case unexpected([UInt8])
        /// The daemon does not take what is sent.
        case stuck
        case cannotConnect(String)
    }

    /// The first thing that was not as the script says.
    package struct Failure: Error, Equatable {
        /// The script's line.
        package let line: Int
        package let client: String
        package let fault: Fault

        package init(line: Int, client: String, fault: Fault) {
            self.line = line
            self.client = client
            self.fault = fault
        }
    }

    private let script: WireScript
    private let patience: Duration
    private let connect: () throws(ClientError) -> WireSocket
    private let hear: (Said) -> Void
    private var clients: [(name: String, client: Participant)] = []
    private var values: [String: [UInt8]] = [:]

    private struct Participant {
        let socket: WireSocket
        /// Whether a question at the end would be answered.
        var canAsk = true
        var isInLine = false
    }

    /// Runs a script to its end, or to the first thing that is not as it says.
    ///
    /// - Parameters:
    ///   - connect: makes the connection of a client when it is first named.
    ///   - hear: is told of every line that was sent or came.
    package static func run(
        _ script: WireScript, patience: Duration = .seconds(10),
        connect: @escaping () throws(ClientError) -> WireSocket,
        hear: @escaping (Said) -> Void = { _ in }
    ) throws(Failure) {
        var run = WireRun(script: script, patience: patience, connect: connect, hear: hear)
        for step in script.steps { try run.perform(step) }
        try run.finish()
    }

    private init(
        script: WireScript, patience: Duration,
        connect: @escaping () throws(ClientError) -> WireSocket, hear: @escaping (Said) -> Void
    ) {
        self.script = script
        self.patience = patience
        self.connect = connect
        self.hear = hear
    }

    private mutating func perform(_ step: WireScript.Step) throws(Failure) {
        let index = try participant(step)
        let socket = clients[index].client.socket
        let deadline = Deadline.after(patience)
        switch step.action {
        case .send(let pattern, let endsLine):
            let text = pattern.text(values)
            hear(.sent(client: step.client, text))
            clients[index].client.isInLine = !endsLine
            try send(text + (endsLine ? [0x0A] : []), step, socket, deadline)
        case .sendBytes(let bytes):
            hear(.sent(client: step.client, bytes))
            clients[index].client.isInLine = bytes.last != 0x0A
            try send(bytes, step, socket, deadline)
        case .expect(let pattern):
            let expected = String(decoding: pattern.text(values), as: UTF8.self)
            switch socket.nextLine(until: deadline) {
            case .timeout: throw failure(step, .silence(expected: expected))
            case .ended: throw failure(step, .ended(expected: expected))
            case .line(let line):
                hear(.came(client: step.client, line))
                guard let difference = pattern.match(line, &values) else { return }
                throw failure(
                    step,
                    .differs(
                        actual: line, matched: difference.matched, expected: difference.expected))
            }
        case .endInput:
            clients[index].client.canAsk = false
            socket.endInput()
        case .close:
            clients[index].client.canAsk = false
            socket.hangUp()
        case .expectEnd:
            clients[index].client.canAsk = false
            switch socket.nextLine(until: deadline) {
            case .ended: break
            case .timeout: throw failure(step, .silence(expected: "the end of the connection"))
            case .line(let line): throw failure(step, .unexpected(line))
            }
        }
    }

    /// Whoever can still ask does, and the answer must be all that comes.
    private func finish() throws(Failure) {
        let question = #"{"jsonrpc":"2.0","id":"the script is over","method":"daemon.ping"}"#
        let answer = #"{"jsonrpc":"2.0","result":{},"id":"the script is over"}"#
        for (name, client) in clients where client.canAsk && !client.isInLine {
            let last = WireScript.Step(
                line: script.steps.last?.line ?? 1, client: name, action: .close)
            let deadline = Deadline.after(patience)
            try send(Array(question.utf8) + [0x0A], last, client.socket, deadline)
            switch client.socket.nextLine(until: deadline) {
            case .timeout: throw failure(last, .silence(expected: answer))
            case .ended: throw failure(last, .ended(expected: answer))
            case .line(Array(answer.utf8)): break
            case .line(let line): throw failure(last, .unexpected(line))
            }
        }
    }

    private mutating func participant(_ step: WireScript.Step) throws(Failure) -> Int {
        if let index = clients.firstIndex(where: { $0.name == step.client }) { return index }
        let socket: WireSocket
        do {
            socket = try connect()
        } catch {
            throw failure(step, .cannotConnect(Complaint(error).sentence))
        }
        clients.append((step.client, Participant(socket: socket)))
        return clients.count - 1
    }

    private func send(
        _ bytes: [UInt8], _ step: WireScript.Step, _ socket: WireSocket, _ deadline: Deadline
    ) throws(Failure) {
        guard socket.send(bytes, until: deadline) else { throw failure(step, .stuck) }
    }

    private func failure(_ step: WireScript.Step, _ fault: Fault) -> Failure {
        Failure(line: step.line, client: step.client, fault: fault)
    }
}
