// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

/// Watches how long a plugin keeps the loop. Reads the kernel's coarse clock: a few nanoseconds a look,
/// a few milliseconds of resolution, which is plenty for a limit of fifty.
struct CallbackWatch {
    let limit: Int64

    @inline(__always)
    func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    func sentence(_ instance: Instance, _ spent: Int64) -> String {
        "instance \(instance.name) of \(instance.pluginID) kept the loop for \(spent / 1_000_000) ms"
    }
}
