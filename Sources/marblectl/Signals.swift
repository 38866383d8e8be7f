// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Signals as bytes in a pipe, so that one `poll(2)` waits for them and for everything else.
enum Signals {
    // Safety: written once by `watch`, before the handlers that read it are in place.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1

    /// From now on these signals are told through the descriptor, by number.
    static func watch(_ signals: [Int32]) -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return -1 }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writeEnd = ends[1]
        for number in signals {
            signal(number) { number in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                write(Signals.writeEnd, &byte, 1)
                errno = saved
            }
        }
        return ends[0]
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
