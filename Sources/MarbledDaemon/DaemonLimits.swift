// SPDX-License-Identifier: Apache-2.0

package import HTTP
internal import JSONRPC
package import MarbledHost

/// The bounds of the socket front, in one table: what a bound is, and what happens at it.
///
/// `daemon.hello` tells them to clients.
package struct DaemonLimits: Sendable, Equatable {
    /// The longest request line in bytes; a longer one is answered with an error, then the connection closes.
    package var lineBytes = 1 << 20
    /// Calls in a batch; each further one is answered with `limit`.
    package var batchCalls = 100
    /// Bytes of answers to one batch; what does not fit is answered with `limit`.
    package var batchAnswerBytes = 4 << 20
    /// Calls in flight on a connection; at this many it is not read from.
    package var callsInFlight = 64
    /// Messages of one connection per turn of the loop; then others have theirs.
    package var messagesPerTurn = 64
    /// Connections at once; one more is told and closed.
    package var connections = 1_024
    /// Unsent bytes of a connection at which it is not read from and its streams are held back.
    package var softUnsentBytes = 2 << 20
    /// How long a connection may stay above that, in nanoseconds; then it is told why and closed.
    package var softUnsentNanoseconds: Int64 = 10_000_000_000
    /// Unsent bytes of a connection at which it is told why and closed.
    package var hardUnsentBytes = 8 << 20
    /// Events that wait for a slow subscriber; then the oldest give way to a gap, or the stream closes.
    package var queuedEvents = 1_024
    /// Bytes of such events.
    package var queuedEventBytes = 1 << 20
    /// Subscriptions of one connection; one more is refused.
    package var subscriptions = 10_000
    /// Plugins and instances.
    package var host = HostLimits()
    /// HTTP requests.
    package var http = HTTPLimits()

    package init() {}

    /// Every limit by the name that clients see.
    package var named: [(String, Int)] {
        [
            ("lineBytes", lineBytes), ("batchCalls", batchCalls),
            ("batchAnswerBytes", batchAnswerBytes), ("callsInFlight", callsInFlight),
            ("messagesPerTurn", messagesPerTurn), ("connections", connections),
            ("softUnsentBytes", softUnsentBytes),
            ("softUnsentNanoseconds", Int(softUnsentNanoseconds)),
            ("hardUnsentBytes", hardUnsentBytes), ("queuedEvents", queuedEvents),
            ("queuedEventBytes", queuedEventBytes), ("subscriptions", subscriptions),
            ("instances", host.instances), ("pendingWork", host.pendingWork),
            ("openEffects", host.openEffects), ("recordEntries", host.recordEntries),
            ("recordBytes", host.recordBytes), ("waitingAnswers", host.waitingAnswers),
            ("httpPerHost", http.perHost), ("httpTransfers", http.transfers),
            ("httpWaiting", http.waiting), ("httpBodyBytes", http.bodyBytes),
            ("httpHeadBytes", http.headBytes), ("httpRedirects", http.redirects),
            ("httpConnectNanoseconds", Int(http.connectNanoseconds)),
            ("httpTotalNanoseconds", Int(http.totalNanoseconds)),
            ("storeBytes", host.store.fileBytes),
        ]
    }

    var rpc: RPCLimits {
        var limits = RPCLimits()
        limits.lineBytes = lineBytes
        limits.batchCalls = batchCalls
        limits.batchAnswerBytes = batchAnswerBytes
        limits.callsInFlight = callsInFlight
        return limits
    }
}
