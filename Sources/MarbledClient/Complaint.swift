// SPDX-License-Identifier: Apache-2.0

/// What a person reads when a command fails: what was wrong, and what to do next.
package struct Complaint: Error, Equatable {
    package var status: ExitStatus
    package var sentence: String
    package var advice: String?

    package init(_ status: ExitStatus, _ sentence: String, advice: String? = nil) {
        self.status = status
        self.sentence = sentence
        self.advice = advice
    }

    /// A mistake in the command line.
    package static func usage(_ sentence: String, advice: String? = nil) -> Complaint {
        Complaint(.usage, sentence, advice: advice)
    }

    /// The lines for the standard error stream.
    package func lines(_ ink: Ink) -> [String] {
        let first = "\(ink.bad("marblectl:")) \(sentence)"
        return advice.map { [first, "  \($0)"] } ?? [first]
    }
}

extension Complaint {
    package init(_ error: ClientError) {
        switch error {
        case .cannotConnect(let attempts):
            self.init(
                .cannotConnect, attempts.map(\.sentence).joined(separator: "; "),
                advice: attempts.first?.advice)
        case .refused(let error, let method):
            self.init(.refused, error.sentence, advice: error.advice(for: method))
        case .timeout(let what):
            self.init(
                .timeout, "no answer to \(what) in the time allowed",
                advice: "Allow more with --timeout, or ask `marblectl status` what the daemon does."
            )
        case .closed(let reason):
            self.init(
                .closed, "the daemon closed the connection\(reason.map { " (\($0))" } ?? "")",
                advice: "Its log says why: `journalctl -u marbled -n 20`, or where you started it.")
        case .notUnderstood(let what):
            self.init(
                .cannotConnect, "what listens there does not speak as marbled does: \(what)",
                advice: "Check the socket's path; `marblectl doctor` shows which one is used.")
        }
    }
}
