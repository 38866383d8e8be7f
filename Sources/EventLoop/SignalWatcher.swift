// SPDX-License-Identifier: Apache-2.0

internal import CLibuv

/// Tells the loop when the process gets a signal; the signal's default action is off meanwhile.
///
/// Signals that come faster than the loop turns are told at least once. Its owner closes it, and the
/// default action is back.
package final class SignalWatcher: LoopHandle {
    private let onSignal: () -> Void

    /// Watches for `signal`, such as SIGTERM.
    package init(
        on loop: EventLoop, signal: CInt, onSignal: @escaping () -> Void
    ) throws(LoopError) {
        self.onSignal = onSignal
        super.init(on: loop, memory: try Self.make("uv_signal_init", on: loop, uv_signal_init))
        let watcher = memory.assumingMemoryBound(to: uv_signal_t.self)
        let status = uv_signal_start(
            watcher, { watcher, _ in SignalWatcher.recover(watcher?.pointee.data).onSignal() },
            signal)
        guard status == 0 else {
            close()
            throw LoopError(code: status, call: "uv_signal_start", subject: "signal \(signal)")
        }
    }
}
