// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import EventLoop

@Suite struct SignalWatcherTests {
    @Test func `a signal reaches the loop`() throws {
        try withLoop { loop in
            var signals = 0
            let watcher = try SignalWatcher(on: loop, signal: SIGUSR1) { signals += 1 }
            kill(getpid(), SIGUSR1)
            loop.turn { signals == 1 }
            watcher.close()
        }
    }

    @Test func `a signal that nobody can catch is refused, and leaves nothing open`() throws {
        try withLoop { loop in
            let error = #expect(throws: LoopError.self) {
                try SignalWatcher(on: loop, signal: SIGKILL) {}
            }
            #expect(error?.name == "EINVAL")
            #expect(error?.call == "uv_signal_start")
        }
    }
}
