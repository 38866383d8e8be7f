// SPDX-License-Identifier: Apache-2.0

/// The one place that knows the version: the daemon, the client and the documents read it here.
package enum MarbledVersion {
    package static let current: StaticString = "0.1.0"
    /// Its day, for the manual pages.
    package static let date: StaticString = "2026-11-21"
    /// The version of the protocol; it changes when a client that keeps to the promises could break.
    package static let `protocol` = 1
}
