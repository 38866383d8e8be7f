// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Test: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Run scenario files, and show where they differ.",
        discussion: """
              marblectl test scenarios/
              marblectl --spawn test start.yaml reset.yaml
              marblectl --spawn test --pictures scenarios/
              marblectl --spawn test --junit scenarios/ > report.xml

            Folders are searched for *.yaml. The exit code is 6 when a scenario fails, and 3 when a \
            file cannot be read.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "Scenario files, folders, or - for the standard input.", completion: .file())
    var files: [String]
    @Flag(help: "Print TAP, version 14.") var tap = false
    @Flag(help: "Print JUnit XML.") var junit = false
    @Flag(help: "Draw the lanes of scenarios that passed, too.") var pictures = false

    func validate() throws {
        if tap, junit { throw ValidationError("Choose --tap or --junit.") }
    }

    func run() throws {
        // Everything is read before anything is run: a missing file is no half result.
        let sources = try files.flatMap { try Files.scenarios($0) }
        let context = try Context(options)
        let isQuiet = tap || junit || context.format != .table && options.output != nil
        var outcomes: [ScenarioOutcome] = []
        var answers: [JSONValue] = []
        let start = Deadline.now
        for source in sources {
            let began = Deadline.now
            let results: [ScenarioOutcome]
            do {
                let answer = try context.longCall(
                    "scenario.run", ["scenario": .string(source.text)], what: source.name)
                results = ScenarioOutcome.outcomes(
                    of: answer, file: source.name,
                    nanoseconds: Deadline.now.nanoseconds - began.nanoseconds)
                answers += answer["reports"]?.array ?? [answer]
            } catch {
                guard case .refused(let error, _) = error else { throw error }
                results = [.refused(error, file: source.name)]
                answers.append(
                    [
                        "scenario": .string(source.name), "passed": false,
                        "failures": [["message": .string(error.message)]],
                    ])
            }
            outcomes += results
            if !isQuiet {
                context.print(
                    results.flatMap { TestReport.lines($0, context.look, drawsAll: pictures) })
            }
        }
        if tap {
            context.print(TestReport.tap(outcomes))
        } else if junit {
            context.print(TestReport.junit(outcomes))
        } else if isQuiet {
            let passed = outcomes.allSatisfy(\.passed)
            let answer: JSONValue = ["passed": .bool(passed), "reports": .array(answers)]
            context.show(answer, list: "reports") { _, _ in [] }
        } else {
            let elapsed = Deadline.now.nanoseconds - start.nanoseconds
            context.print([
                TestReport.summary(outcomes, nanoseconds: elapsed, context.look)
            ])
        }
        if !outcomes.allSatisfy(\.passed) { throw Ending(status: .scenarioFailed) }
    }
}
