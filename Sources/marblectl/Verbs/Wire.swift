// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Wire: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "wire",
        abstract: "Hold conversations from .wire files, and show where the daemon says otherwise.",
        discussion: """
              marblectl --spawn wire Tests/Wire/batch.wire
              marblectl wire my-client.wire

            A script is a file of lines. `# …` says the rule that it holds, `> …` is a line to send, \
            `< …` the line that must come next; `half`, `raw`, `end`, `close` and `closed` do what \
            lines cannot. A name before them (`a > …`) is one of several clients. In expected lines \
            {any} is any value, {...} is anything, and any other {name} is a value that later lines \
            may use. A script whose `limits` are not this daemon's is passed over.

            The exit code is 6 when a script fails, and 3 when a file cannot be read.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "Scripts, folders of them, or - for the standard input.", completion: .file())
    var files: [String]
    @Flag(help: "Print TAP, version 14.") var tap = false
    @Flag(help: "Print JUnit XML.") var junit = false

    func validate() throws {
        if tap, junit { throw ValidationError("Choose --tap or --junit.") }
    }

    func run() throws {
        var scripts: [(file: String, script: WireScript)] = []
        for source in try files.flatMap({ try Files.texts($0, suffix: ".wire", "script") }) {
            do {
                scripts.append((source.name, try WireScriptReader.read(source.text)))
            } catch {
                throw Complaint.usage("\(source.name): \(error)")
            }
        }
        let context = try Context(options)
        let limits = try context.call("daemon.hello")["limits"] ?? [:]
        let path = context.client.path ?? ""
        let start = Deadline.now
        let isQuiet = tap || junit || context.format != .table && options.output != nil
        var outcomes: [ScenarioOutcome] = []
        for (file, script) in scripts {
            if let other = script.limits.first(where: { limits[$0.name]?.int != $0.value }) {
                if !isQuiet {
                    let actual = limits[other.name]?.text ?? "unknown"
                    context.print([
                        context.look.ink.faint(
                            "- \(file): for a daemon whose \(other.name) is \(other.value); "
                                + "here it is \(actual)")
                    ])
                }
                continue
            }
            let outcome = self.outcome(file, script, path, context.timeout)
            outcomes.append(outcome)
            if !isQuiet { context.print(TestReport.lines(outcome, context.look)) }
        }
        if tap {
            context.print(TestReport.tap(outcomes))
        } else if junit {
            context.print(TestReport.junit(outcomes))
        } else if isQuiet {
            let reports = outcomes.map(Self.report)
            let answer: JSONValue = [
                "passed": .bool(outcomes.allSatisfy(\.passed)), "reports": .array(reports),
            ]
            context.show(answer, list: "reports") { _, _ in [] }
        } else {
            let elapsed = Deadline.now.nanoseconds - start.nanoseconds
            context.print([TestReport.summary(outcomes, nanoseconds: elapsed, context.look)])
        }
        if !outcomes.allSatisfy(\.passed) { throw Ending(status: .scenarioFailed) }
    }

    private static func report(_ outcome: ScenarioOutcome) -> JSONValue {
        [
            "file": .string(outcome.file), "rule": .string(outcome.title),
            "passed": .bool(outcome.passed),
            "failures": .array(outcome.failures.map(JSONValue.string)),
            "picture": .string(outcome.picture),
        ]
    }

    private func outcome(
        _ file: String, _ script: WireScript, _ path: String, _ timeout: Duration?
    ) -> ScenarioOutcome {
        let start = Deadline.now
        var outcome = ScenarioOutcome(file: file, title: script.rule, passed: true)
        do {
            try WireRun.run(script, patience: timeout ?? .seconds(10)) { () throws(ClientError) in
                try WireSocket.connect(to: path)
            }
        } catch {
            outcome.passed = false
            outcome.failures = ["\(file): \(error.sentence)"]
            outcome.picture = error.picture.joined(separator: "\n")
        }
        outcome.seconds = Double(Deadline.now.nanoseconds - start.nanoseconds) / 1e9
        return outcome
    }
}
