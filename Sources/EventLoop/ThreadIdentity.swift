// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Which thread this is.
struct ThreadIdentity: Equatable, Sendable {
    private let thread: pthread_t

    /// The thread that asks.
    static var current: ThreadIdentity {
        ThreadIdentity(thread: pthread_self())
    }
}
