// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Glibc

/// systemd, as its own library speaks to it; harmless where there is none.
package struct ServiceManager {
    package init() {}

    /// The listening socket that was passed to this process, if one was.
    ///
    /// It is systemd's: it is never unlinked, and its rights are never changed.
    func inheritedSocket() throws(ConfigurationError) -> CInt? {
        let count = sd_listen_fds(0)
        guard count >= 0 else {
            throw ConfigurationError(
                "the sockets passed by the service manager cannot be read: \(count)")
        }
        guard count > 0 else { return nil }
        guard count == 1 else {
            throw ConfigurationError(
                "the service manager passed \(count) sockets; marbled listens on one")
        }
        return SD_LISTEN_FDS_START
    }

    /// Told once the socket listens and after a reload.
    func ready(_ status: String) {
        _ = sd_notify(0, "READY=1\nSTATUS=\(status)")
    }

    func status(_ status: String) {
        _ = sd_notify(0, "STATUS=\(status)")
    }

    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        _ = sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    func stopping() {
        _ = sd_notify(0, "STOPPING=1\nSTATUS=stopping")
    }

    /// Fed from the loop itself, so that a loop that hangs is seen.
    func feedWatchdog() {
        _ = sd_notify(0, "WATCHDOG=1")
    }

    /// How often the watchdog wants to be fed, or nil where there is none.
    var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(microseconds / 2))
    }
}
