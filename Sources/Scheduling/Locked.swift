// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A value that one thread at a time may touch.
///
/// On a POSIX mutex and not on `Synchronization.Mutex`: what that does when threads contend happens in
/// the standard library, out of ThreadSanitizer's sight, and each contended use is reported as a race.
/// The one lock between threads is what that tool is most needed for.
// Safety: `value` is touched only by `withLock`, with the mutex held.
package final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value; it must not come back here.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
