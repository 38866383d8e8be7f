// SPDX-License-Identifier: Apache-2.0

internal import CCurl
internal import EventLoop

/// libcurl's multi interface on the loop: it says which sockets to watch and when to call it, and the
/// loop does both.
///
/// Transfers are told of what happened only when libcurl has been left, so that they may begin and end
/// others. Loop-confined; its owner ends it with `close()`.
final class CurlMulti {
    private let loop: EventLoop
    private var multi: UnsafeMutableRawPointer?
    private var watchers: [curl_socket_t: DescriptorWatcher] = [:]
    private let timer: LoopTimer
    /// Whether libcurl wants to be called in the next turn.
    private var isCallDue = false
    private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
    private var touched: [Transfer] = []

    /// - Parameter kept: how many connections that nobody uses are kept.
    init(on loop: EventLoop, kept: Int) throws(HTTPError) {
        self.loop = loop
        timer = LoopTimer(on: loop)
        multi = marbled_multi_init(
            { _, socket, what, data, _ in
                CurlMulti.recover(data).socketChanged(socket, what)
                return 0
            },
            { _, milliseconds, data in
                CurlMulti.recover(data).timerChanged(milliseconds)
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque(), kept)
        guard multi != nil else {
            timer.close()
            throw HTTPError(.unavailable, "there is no memory for HTTP")
        }
        timer.onStrike = { [unowned self] in act(Self.noSocket, 0) }
    }

    deinit {
        precondition(multi == nil, "an HTTP client was let go without close()")
    }

    /// Lets go of everything: transfers end without a word, connections are closed.
    func close() {
        guard let multi else { return }
        for transfer in transfers.values { marbled_multi_remove(multi, transfer.easy) }
        transfers = [:]
        touched = []
        marbled_multi_cleanup(multi)
        self.multi = nil
        for watcher in watchers.values { watcher.close() }
        watchers = [:]
        timer.close()
    }

    /// Begins a transfer; it moves from the loop's next turn on.
    func add(_ transfer: Transfer) {
        guard let multi else { return }
        transfers[transfer.easy] = transfer
        transfer.onTouch = { [unowned self, unowned transfer] in touch(transfer) }
        let code = marbled_multi_add(multi, transfer.easy)
        precondition(code == CURLM_OK, "libcurl refused a transfer: \(code.rawValue)")
    }

    /// Ends a transfer: its connection is closed unless its answer was read to the end.
    func remove(_ transfer: Transfer) {
        guard let multi, transfers.removeValue(forKey: transfer.easy) != nil else { return }
        let code = marbled_multi_remove(multi, transfer.easy)
        precondition(code == CURLM_OK, "libcurl refused to end a transfer: \(code.rawValue)")
    }

    // MARK: Calling libcurl

    /// What it calls a socket when only time has passed.
    private static let noSocket: curl_socket_t = -1

    private func act(_ socket: curl_socket_t, _ events: CInt) {
        guard let multi else { return }
        _ = marbled_multi_act(multi, socket, events)
        var code = CURLE_OK
        while let easy = marbled_multi_next_ended(multi, &code) {
            guard let transfer = transfers[easy] else { continue }
            transfer.result = code
            touch(transfer)
        }
        let moved = touched
        touched = []
        for transfer in moved where transfers[transfer.easy] === transfer { transfer.onMove() }
    }

    private func touch(_ transfer: Transfer) {
        if !touched.contains(where: { $0 === transfer }) { touched.append(transfer) }
    }

    // MARK: Called by libcurl

    private func socketChanged(_ socket: curl_socket_t, _ what: CInt) {
        guard what != CURL_POLL_REMOVE else {
            watchers.removeValue(forKey: socket)?.close()
            return
        }
        var interest: DescriptorWatcher.Interest = []
        if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
        if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
        watcher(socket)?.watch(interest)
    }

    private func watcher(_ socket: curl_socket_t) -> DescriptorWatcher? {
        if let known = watchers[socket] { return known }
        // A socket that cannot be watched is one whose transfer ends by its timer.
        let watcher = try? DescriptorWatcher(on: loop, descriptor: socket) { [unowned self] ready in
            var events: CInt = 0
            if ready.interest.contains(.readable) { events |= CURL_CSELECT_IN }
            if ready.interest.contains(.writable) { events |= CURL_CSELECT_OUT }
            if ready.isBroken { events |= CURL_CSELECT_ERR }
            act(socket, events)
        }
        watchers[socket] = watcher
        return watcher
    }

    private func timerChanged(_ milliseconds: Int) {
        timer.stop()
        isCallDue = milliseconds == 0
        if milliseconds > 0 { return timer.start(after: .milliseconds(milliseconds)) }
        guard isCallDue else { return }
        // Not a timer of zero, which would strike a millisecond later.
        loop.nextTurn { [weak self] in
            guard let self, isCallDue else { return }
            isCallDue = false
            act(Self.noSocket, 0)
        }
    }

    private static func recover(_ data: UnsafeMutableRawPointer?) -> CurlMulti {
        guard let data else { preconditionFailure("libcurl called back for nobody") }
        return Unmanaged<CurlMulti>.fromOpaque(data).takeUnretainedValue()
    }
}
