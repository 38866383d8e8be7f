// SPDX-License-Identifier: Apache-2.0

/// The bounds of a plugin's key-value store. At each a request is refused and nothing changes.
package struct StoreLimits: Sendable, Equatable {
    /// Bytes of a key, UTF-8; a longer one is `tooLarge`.
    package var keyBytes = 512
    /// Bytes of a value's JSON text; a longer one is `tooLarge`.
    package var valueBytes = 1 << 20
    /// Keys of one plugin; one more is `full`.
    package var keys = 10_000
    /// Operations of one transaction; more are `tooLarge`.
    package var operations = 100
    /// Bytes of keys and values in one transaction; more are `tooLarge`.
    package var transactionBytes = 4 << 20
    /// Entries in one answer to `list`; what is left over is asked for with `after`.
    package var pageEntries = 1_000
    /// Bytes of keys and values in one answer to `list`, at which it ends, after one entry at least.
    package var pageBytes = 4 << 20
    /// Bytes of the file that real instances share; at that many what needs more room is `full`.
    package var fileBytes = 1 << 30

    package init() {}
}
