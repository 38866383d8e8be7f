// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Scheduling

/// A moment on the machine's monotonic clock.
package struct Deadline: Comparable, Sendable {
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Deadline {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Deadline(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Saturates: a duration past the end of time is the end of time.
    package static func after(_ duration: Duration) -> Deadline {
        now.advanced(by: duration)
    }

    package func advanced(by duration: Duration) -> Deadline {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return Deadline(nanoseconds: overflow ? .max : sum)
    }

    package var hasPassed: Bool { self <= .now }

    /// What is left for `poll(2)`, rounded up, so that a wait never ends before its moment.
    package var milliseconds: Int32 {
        let rest = max(0, nanoseconds - Deadline.now.nanoseconds)
        return Int32(clamping: rest / 1_000_000 + (rest % 1_000_000 == 0 ? 0 : 1))
    }

    package static func < (left: Deadline, right: Deadline) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
