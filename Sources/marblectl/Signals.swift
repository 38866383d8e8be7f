// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Signals as bytes in a pipe, so that one `poll(2)` waits for them and for everything else.
enum Signals {
    // Safety: written by `watch` before the handlers that read it are in place, and by `forget` after.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    // Safety: used on the only thread.
    nonisolated(unsafe) private static var former: [Int32: sigaction] = [:]

    /// From now on these signals are told through the descriptor, by number. One that whoever started
    /// this process has ignored stays ignored.
    static func watch(_ signals: [Int32]) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd = ends[1]
        for number in signals {
            var old = sigaction()
            sigaction(number, nil, &old)
            guard !old.isIgnored else { continue }
            former[number] = old
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                write(Signals.writeEnd, &byte, 1)
                errno = saved
            }
        }
        return ends[0]
    }

    /// Ends what `watch` began: the signals have the effect again that they had before.
    static func forget(_ descriptor: Int32) {
        for (number, var old) in former { sigaction(number, &old, nil) }
        former = [:]
        for end in [descriptor, writeEnd] where end >= 0 { close(end) }
        writeEnd = -1
    }

    /// The signals that have come since the last time.
    static func take(_ descriptor: Int32) -> [Int32] {
        var room = [UInt8](repeating: 0, count: 32)
        let count = read(descriptor, &room, room.count)
        return count > 0 ? room[..<count].map(Int32.init) : []
    }

    /// Dies of a signal, as whoever started this process expects when it was sent one.
    static func die(of number: Int32) -> Never {
        signal(number, SIG_DFL)
        // A handler runs with its own signal held back.
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, number)
        sigprocmask(SIG_UNBLOCK, &own, nil)
        raise(number)
        _exit(128 + number)
    }
}

extension sigaction {
    fileprivate var isIgnored: Bool {
        // Safety: handlers are pointers, and this one is the number 1; no pointer is followed.
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
