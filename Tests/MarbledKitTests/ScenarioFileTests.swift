// SPDX-License-Identifier: Apache-2.0

import FindNumber
import MarbledTesting
import TestSupport
import Testing

@Suite("Scenario files in a test's process")
struct ScenarioFileTests {
    @Test(arguments: ScenarioFile.all(in: "../../plugins/FindNumber/scenarios"))
    func `a scenario of the game passes`(_ file: ScenarioFile) {
        file.run(FindNumber.self)
    }

    @Test func `a folder's files are read by name`() throws {
        let folder = try TemporaryFolder(["b.yaml": "", "a.yaml": "", "notes.txt": ""])
        #expect(ScenarioFile.all(in: folder.path).map(\.name) == ["a.yaml", "b.yaml"])
    }

    @Test(arguments: [
        ("feature: find-number\nexpect: {round: {0: 2}}", "round expected"),
        ("feature: find-number\nexpect: {}\neffects: {http: {count: 3}}", "expected 3"),
        ("feature: tab-feed\nexpect: {}", "tab-feed"),
        ("feature: find-number\nexpects: {}", "did you mean expect?"),
    ])
    func `what is not as it should be fails the test and says so`(
        _ text: String, _ sentence: String
    ) throws {
        let folder = try TemporaryFolder(["wrong.yaml": "scenario: a wrong one\n" + text])
        withKnownIssue {
            for file in ScenarioFile.all(in: folder.path) { file.run(FindNumber.self) }
        } matching: { issue in
            "\(issue.comments) \(issue.error as Any)".contains(sentence)
        }
    }
}
