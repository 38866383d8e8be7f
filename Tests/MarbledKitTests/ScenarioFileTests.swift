// SPDX-License-Identifier: Apache-2.0

import FindNumber
import Foundation
import MarbledTesting
import Testing

@Suite("Scenario files in a test's process")
struct ScenarioFileTests {
    @Test(arguments: ScenarioFile.all(in: "../../plugins/FindNumber/scenarios"))
    func `a scenario of the game passes`(_ file: ScenarioFile) {
        file.run(FindNumber.self)
    }

    @Test func `a folder's files are read by name`() throws {
        let folder = try Folder(["b.yaml": "", "a.yaml": "", "notes.txt": ""])
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
        let folder = try Folder(["wrong.yaml": "scenario: a wrong one\n" + text])
        withKnownIssue {
            for file in ScenarioFile.all(in: folder.path) { file.run(FindNumber.self) }
        } matching: { issue in
            "\(issue.comments) \(issue.error as Any)".contains(sentence)
        }
    }

    /// A folder with files that goes away with the test.
    private final class Folder {
        let path = NSTemporaryDirectory() + "marbled-\(UUID().uuidString)"

        init(_ files: [String: String]) throws {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            for (name, text) in files {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }
}
