// SPDX-License-Identifier: Apache-2.0

package import EventLoop
package import Scheduling

/// Asks HTTP servers, on the loop, through libcurl.
///
///     send   (head chunk* completed | answer | failure)
///
/// At most so many requests at once to one origin and in all, see `HTTPLimits`; the rest waits in a
/// line with a bound. Connections are kept and used again. Certificates are verified, always.
///
/// libcurl is loaded by the first request, not before. Loop-confined; its owner ends it with `close()`
/// before the loop closes.
package final class HTTPClient {
    /// What a client is told once.
    package struct Settings: Equatable, Sendable {
        package var limits = HTTPLimits()
        /// A file of certificates in PEM of authorities to trust beside the system's.
        package var authorities: String?
        /// Where proxies are looked for.
        package var environment: [String: String] = [:]
        /// Names, in lower case, of header fields that a redirect must not carry to another origin, besides
        /// the well-known ones.
        package var secretFields: Set<String> = []

        package init() {}
    }

    let settings: Settings
    private let loop: EventLoop
    private let proxies: Proxies
    private var admission: Admission
    private var multi: CurlMulti?
    private var exchanges: [Int: HTTPExchange] = [:]
    private var nextID = 1
    private var isOpen = true

    /// A client that has done nothing yet, and costs nothing yet.
    package init(on loop: EventLoop, _ settings: Settings = Settings()) {
        self.loop = loop
        self.settings = settings
        proxies = Proxies(environment: settings.environment)
        admission = Admission(
            perOrigin: settings.limits.perHost, total: settings.limits.transfers,
            waiting: settings.limits.waiting)
    }

    /// Asks. What comes is told to `tell` on the loop, or at once where nothing can be asked.
    ///
    /// - Parameter timers: the timeline of whoever asks; the time-outs stand there.
    /// - Returns: how to give it up: the transfer ends at once, and nothing more is told.
    package func send(
        _ call: HTTPCall, timers: any Scheduler, tell: @escaping (HTTPEvent) -> Void
    ) -> () -> Void {
        guard isOpen else {
            tell(.failure(HTTPError(.cancelled, of: call, "the HTTP client is closed")))
            return {}
        }
        let most = settings.limits.bodyBytes
        guard call.body?.count ?? 0 <= most else {
            let message = "the request's body has more than \(most) bytes (limits.httpBodyBytes)"
            tell(.failure(HTTPError(.tooLarge, of: call, message)))
            return {}
        }
        let exchange = HTTPExchange(call, id: nextID, client: self, timers: timers, tell: tell)
        exchanges[nextID] = exchange
        nextID += 1
        exchange.begin()
        return { [weak exchange] in exchange?.cancel() }
    }

    /// How many requests have not ended.
    package var openCount: Int { exchanges.count }

    /// Ends what is open with `cancelled`, and closes every connection. Calling it twice is harmless.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        let error = HTTPError(.cancelled, "the HTTP client was closed")
        for exchange in exchanges.sorted(by: { $0.key < $1.key }) { exchange.value.fail(error) }
        multi?.close()
        multi = nil
    }

    // MARK: For exchanges

    func enter(_ id: Int, origin: String) -> Admission.Verdict {
        admission.enter(id, origin: origin)
    }

    func leave(_ id: Int) {
        guard let next = admission.leave(id), let exchange = exchanges[next] else { return }
        // Not from inside the end of another one: that still has something to tell.
        loop.nextTurn { [weak exchange] in exchange?.start() }
    }

    func ended(_ id: Int) {
        exchanges[id] = nil
        leave(id)
    }

    func makeTransfer(_ call: HTTPCall) throws(HTTPError) -> Transfer {
        if multi == nil {
            try Curl.load()
            multi = try CurlMulti(on: loop, kept: settings.limits.transfers)
        }
        return try Transfer(call, settings: settings, proxies: proxies)
    }

    func begin(_ transfer: Transfer) {
        multi?.add(transfer)
    }

    func remove(_ transfer: Transfer) {
        multi?.remove(transfer)
    }
}
