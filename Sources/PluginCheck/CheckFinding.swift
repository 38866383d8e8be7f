// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// What one check of a plugin found.
package struct CheckFinding: Equatable {
    /// How it stands.
    package enum Outcome: String {
        case ok
        /// Worth a look; the plugin passes all the same.
        case warning
        case failed
    }

    /// What was looked at.
    package var subject: String
    package var outcome: Outcome
    /// What was seen, in a sentence.
    package var text: String
    /// What to do next; nil where nothing is to be done.
    package var advice: String?

    /// One line of what `marbled check` prints.
    package var json: JSONValue {
        var value: JSONValue = .object([
            ("check", .string(subject)), ("outcome", .string(outcome.rawValue)),
            ("text", .string(text)),
        ])
        value["advice"] = advice.map { .string($0) }
        return value
    }
}

/// Where findings go, as they are made.
package struct CheckReport {
    /// Told of each check before it is made: whoever listens knows what a crash was in.
    package var began: (String) -> Void
    package var found: (CheckFinding) -> Void
    /// Whether nothing has failed so far.
    package private(set) var isGood = true

    package init(
        began: @escaping (String) -> Void = { _ in },
        found: @escaping (CheckFinding) -> Void
    ) {
        self.began = began
        self.found = found
    }

    mutating func ok(_ subject: String, _ text: String) {
        found(CheckFinding(subject: subject, outcome: .ok, text: text))
    }

    mutating func warn(_ subject: String, _ text: String, advice: String) {
        found(CheckFinding(subject: subject, outcome: .warning, text: text, advice: advice))
    }

    mutating func fail(_ subject: String, _ text: String, advice: String) {
        isGood = false
        found(CheckFinding(subject: subject, outcome: .failed, text: text, advice: advice))
    }
}

/// A check that failed: what was seen, and what to do next.
struct CheckFailure: Error {
    var text: String
    var advice: String

    init(_ text: String, advice: String) {
        self.text = text
        self.advice = advice
    }
}
