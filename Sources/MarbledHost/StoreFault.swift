// SPDX-License-Identifier: Apache-2.0

/// Why the store did not do what it was asked. It then changed nothing.
package struct StoreFault: Error, Equatable, Sendable {
    /// The words that a feature may go by; they stay as they are.
    package enum Kind: String, Sendable, CaseIterable {
        /// The request is none that the store knows.
        case badRequest
        /// A key, a value or a transaction is longer than the bounds allow.
        case tooLarge
        /// There are too many keys, or the file or its disk has no room.
        case full
        /// The file cannot be written.
        case readOnly
        /// The file is not what was written to it.
        case damaged
        /// Another process has the file, or too many requests wait.
        case busy
        /// The file cannot be opened or read, for a reason that only people can mend.
        case unavailable
    }

    package var kind: Kind
    /// What was wrong, where, and what to do.
    package var message: String
    /// The file that is at fault, or nil where the request is.
    package var file: String?

    package init(_ kind: Kind, _ message: String, file: String? = nil) {
        self.kind = kind
        self.message = message
        self.file = file
    }

    package var answer: EffectAnswer { .failure(kind: kind.rawValue, message: message) }
}
