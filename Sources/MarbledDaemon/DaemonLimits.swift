// SPDX-License-Identifier: Apache-2.0

package import HTTP
package import JSONRPC
package import MarbledHost

/// The bounds of the daemon: the front's own, and those of the layers below it.
///
/// `table` names each once, with what happens at it; `daemon.hello`, the configuration, the help and the
/// protocol page read that table and no other.
package struct DaemonLimits: Sendable, Equatable {
    /// One connection's calls.
    package var rpc = RPCLimits()
    package var messagesPerTurn = 64
    package var turnNanoseconds: Int64 = 5_000_000
    package var connections = 1_024
    package var connectionsPerUser = 512
    package var softUnsentBytes = 2 << 20
    package var softUnsentNanoseconds: Int64 = 10_000_000_000
    package var hardUnsentBytes = 8 << 20
    package var queuedEvents = 1_024
    package var queuedEventBytes = 1 << 20
    package var subscriptions = 10_000
    package var bookmarkNanoseconds: Int64 = 15_000_000_000
    package var replayBytes = 256 << 20
    package var replayPartBytes = 512 << 20
    /// Plugins and instances.
    package var host = HostLimits()
    /// HTTP requests.
    package var http = HTTPLimits()

    package init() {}

    /// Every limit, in the order that documents list them.
    package static let table: [DaemonLimit] = [
        DaemonLimit(
            "lineBytes", \.rpc.lineBytes, in: 1...RPCLimits.maxLineBytes,
            "Bytes of a request line; a longer one is answered with `limit`, then the connection closes."
        ),
        DaemonLimit(
            "batchCalls", \.rpc.batchCalls,
            "Calls in a batch; each further one is answered with `limit`."),
        DaemonLimit(
            "batchAnswerBytes", \.rpc.batchAnswerBytes,
            "Bytes of answers to a batch, errors counted; what does not fit is answered with `limit`."
        ),
        DaemonLimit(
            "callsInFlight", \.rpc.callsInFlight,
            "Calls of a connection that wait for their answers; at this many its next line waits, but for "
                + "`rpc.cancel`."),
        DaemonLimit(
            "messagesPerTurn", \.messagesPerTurn,
            "Messages of a connection in one turn of the loop; then the others have theirs."),
        DaemonLimit(
            "turnNanoseconds", \.turnNanoseconds,
            "Time of a connection in one turn of the loop; then the others have theirs."),
        DaemonLimit(
            "connections", \.connections,
            "Connections at once; one more is told `limit` and closed."),
        DaemonLimit(
            "connectionsPerUser", \.connectionsPerUser,
            "Connections of one user at once; one more is told `limit` and closed."),
        DaemonLimit(
            "softUnsentBytes", \.softUnsentBytes,
            "Bytes a client leaves unread; above it its calls wait, above half of it its streams are held "
                + "back."),
        DaemonLimit(
            "softUnsentNanoseconds", \.softUnsentNanoseconds,
            "How long a client may stay above that; then its streams end with `stream.closed`, it is told "
                + "`limit` and closed."),
        DaemonLimit(
            "hardUnsentBytes", \.hardUnsentBytes,
            "Bytes a client leaves unread when there is more to send; above it the same happens at once."
        ),
        DaemonLimit(
            "queuedEvents", \.queuedEvents,
            "Events that wait for a slow subscriber; then the oldest give way to `stream.gap`, or the "
                + "stream closes, as the subscriber chose."),
        DaemonLimit(
            "queuedEventBytes", \.queuedEventBytes,
            "Bytes of such events; then the same happens. All subscriptions of a connection together hold back "
                + "at most `hardUnsentBytes`."),
        DaemonLimit(
            "subscriptions", \.subscriptions,
            "Subscriptions of a connection; one more is answered with `limit`."),
        DaemonLimit(
            "bookmarkNanoseconds", \.bookmarkNanoseconds, in: 1_000_000...Int.max,
            "How often a subscriber that hears nothing is told its cursor, where it has moved."),
        DaemonLimit(
            "replayBytes", \.replayBytes,
            "Bytes of a record that `record.replay` takes; more are answered with `limit`."),
        DaemonLimit(
            "replayPartBytes", \.replayPartBytes,
            "Bytes of parts that `record.replay` keeps until the last one comes, of all connections; more are "
                + "answered with `limit`."),
        DaemonLimit(
            "instances", \.host.instances,
            "Instances open at once; one more is answered with `limit`."),
        DaemonLimit(
            "sliceNanoseconds", \.host.sliceNanoseconds,
            "How long a virtual run goes on before the others have their turn."),
        DaemonLimit(
            "pendingWork", \.host.pendingWork,
            "Items that wait on one timeline; a plugin that asks for more ends its instance, an input is "
                + "answered with `limit`."),
        DaemonLimit(
            "pendingBytes", \.host.pendingBytes,
            "Bytes of values that were sent to one instance for later; one more is answered with `limit`."
        ),
        DaemonLimit(
            "postedWork", \.host.postedWork,
            "Work from a plugin's own threads that waits for the loop, for one instance; one more is refused."
        ),
        DaemonLimit(
            "openEffects", \.host.openEffects,
            "Effects open in one instance; a plugin that asks for more ends its instance."),
        DaemonLimit(
            "waitingAnswers", \.host.waitingAnswers,
            "Answers of one effect on their way to a slow plugin; one more ends the effect with "
                + "`overrun`."),
        DaemonLimit(
            "recordEntries", \.host.recordEntries, in: 2...Int.max,
            "Entries of one instance's record; past it the oldest are dropped."),
        DaemonLimit(
            "recordBytes", \.host.recordBytes, in: 2...Int.max,
            "Bytes of values in one instance's record; past it the oldest are dropped."),
        DaemonLimit(
            "storeBytes", \.host.store.fileBytes, in: 1 << 16...Int.max,
            "Bytes of the file of what plugins store; what needs more is refused with `full`."),
        DaemonLimit(
            "httpPerHost", \.http.perHost,
            "Transfers at once to one scheme, host and port; the next ones wait."),
        DaemonLimit("httpTransfers", \.http.transfers, "Transfers at once; the next ones wait."),
        DaemonLimit(
            "httpWaiting", \.http.waiting, "Requests that wait; one more fails with `busy`."),
        DaemonLimit(
            "httpBodyBytes", \.http.bodyBytes,
            "Bytes of a body, asked or answered; more fails with `tooLarge`."),
        DaemonLimit(
            "httpHeadBytes", \.http.headBytes,
            "Bytes of an answer's head; more fails with `tooLarge`."),
        DaemonLimit(
            "httpRedirects", \.http.redirects,
            "Redirects that a request follows; one more fails with `redirect`."),
        DaemonLimit(
            "httpConnectNanoseconds", \.http.connectNanoseconds,
            "How long a connection may take to be made; then the request fails with `timeout`."),
        DaemonLimit(
            "httpTotalNanoseconds", \.http.totalNanoseconds,
            "How long a request may take; then it fails with `timeout`."),
    ]

    /// The table as the program's help prints it. Broken here: the help's own lines would go on in the first
    /// column.
    package static var help: String {
        table.map { limit in
            var lines = ["  \(limit.name) (\(limit.standard))", "   "]
            for word in limit.doc.replacing("`", with: "").split(separator: " ") {
                if lines[lines.count - 1].count + 1 + word.count > helpWidth { lines.append("   ") }
                lines[lines.count - 1] += " \(word)"
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Columns of a terminal of which nothing is known.
    private static let helpWidth = 80

    /// Every limit's name and value.
    package var named: [(String, Int)] { Self.table.map { ($0.name, $0.value(in: self)) } }

    /// Sets a limit by the name that clients see.
    mutating func set(_ name: String, to value: Int) throws(ConfigurationError) {
        guard let limit = Self.table.first(where: { $0.name == name }) else {
            let known = Self.table.map(\.name)
            let hint = NearestName.hint(NearestName.find(name, among: known))
            throw ConfigurationError(
                "limits has no \"\(name)\"\(hint) (known: \(known.joined(separator: ", ")))")
        }
        guard limit.range.contains(value) else {
            let right =
                limit.range.upperBound == .max
                ? "at least \(limit.range.lowerBound)"
                : "from \(limit.range.lowerBound) to \(limit.range.upperBound)"
            throw ConfigurationError("limits.\(name) is \(value); it is \(right)")
        }
        limit.set(value, in: &self)
    }
}

/// A row of the table of limits: its name, where it is kept, and what happens at it.
package struct DaemonLimit: Sendable {
    package let name: String
    /// What can be configured.
    package let range: ClosedRange<Int>
    /// What is bounded, and what happens at the bound: one sentence.
    package let doc: String
    private let read: @Sendable (DaemonLimits) -> Int
    private let write: @Sendable (inout DaemonLimits, Int) -> Void

    fileprivate init<Number: FixedWidthInteger & SendableMetatype>(
        _ name: String, _ place: any WritableKeyPath<DaemonLimits, Number> & Sendable,
        in range: ClosedRange<Int> = 1...Int.max, _ doc: String
    ) {
        self.name = name
        self.range = range
        self.doc = doc
        read = { Int($0[keyPath: place]) }
        write = { $0[keyPath: place] = Number($1) }
    }

    package func value(in limits: DaemonLimits) -> Int { read(limits) }

    func set(_ value: Int, in limits: inout DaemonLimits) { write(&limits, value) }

    /// What holds where nothing is configured.
    package var standard: Int { value(in: DaemonLimits()) }
}
