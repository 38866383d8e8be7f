// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What a watcher does next, decided apart from sockets and clocks.
///
///     connecting ──connected──▸ subscribing ──every answer──▸ streaming
///         ▴  ▴──connectFailed (after a pause)──┐     │             │
///         └────────────── connectionLost ──────┴─────┴─────────────┘
///
/// A daemon that stops is waited for like one that was lost, and one that is back without the instance
/// is asked again until somebody has opened it: what was watched goes on, from its beginning.
///
/// Whoever drives it carries every action out in order and tells what came of it. After `finish` it
/// asks for nothing more. Time is told with each input, in nanoseconds of any clock.
package struct WatchSession {
    package struct Options: Sendable {
        package var instance: String
        /// Names, or `*` alone for all.
        package var outputs: [String]
        package var since: String?
        /// How many events are enough.
        package var count: Int?
        package var reconnects = true

        package init(instance: String, outputs: [String]) {
            self.instance = instance
            self.outputs = outputs.isEmpty ? ["*"] : outputs
        }
    }

    package enum Input {
        case connected
        case connectFailed(Complaint)
        case subscribed(JSONValue)
        case subscribeFailed(RemoteError)
        case notified(ServerNotification)
        case connectionLost(Complaint)
    }

    package enum Action: Equatable {
        /// Connect anew, once this much time has passed.
        case connect(after: Duration)
        /// Call `stream.subscribe` with these parameters.
        case subscribe(JSONValue)
        case report(WatchRecord)
        /// The end: all is well, or a complaint.
        case finish(Complaint?)
    }

    /// How long a lost daemon is waited for.
    package static let patience = Duration.seconds(30)
    package static let firstPause = Duration.milliseconds(50)
    package static let longestPause = Duration.seconds(2)

    private struct Lane {
        let output: String
        var cursor: String?
        var subscription: String?
        var isOver = false
    }

    private enum State {
        /// Exits: subscribing, finished.
        case connecting
        /// Waits for the answer of the lane with this index. Exits: streaming, connecting, finished.
        case subscribing(Int)
        /// Exits: connecting, finished.
        case streaming
        case finished
    }

    /// A time without streams.
    private struct Outage {
        let since: Int64
        var pause = WatchSession.firstPause
        /// The daemon is there, and the instance is not.
        var isInstanceMissing = false
    }

    private let options: Options
    private var lanes: [Lane]
    private var state: State
    private var outage: Outage?
    private var hasStreamed = false
    private var reported = 0

    /// A watcher whose driver is about to connect for the first time.
    package init(_ options: Options, now: Int64) {
        self.options = options
        lanes = options.outputs.map { Lane(output: $0, cursor: options.since) }
        state = .connecting
        outage = Outage(since: now)
    }

    package var isStreaming: Bool {
        guard case .streaming = state else { return false }
        return true
    }

    /// What is waited for, for people; nil while the streams run.
    package var situation: String? {
        guard let outage, hasStreamed else { return nil }
        return outage.isInstanceMissing
            ? "the daemon is back without \(options.instance); waiting for it to be opened…"
            : "the connection is lost; looking for the daemon…"
    }

    package mutating func handle(_ input: Input, now: Int64) -> [Action] {
        if case .finished = state { return [] }
        switch input {
        case .connected: return subscribe(from: 0)
        case .connectFailed(let complaint): return retry(complaint, now: now)
        case .subscribed(let answer): return subscribed(answer)
        case .subscribeFailed(let error):
            let refusal = Complaint(ClientError.refused(error, method: "stream.subscribe"))
            guard error.kind == .unknownInstance, hasStreamed else { return finish(refusal) }
            outage?.isInstanceMissing = true
            return retry(refusal, now: now)
        case .notified(let notification): return notified(notification)
        case .connectionLost(let complaint): return lost(complaint, now: now)
        }
    }

    // MARK: Connecting

    private mutating func lost(_ complaint: Complaint, now: Int64) -> [Action] {
        guard options.reconnects else { return finish(complaint) }
        // One that accepts and then says nothing is looked for no longer than one that is gone.
        if outage != nil {
            outage?.isInstanceMissing = false
            return retry(complaint, now: now)
        }
        outage = Outage(since: now)
        for index in lanes.indices { lanes[index].subscription = nil }
        state = .connecting
        return [.connect(after: .zero)]
    }

    private mutating func retry(_ complaint: Complaint, now: Int64) -> [Action] {
        guard var outage else { preconditionFailure("a new attempt in state \(state)") }
        guard now - outage.since < Int64(Self.patience / .nanoseconds(1)) else {
            // What never streamed did not go away either.
            guard hasStreamed else { return finish(complaint) }
            return finish(
                outage.isInstanceMissing
                    ? Complaint(
                        .closed,
                        "the daemon is back, but nobody opened \"\(options.instance)\" again",
                        advice: "Open it with `marblectl open FEATURE --name \(options.instance)`.")
                    : Complaint(
                        .closed, "the daemon went away and did not come back",
                        advice: "Go on later with --since \(lanes[0].cursor ?? "CURSOR")."))
        }
        let pause = outage.pause
        outage.pause = min(pause * 2, Self.longestPause)
        self.outage = outage
        for index in lanes.indices { lanes[index].subscription = nil }
        state = .connecting
        return [.connect(after: pause)]
    }

    private mutating func subscribe(from first: Int) -> [Action] {
        guard let index = lanes.indices.first(where: { $0 >= first && !lanes[$0].isOver }) else {
            state = .streaming
            outage = nil
            hasStreamed = true
            return []
        }
        state = .subscribing(index)
        var parameters: JSONValue = [
            "instance": .string(options.instance), "output": .string(lanes[index].output),
        ]
        if let cursor = lanes[index].cursor {
            parameters = .object([
                ("instance", .string(options.instance)), ("output", .string(lanes[index].output)),
                ("since", .string(cursor)),
            ])
        }
        return [.subscribe(parameters)]
    }

    private mutating func subscribed(_ answer: JSONValue) -> [Action] {
        guard case .subscribing(let index) = state else {
            preconditionFailure("a subscription was answered in state \(state)")
        }
        lanes[index].subscription = answer["subscription"]?.string
        let isReset = answer["reset"]?.bool == true
        var actions: [Action] = []
        // Events since the old cursor are still to come, and only they move it on.
        if isReset || lanes[index].cursor == nil { lanes[index].cursor = answer["cursor"]?.string }
        if isReset {
            actions.append(
                .report(.reset(output: lanes[index].output, cursor: lanes[index].cursor)))
        }
        return actions + subscribe(from: index + 1)
    }

    // MARK: Streaming

    private mutating func notified(_ notification: ServerNotification) -> [Action] {
        let params = notification.params
        let name = params["subscription"]?.string
        let index = name.flatMap { name in lanes.firstIndex { $0.subscription == name } }
        switch notification.method {
        case "stream.event": return index.map { event(params, lane: $0) } ?? []
        case "stream.gap":
            guard let index else { return [] }
            // What is lost is not asked for again.
            if let cursor = params["to"]?.string { lanes[index].cursor = cursor }
            let count = params["count"]?.int ?? 0
            return [
                .report(
                    .gap(count: count, from: params["from"] ?? .null, to: params["to"] ?? .null))
            ]
        // The stream is quiet, and its cursor goes on.
        case "stream.bookmark":
            if let index, let cursor = params["cursor"]?.string { lanes[index].cursor = cursor }
            return []
        case "stream.closed": return closed(params["reason"]?.shown ?? "no reason", lane: index)
        // What a newer server says beyond this is not for this client.
        default: return []
        }
    }

    private mutating func event(_ params: JSONValue, lane index: Int) -> [Action] {
        if let cursor = params["cursor"]?.string { lanes[index].cursor = cursor }
        var event = params
        event["subscription"] = nil
        var actions = [Action.report(.event(event))]
        reported += 1
        let isTerminal = params["event"]?.string.map { $0 != "next" } ?? false
        if isTerminal, lanes[index].output != "*" { lanes[index].isOver = true }
        if reported == options.count || lanes.allSatisfy(\.isOver) { actions += finish(nil) }
        return actions
    }

    private mutating func closed(_ reason: String, lane index: Int?) -> [Action] {
        guard let index else {
            // The whole connection is about to go; its loss is what counts.
            return [.report(.closed(output: nil, reason: reason))]
        }
        let output = lanes[index].output
        let report = Action.report(.closed(output: output == "*" ? nil : output, reason: reason))
        // It closes the connection next, and may come back.
        if options.reconnects, reason == ErrorKind.stopping.summary { return [report] }
        lanes[index].isOver = true
        guard lanes.allSatisfy(\.isOver) else { return [report] }
        return [report]
            + finish(Complaint(.closed, "the daemon closed the stream: \(reason)"))
    }

    private mutating func finish(_ complaint: Complaint?) -> [Action] {
        state = .finished
        return [.finish(complaint)]
    }
}
