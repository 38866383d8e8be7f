// SPDX-License-Identifier: Apache-2.0

package import JSONRPC

/// How one scenario of one file went, as far as test reports need it.
package struct ScenarioOutcome: Equatable, Sendable {
    package var file: String
    package var title: String
    package var passed: Bool
    /// What differs, one sentence each.
    package var failures: [String] = []
    package var picture = ""
    /// How long the whole file took, shared among its scenarios.
    package var seconds = 0.0

    package init(
        file: String, title: String, passed: Bool, failures: [String] = [], picture: String = ""
    ) {
        self.file = file
        self.title = title
        self.passed = passed
        self.failures = failures
        self.picture = picture
    }

    /// The outcomes in an answer to `scenario.run`: one, or one for each document of the file.
    package static func outcomes(
        of answer: JSONValue, file: String, nanoseconds: Int64
    ) -> [ScenarioOutcome] {
        let reports = answer["reports"]?.array ?? [answer]
        return reports.map { report in
            var outcome = ScenarioOutcome(
                file: file, title: report["scenario"]?.shown ?? "a scenario",
                passed: report["passed"]?.bool == true,
                failures: (report["failures"]?.array ?? []).map(sentence),
                picture: report["picture"]?.string ?? "")
            outcome.seconds = Double(nanoseconds) / 1e9 / Double(reports.count)
            return outcome
        }
    }

    /// A file that could not be run at all.
    package static func refused(_ error: RemoteError, file: String) -> ScenarioOutcome {
        var sentence = error.message
        // The daemon knows line and column; with the file before them editors can follow.
        if sentence.first?.isNumber == true { sentence = "\(file):\(sentence)" }
        if let detail = error.detail { sentence += ": \(detail)" }
        // Some of the daemon's sentences end with it already.
        let hint = NearestName.hint(error.suggestion)
        if !sentence.hasSuffix(hint) { sentence += hint }
        return ScenarioOutcome(file: file, title: file, passed: false, failures: [sentence])
    }

    private static func sentence(_ failure: JSONValue) -> String {
        if let message = failure["message"]?.string { return message }
        func side(_ name: String) -> String {
            guard let value = failure[name], !value.isNull else { return "nothing" }
            return value.text
        }
        return "\(failure["output"]?.shown ?? "an output") at \(failure["at"]?.text ?? "?"): "
            + "expected \(side("expected")), got \(side("actual"))"
    }
}
