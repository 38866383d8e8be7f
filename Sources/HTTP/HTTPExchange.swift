// SPDX-License-Identifier: Apache-2.0

internal import Scheduling

/// One request from being asked to its end: the wait in line, the transfer, the redirects, the timers.
///
/// Loop-confined. Owned by its client until it ended; tells `tell` what comes, and the last thing once.
final class HTTPExchange {
    private enum State {
        /// In line, or between two transfers. Exits: `transferring`, `over`.
        case waiting
        /// Its transfer runs. Exits: `waiting` (a redirect), `over`.
        case transferring(Transfer)
        /// Nothing comes any more. No exit.
        case over
    }

    private let id: Int
    private unowned let client: HTTPClient
    private let timers: any Scheduler
    private var tell: (HTTPEvent) -> Void
    private var call: HTTPCall
    private var state = State.waiting
    private var followed = 0
    private var cutter = TextCutter()
    private var isHeadTold = false
    private var totalTimer = WorkToken.none
    private var connectTimer = WorkToken.none

    init(
        _ call: HTTPCall, id: Int, client: HTTPClient, timers: any Scheduler,
        tell: @escaping (HTTPEvent) -> Void
    ) {
        self.call = call
        self.id = id
        self.client = client
        self.timers = timers
        self.tell = tell
    }

    func begin() {
        let limit = call.timeout ?? client.settings.limits.totalNanoseconds
        let setting = call.timeout == nil ? "limits.httpTotalNanoseconds" : "\"timeout\""
        totalTimer = startTimer(limit, "http timeout") { [weak self] in
            self?.runOut("the answer was not complete after \(Self.text(limit)) (\(setting))")
        }
        enter()
    }

    /// Gives it up: nobody is told anything any more.
    func cancel() {
        tell = { _ in }
        end(.completed)
    }

    /// Ends it for a reason of the client's.
    func fail(_ error: HTTPError) {
        end(.failure(error))
    }

    /// Starts the transfer: there is room for it.
    func start() {
        guard case .waiting = state else { return }
        let limit = call.connectTimeout ?? client.settings.limits.connectNanoseconds
        let setting =
            call.connectTimeout == nil ? "limits.httpConnectNanoseconds" : "\"connectTimeout\""
        connectTimer = startTimer(limit, "http connect timeout") { [weak self] in
            self?.runOut("there was no connection after \(Self.text(limit)) (\(setting))")
        }
        do throws(HTTPError) {
            let transfer = try client.makeTransfer(call)
            transfer.onMove = { [unowned self] in moved() }
            state = .transferring(transfer)
            client.begin(transfer)
        } catch {
            end(.failure(error))
        }
    }

    // MARK: What happens

    private func enter() {
        switch client.enter(id, origin: call.address.origin) {
        case .goes: start()
        case .waits: break
        case .isRefused:
            let most = client.settings.limits.waiting
            end(
                .failure(
                    HTTPError(
                        .busy, of: call, "\(most) requests wait already (limits.httpWaiting)")))
        }
    }

    private func moved() {
        guard case .transferring(let transfer) = state else { return }
        if transfer.isConnected { stop(&connectTimer) }
        if call.isStream { tellPieces(transfer) }
        // Whoever was told may have given it up.
        guard case .transferring = state, transfer.result != nil else { return }
        if let failure = transfer.failure() { return end(.failure(failure)) }
        guard let head = transfer.head else { return }
        if Redirect.isMeant(head, by: call) { return follow(head, transfer) }
        guard call.isStream else {
            return end(.answer(head, HTTPBody(transfer.takeBody()), url: reportedURL))
        }
        tellChunk(cutter.finish())
        end(.completed)
    }

    private func tellPieces(_ transfer: Transfer) {
        guard let head = transfer.head, !Redirect.isMeant(head, by: call) else { return }
        if !isHeadTold {
            isHeadTold = true
            // A stream may go on for ever, unless the request says otherwise.
            if call.timeout == nil { stop(&totalTimer) }
            tell(.head(head, url: reportedURL))
        }
        tellChunk(cutter.take(transfer.takeBody()))
    }

    private func tellChunk(_ bytes: [UInt8]) {
        if !bytes.isEmpty { tell(.chunk(HTTPBody(bytes))) }
    }

    private func follow(_ head: HTTPHead, _ transfer: Transfer) {
        let next: HTTPCall
        do throws(HTTPError) {
            next = try Redirect.next(
                call, after: head, followed: followed, limit: client.settings.limits.redirects,
                secretFields: client.settings.secretFields)
        } catch {
            return end(.failure(error))
        }
        client.remove(transfer)
        stop(&connectTimer)
        state = .waiting
        followed += 1
        call = next
        client.leave(id)
        enter()
    }

    private func runOut(_ message: String) {
        end(.failure(HTTPError(.timeout, of: call, message)))
    }

    private func end(_ event: HTTPEvent) {
        if case .over = state { return }
        if case .transferring(let transfer) = state { client.remove(transfer) }
        state = .over
        stop(&totalTimer)
        stop(&connectTimer)
        client.ended(id)
        let tell = tell
        self.tell = { _ in }
        tell(event)
    }

    // MARK: Helpers

    private var reportedURL: String? { followed == 0 ? nil : call.address.reported }

    private func startTimer(
        _ nanoseconds: Int64, _ label: WorkLabel, _ work: @escaping () -> Void
    ) -> WorkToken {
        timers.schedule(after: .nanoseconds(nanoseconds), phase: .timer, label: label, work)
    }

    private func stop(_ timer: inout WorkToken) {
        timers.cancel(timer)
        timer = .none
    }

    private static func text(_ nanoseconds: Int64) -> String {
        nanoseconds % 1_000_000_000 == 0
            ? "\(nanoseconds / 1_000_000_000)s" : "\(Double(nanoseconds) / 1_000_000)ms"
    }
}
