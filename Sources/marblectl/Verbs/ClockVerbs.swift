// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import JSONRPC
internal import MarbledClient

struct Now: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "now", abstract: "Show where an instance's clock stands and what comes next.",
        discussion: """
              marblectl now i1
              marblectl now i1 -o json | jq .next.at
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String

    func run() throws {
        let context = try Context(options)
        let name: JSONValue = ["instance": .string(instance)]
        var now = try context.call("clock.now", name)
        let next = try context.call("clock.next", name)
        now["next"] = next
        context.show(now) { now, _ in ClockViews.now(now, next: next) }
    }
}

struct Advance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advance", abstract: "Move a virtual clock, and run what falls due.",
        discussion: """
              marblectl advance i1 300ms
              marblectl advance i1 --to 10s
              marblectl advance i1 --before 10s

            By a duration, the last instant included; or to a point in time; or up to it, itself not \
            included.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Argument(help: "How far, such as 300ms.") var duration: String?
    @Option(help: ArgumentHelp("The point in time to stop at.", valueName: "time")) var to: String?
    @Option(help: ArgumentHelp("The point in time to stop before.", valueName: "time"))
    var before: String?
    @Option(help: ArgumentHelp("How many items may run.", valueName: "count")) var limit: Int64?

    func validate() throws {
        guard [duration, to, before].count(where: { $0 != nil }) != 1 else { return }
        throw ValidationError("Say how far: one of a duration, --to TIME and --before TIME.")
    }

    func run() throws {
        let params: JSONValue = .members([
            "instance": .string(instance),
            "by": try duration.map { try ArgumentText.time($0, of: "the duration") },
            "to": try to.map { try ArgumentText.time($0, of: "--to") },
            "before": try before.map { try ArgumentText.time($0, of: "--before") },
            "limit": limit.map { .int($0) },
        ])
        let context = try Context(options)
        let answer = try context.longCall(
            "clock.advance", params, instance: instance, what: "advance \(instance)")
        context.show(answer) { answer, _ in ClockViews.moved(answer) }
    }
}

struct Step: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "step", abstract: "Run the next item of a virtual clock, and nothing else.",
        discussion: """
              marblectl step i1
              marblectl now i1 && marblectl step i1 && marblectl record i1
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String

    func run() throws {
        let context = try Context(options)
        let answer = try context.longCall(
            "clock.step", ["instance": .string(instance)], instance: instance,
            what: "step \(instance)")
        context.show(answer) { answer, _ in ClockViews.moved(answer) }
    }
}

struct RunVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a virtual instance until nothing is left to do.",
        discussion: """
              marblectl run i1
              marblectl run i1 --until target
              marblectl run i1 --limit 1000000

            An instance with a repeating timer never runs out of work: give it a limit, or an output \
            to wait for.
            """)

    @OptionGroup(title: "Anywhere") var options: GlobalOptions
    @Argument(help: "The instance's name.", completion: Completion.instances) var instance: String
    @Option(help: ArgumentHelp("How many items may run.", valueName: "count")) var limit: Int64?
    @Option(
        help: ArgumentHelp("Stop after this output says something.", valueName: "output"),
        completion: Completion.outputs)
    var until: String?

    func run() throws {
        let context = try Context(options)
        let answer = try context.longCall(
            "clock.run",
            .members([
                "instance": .string(instance), "limit": limit.map { .int($0) },
                "until": until.map { .string($0) },
            ]), instance: instance, what: "run \(instance)")
        context.show(answer) { answer, _ in ClockViews.moved(answer) }
    }
}
